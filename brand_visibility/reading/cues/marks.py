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


@cache
def _automaton() -> tuple[tuple[Word, ...], _Find]:
    listed = tuple({word.text: word for word in words()}.values())
    automaton = ahocorasick_rs.AhoCorasick([word.text for word in listed])
    return listed, automaton.find_matches_as_indexes


def find_marks(text: str) -> list[Mark]:
    """Return the marks of a folded text in order; where several overlap, the leftmost longest.

    What is no word of its own must not hide a shorter one that is: "if not" in "if Notion".
    """
    listed, find = _automaton()
    found = [
        (start, -end, listed[index].kind)
        for index, start, end in find(text, overlapping=True)
        if _stands(text, start, end, listed[index])
    ]
    found.sort(key=_leftmost_longest)
    marks: list[Mark] = []
    settled = 0
    for start, negative_end, kind in found:
        if start < settled:
            continue
        settled = -negative_end
        if kind is not Kind.NOTHING:
            marks.append((kind, start, settled))
    return marks


def _leftmost_longest(found: tuple[int, int, Kind]) -> tuple[int, int]:
    return found[0], found[1]


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
