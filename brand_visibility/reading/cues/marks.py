"""Marks: every place in a folded text where a cue or a divider stands.

What a mark means for a brand is decided in `attribution`; here only where words are.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product

import ahocorasick_rs

from brand_visibility.reading.cues.chinese import BLAMED, CHINESE, DEGREES, PRAISED
from brand_visibility.reading.cues.english import ENGLISH
from brand_visibility.reading.cues.kinds import Kind

Mark = tuple[Kind, int, int]
"""A kind and the folded range `[start, end)` that shows it."""

# What may still follow the last adjective of a Chinese clause.
_PARTICLES = frozenset("的了啊呢吧哦呀哈")

_Find = Callable[..., list[tuple[int, int, int]]]


@dataclass(frozen=True, slots=True)
class Word:
    """One cue as it is sought. An edge that is guarded must be a word's edge.

    One that `ends_clause` counts only before a sign or the end: 售后差, not 差旅.
    """

    text: str
    kind: Kind
    guards_left: bool = False
    guards_right: bool = False
    ends_clause: bool = False

    @property
    def is_guarded(self) -> bool:
        """Whether its neighbours have a say."""
        return self.guards_left or self.guards_right or self.ends_clause


def words() -> Iterator[Word]:
    """Yield every cue of both languages."""
    for kind, listed in CHINESE.items():
        for text in listed.split():
            yield _chinese(text, kind)
    for kind, listed in (Kind.PRAISE, PRAISED), (Kind.BLAME, BLAMED):
        for degree, adjective in product(DEGREES.split(), listed.split()):
            yield _chinese(degree + adjective, kind)
    for kind, listed in ENGLISH.items():
        for entry in listed.replace("\n", ",").split(","):
            if entry.strip():
                yield _english(entry.strip(), kind)


def _chinese(text: str, kind: Kind) -> Word:
    return Word(text.removesuffix("$"), kind, ends_clause=text.endswith("$"))


def _english(entry: str, kind: Kind) -> Word:
    text = entry.removesuffix("~")
    return Word(
        text,
        kind,
        guards_left=text[0].isalnum() and text != "n't",
        guards_right=text[-1].isalnum() and not entry.endswith("~"),
    )


@dataclass(frozen=True, slots=True)
class _Sought:
    """All cues by their number in the automaton: their kinds, and those that ask for more."""

    find: _Find
    kinds: tuple[Kind, ...]
    guarded: tuple[Word | None, ...]


@cache
def _sought() -> _Sought:
    listed = tuple({word.text: word for word in words()}.values())
    automaton = ahocorasick_rs.AhoCorasick([word.text for word in listed])
    return _Sought(
        automaton.find_matches_as_indexes,
        tuple(word.kind for word in listed),
        tuple(word if word.is_guarded else None for word in listed),
    )


def find_marks(text: str, first: int = 0, last: int | None = None) -> list[Mark]:
    """Return the marks of a folded text in order; where several overlap, the leftmost longest.

    `first` and `last` bound the part that is looked at, a line for instance. What is no word
    of its own must not hide a shorter one that is: "if not" in "if Notion".
    """
    sought = _sought()
    kinds, guarded = sought.kinds, sought.guarded
    part = text if first == 0 and last is None else text[first:last]
    found = [
        (start, -end, kinds[index])
        for index, start, end in sought.find(part, overlapping=True)
        if (word := guarded[index]) is None or _stands(text, first + start, first + end, word)
    ]
    found.sort()
    marks: list[Mark] = []
    settled = 0
    for start, negative_end, kind in found:
        if start < settled:
            continue
        settled = -negative_end
        if kind is not Kind.NOTHING:
            marks.append((kind, first + start, first + settled))
    return marks


def _stands(text: str, start: int, end: int, word: Word) -> bool:
    if word.guards_left and start and _is_word(text[start - 1]):
        return False
    if end == len(text):
        return True
    after = text[end]
    if word.guards_right and _is_word(after):
        return False
    return not (word.ends_clause and after.isalnum() and after not in _PARTICLES)


def _is_word(character: str) -> bool:
    return character.isascii() and character.isalnum()
