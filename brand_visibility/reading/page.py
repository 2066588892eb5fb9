"""A page: one answer in its three states — raw, viewed, folded — and the way back.

Names are sought in the folded text; everything stored speaks of the raw text.
"""

from brand_visibility.reading.folding import fold, is_accent
from brand_visibility.reading.view import Range, build_view

# A line is told by its characters beside the name; a few capitals are other names.
_LINE_REACH = 100
_FEWEST_CAPITALS = 12


class Page:
    """An answer, ready to be searched. `folded` is what aliases are sought in."""

    __slots__ = ("_fold_offsets", "folded", "is_verbatim", "raw", "view")

    def __init__(self, raw: str) -> None:
        self.raw = raw
        self.view = build_view(raw)
        self.folded, self._fold_offsets = fold(self.view.text)
        # Whether each folded character stands where its raw one stood.
        self.is_verbatim = not self.view.offsets.starts and not self._fold_offsets.starts

    def raw_range(self, start: int, end: int) -> Range | None:
        """Return the raw place of a folded range, None if it would split a character."""
        if self.is_verbatim:
            return start, end
        viewed = self._fold_offsets.source_range(start, end)
        raw = None if viewed is None else self.view.offsets.source_range(*viewed)
        return None if raw is None else (raw[0], self._with_accents(raw[1]))

    def _with_accents(self, end: int) -> int:
        while end < len(self.raw) and is_accent(self.raw[end]):
            end += 1
        return end

    def folded_range(self, start: int, end: int) -> Range:
        """Return the folded place of a raw range that is not empty."""
        if self.is_verbatim:
            return start, end
        first = self._fold_offsets.rewritten(self.view.offsets.rewritten(start))
        last = self._fold_offsets.rewritten(self.view.offsets.rewritten(end - 1))
        return first, max(first, last) + 1

    def viewed(self, start: int, end: int) -> str:
        """Return the viewed characters of a folded range, which still have their case."""
        first = self._fold_offsets.origin(start).start
        return self.view.text[first : self._fold_offsets.origin(end - 1).end]

    def is_in_capitals(self, start: int, end: int) -> bool:
        """Whether a folded range stands in a line of capitals, where case tells nothing."""
        text = self.view.text
        first = self._fold_offsets.origin(start).start
        last = self._fold_offsets.origin(end - 1).end
        before = text[max(0, first - _LINE_REACH) : first].rpartition("\n")[2]
        after = text[last : last + _LINE_REACH].partition("\n")[0]
        others = before + after
        return others.isupper() and sum(map(str.isupper, others)) >= _FEWEST_CAPITALS

    def gap(self, position: int) -> str:
        """Return what the raw text holds between folded `position - 1` and `position`."""
        if self.is_verbatim:
            return ""
        end, start = 0, len(self.raw)
        if position > 0:
            before = self._fold_offsets.origin(position - 1)
            end = self.view.offsets.origin(before.end - 1).end
        if position < len(self.folded):
            after = self._fold_offsets.origin(position)
            start = self.view.offsets.origin(after.start).start
        return self.raw[end:start]
