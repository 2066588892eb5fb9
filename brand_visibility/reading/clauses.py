"""Clauses: a folded text cut into lines, sentences and clauses with what stands in them.

Cuts are made at the marks that divide; whose a cue is belongs to `attribution`.
"""

import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from operator import itemgetter

from brand_visibility.reading.cues.kinds import DIVIDERS, Kind
from brand_visibility.reading.cues.marks import Mark, find_marks
from brand_visibility.reading.view import Range

_LONGEST_JOINT = 24
# Real rows and clauses stay far below; broken text must not cost the square of its length.
_LONGEST_ROW = 50
_FULLEST_CLAUSE = 50
_MODEL = r"(?: ?[a-z]{0,6}-?\d[\w+-]{0,8}| (?:pro|max|ultra|plus|mini))"
_JOINT = re.compile(
    rf"{_MODEL}{{0,3}} ?(?:[、/&]|和|与|及|以及|或|或者|还有|,? and|,? or|"
    r"、[^、,.。;!?|\n\s]{1,10}[、和]) ?"
)
_COMMA = re.compile(rf"{_MODEL}{{0,3}} ?, ?")
_SENTENCE_ENDS = frozenset({Kind.STOP, Kind.QUESTION})
_LATIN_STOP = re.compile(r"\.(?=[\s\"')\]]|$)")


@dataclass(slots=True)
class Group:
    """Brands named side by side, of which the same is said.

    `mentions` are indexes into the answer's mentions. A shielded group is only what
    something else is compared with.
    """

    start: int
    end: int
    mentions: list[int]
    is_shielded: bool = False


@dataclass(slots=True)
class Clause:
    """The range up to the next divider. `opener` is the divider that it begins with."""

    start: int
    opener: Kind | None
    end: int = 0
    marks: list[Mark] = field(default_factory=list)
    groups: list[Group] = field(default_factory=list)


@dataclass(slots=True)
class Sentence:
    """The range up to a full stop or the end of the line. `kinds` are those of its marks."""

    text: str
    start: int
    end: int
    marks: list[Mark]
    groups: list[Group]
    kinds: set[Kind]

    def clauses(self) -> list[Clause]:
        """Return its clauses, which are cut only now: most sentences say nothing of a brand."""
        return _cut(self)


@dataclass(slots=True)
class Line:
    """One line of the folded text.

    Its marks are sought and its sentences cut only when they are asked for: most lines of
    an answer name no brand and belong to none.
    """

    text: str
    start: int
    end: int
    groups: Sequence[Group]
    is_after_blank: bool = False
    _marks: Sequence[Mark] | None = None

    @property
    def marks(self) -> Sequence[Mark]:
        """The marks of the line."""
        if self._marks is None:
            self._marks = find_marks(self.text, self.start, self.end)
        return self._marks

    def sentences(self) -> Iterator[Sentence]:
        """Yield the sentences of the line, which none of its groups is cut by."""
        return _sentences(self, _dividers(self))


def group_places(text: str, places: Sequence[Range]) -> list[Group]:
    """Join places, in order, that are named side by side: A、B和C; A, B and C.

    A comma joins only in a row that a conjunction ends: "unlike A, B …" is no row.
    """
    groups: list[Group] = []
    row = 0
    for index, (start, end) in enumerate(places):
        last = groups[-1] if groups else None
        if last is not None and start < last.end:
            last.mentions.append(index)
            last.end = max(last.end, end)
            continue
        groups.append(Group(start, end, [index]))
        if last is None or _is_joint(text, last.end, start, _JOINT):
            row = _join(groups, row)
        elif not _is_joint(text, last.end, start, _COMMA):
            row = len(groups) - 1
    return groups


def _join(groups: list[Group], row: int) -> int:
    """Make the groups from `row` on one, unless it gets too long. Returns the new row."""
    first = groups[row]
    if len(first.mentions) + len(groups) - row > _LONGEST_ROW:
        return len(groups) - 1
    for group in groups[row + 1 :]:
        first.mentions += group.mentions
        first.end = group.end
    del groups[row + 1 :]
    return row


