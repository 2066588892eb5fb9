"""Where a character of a rewritten text came from.

Every step of reading rewrites a few places and leaves the rest alone, so positions are
kept as a short list of edits instead of one number for each character.
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

Edit = tuple[int, int, str]
"""Characters `[start, end)` of the source, and what stands in their place."""


@dataclass(frozen=True, slots=True)
class Origin:
    """The source characters `[start, end)` of one rewritten character.

    `is_first` and `is_last` say whether it is the first and the last of all the
    characters that came from there.
    """

    start: int
    end: int
    is_first: bool = True
    is_last: bool = True


@dataclass(frozen=True, slots=True)
class OffsetMap:
    """Edits in ascending order: their places in the source and in the rewritten text."""

    source_starts: Sequence[int] = ()
    source_ends: Sequence[int] = ()
    starts: Sequence[int] = ()
    ends: Sequence[int] = ()

    def origin(self, position: int) -> Origin:
        """Return where the rewritten character at `position` came from."""
        index = bisect_right(self.starts, position) - 1
        if index < 0:
            return Origin(position, position + 1)
        if position < self.ends[index]:
            return Origin(
                self.source_starts[index],
                self.source_ends[index],
                is_first=position == self.starts[index],
                is_last=position == self.ends[index] - 1,
            )
        source = self.source_ends[index] + position - self.ends[index]
        return Origin(source, source + 1)

    def source_range(self, start: int, end: int) -> tuple[int, int] | None:
        """Return where a range that is not empty came from, None if it splits a place.

        A place is split when some of the characters that came from it are outside.
        """
        index = bisect_right(self.starts, start)
        if index == len(self.starts) or end <= self.starts[index]:
            if not index:
                return start, end
            if start >= self.ends[index - 1]:
                shift = self.source_ends[index - 1] - self.ends[index - 1]
                return start + shift, end + shift
        first, last = self.origin(start), self.origin(end - 1)
        return (first.start, last.end) if first.is_first and last.is_last else None

    def rewritten(self, source: int) -> int:
        """Return where a source character went; what was rewritten, to its first character."""
        index = bisect_right(self.source_starts, source) - 1
        if index < 0:
            return source
        if source < self.source_ends[index]:
            return self.starts[index]
        return self.ends[index] + source - self.source_ends[index]


UNCHANGED = OffsetMap()


def rewrite(text: str, edits: Sequence[Edit]) -> tuple[str, OffsetMap]:
    """Apply edits, which are in ascending order and do not overlap."""
    if not edits:
        return text, UNCHANGED
    parts: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    read = written = 0
    for source_start, source_end, replacement in edits:
        parts += text[read:source_start], replacement
        written += source_start - read
        starts.append(written)
        written += len(replacement)
        ends.append(written)
        read = source_end
    parts.append(text[read:])
    sources = [edit[0] for edit in edits], [edit[1] for edit in edits]
    return "".join(parts), OffsetMap(*sources, starts, ends)