def _is_joint(text: str, start: int, end: int, joint: re.Pattern[str]) -> bool:
    return end - start <= _LONGEST_JOINT and bool(joint.fullmatch(text, start, end))


def read_lines(text: str, groups: Sequence[Group]) -> Iterator[Line]:
    """Yield the lines of a folded text that are not blank, each with its groups."""
    group = start = 0
    is_after_blank = False
    for written in text.split("\n"):
        end = start + len(written)
        if not written or written.isspace():
            is_after_blank = True
        else:
            first = group
            while group < len(groups) and groups[group].start < end:
                group += 1
            yield Line(text, start, end, groups[first:group], is_after_blank)
            is_after_blank = False
        start = end + 1


def _dividers(line: Line) -> Sequence[Mark]:
    """Return the line's marks with its Latin full stops, without what names contain."""
    stops = [
        (Kind.STOP, found.start(), found.end())
        for found in _LATIN_STOP.finditer(line.text, line.start, line.end)
    ]
    marks = sorted([*line.marks, *stops], key=itemgetter(1)) if stops else line.marks
    if not line.groups:
        return marks
    groups = iter(line.groups)
    current = next(groups, None)
    free: list[Mark] = []
    for mark in marks:
        while current is not None and current.end <= mark[1]:
            current = next(groups, None)
        if current is None or mark[2] <= current.start:
            free.append(mark)
    return free


def _sentences(line: Line, marks: Iterable[Mark]) -> Iterator[Sentence]:
    """Yield the sentences between the marks that end one, and what follows the last."""
    groups = deque(line.groups)
    start = line.start
    held: list[Mark] = []
    kinds: set[Kind] = set()
    for mark in marks:
        kinds.add(mark[0])
        if mark[0] not in _SENTENCE_ENDS:
            held.append(mark)
            continue
        yield Sentence(line.text, start, mark[1], held, _taken(groups, mark[1]), kinds)
        start, held, kinds = mark[2], [], set()
    yield Sentence(line.text, start, line.end, held, list(groups), kinds)


def _taken(groups: deque[Group], end: int) -> list[Group]:
    """Take the groups that start before an end."""
    taken: list[Group] = []
    while groups and groups[0].start < end:
        taken.append(groups.popleft())
    return taken


def _cut(sentence: Sentence) -> list[Clause]:
    clause = Clause(sentence.start, None)
    clauses = [clause]
    groups = iter(sentence.groups)
    group = next(groups, None)
    for mark in sentence.marks:
        kind, start, end = mark
        while group is not None and group.start < start:
            clause.groups.append(group)
            group = next(groups, None)
        if len(clause.marks) + len(clause.groups) >= _FULLEST_CLAUSE:
            clause = _divide(clauses, Kind.PAUSE, start, start)
        if kind not in DIVIDERS:
            clause.marks.append(mark)
        elif not _is_thousands(sentence.text, start):
            clause = _divide(clauses, kind, start, end)
    if group is not None:
        clause.groups += [group, *groups]
    clause.end = sentence.end
    return clauses


def _divide(clauses: list[Clause], kind: Kind, start: int, end: int) -> Clause:
    """Begin a clause; an opener right after another divider names the same clause."""
    last = clauses[-1]
    is_fresh = not last.marks and not last.groups and start - last.start <= 1
    if is_fresh and (kind is Kind.PAUSE or last.opener in (None, Kind.PAUSE)):
        last.opener = last.opener if kind is Kind.PAUSE else kind
        return last
    last.end = start
    clauses.append(Clause(end, kind))
    return clauses[-1]


def _is_thousands(text: str, comma: int) -> bool:
    return (
        text[comma] == ","
        and text[comma - 1 : comma].isdigit()
        and (text[comma + 1 : comma + 2].isdigit())
    )
