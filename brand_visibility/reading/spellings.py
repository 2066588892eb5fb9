"""Spellings: all the folded forms in which one alias may be written.

With a hyphen, a space or neither; with and without an apostrophe; Chinese and Latin
script with and without a space between. Characters belong to `folding`.
"""

import itertools
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from brand_visibility.reading.folding import fold, fold_keeping_case
from brand_visibility.reading.view import SEPARATOR, build_view

_IDEOGRAPH = "\u3400-\u9fff\U00020000-\U0003ffff"
_JOINT = re.compile(
    r"(?P<ampersand> ?& ?)"
    r"|(?P<apostrophe>(?<=[^\W\d_])'(?=[^\W\d_]))"
    r"|(?P<separator>(?<=\S)[ -](?=\S))"
    rf"|(?P<seam>(?<=[{_IDEOGRAPH}])(?=[a-z0-9])|(?<=[a-z0-9])(?=[{_IDEOGRAPH}]))"
)
_WORDS_BESIDE_AND = re.compile(r"[a-z]{3,} ?& ?[a-z]{3,}")
_SPACES = re.compile(r" {2,}")
_NOT_COMPARED = re.compile(r"[ '-]")

# Beyond this, an alias of many words is written alike at all of its joints.
_MOST_SPELLINGS = 81

# A joined form this long is no English word by accident; shorter ones ("lining" for
# Li-Ning) must show that they are two words.
_LONG_ENOUGH_JOINED = 8
_LONG_ENOUGH_BARE = 6


@dataclass(frozen=True, slots=True)
class Spelling:
    """One folded form. Only the rules' own forms ask something of the surface.

    `seams` are positions where two words were joined: there the surface must show a
    capital. `needs_capital` asks for a capital at the start ("Lays", not "lays").
    """

    text: str
    seams: tuple[int, ...] = ()
    needs_capital: bool = False


@dataclass(frozen=True, slots=True)
class _Piece:
    text: str
    is_joined: bool = False
    is_bare: bool = False


def folded_name(text: str) -> str | None:
    """Return a name as it is sought, or None for one that no answer can be read to hold."""
    folded = _SPACES.sub(" ", fold(build_view(text).text)[0]).strip()
    if not any(map(str.isalnum, folded)) or SEPARATOR in folded or "\n" in folded:
        return None
    return folded


def spellings(text: str) -> list[Spelling]:
    """Return the spellings of a name, its own first, each once."""
    name = folded_name(text)
    if name is None:
        return []
    found = {name: Spelling(name)}
    starts_with_capital = text.strip()[0].isupper()
    for pieces in _combinations(name):
        spelling = _assemble(pieces, starts_with_capital=starts_with_capital)
        found.setdefault(spelling.text, spelling)
    return list(found.values())


def _combinations(name: str) -> Iterator[Sequence[_Piece]]:
    parts: list[list[_Piece]] = []
    read = 0
    for joint in _JOINT.finditer(name):
        parts.append([_Piece(name[read : joint.start()])])
        parts.append(_options(name, joint))
        read = joint.end()
    parts.append([_Piece(name[read:])])
    if math.prod(map(len, parts)) <= _MOST_SPELLINGS:
        yield from itertools.product(*parts)
        return
    for choice in range(max(map(len, parts))):
        yield [options[min(choice, len(options) - 1)] for options in parts]


def _options(name: str, joint: re.Match[str]) -> list[_Piece]:
    if joint["ampersand"]:
        written_out = [_Piece(" and ")] if _WORDS_BESIDE_AND.search(name) else []
        return [_Piece("&"), _Piece(" & "), *written_out]
    if joint["apostrophe"]:
        return [_Piece("'"), _Piece("", is_bare=True)]
    before, after = name[joint.start() - 1], name[joint.end()]
    # 7-11 is neither 711 nor 7 11.
    if joint["separator"] and before.isdecimal() and after.isdecimal():
        return [_Piece(joint[0])]
    are_letters = joint["separator"] and before.isalpha() and after.isalpha()
    is_latin = before.isascii() and after.isascii()
    return [_Piece(" "), _Piece("-"), _Piece("", is_joined=bool(are_letters and is_latin))]


def _assemble(pieces: Sequence[_Piece], *, starts_with_capital: bool) -> Spelling:
    text = "".join(piece.text for piece in pieces)
    seams: list[int] = []
    length = 0
    for piece in pieces:
        if piece.is_joined:
            seams.append(length)
        length += len(piece.text)
    is_bare = any(piece.is_bare for piece in pieces)
    return Spelling(
        text,
        tuple(seams) if len(text) < _LONG_ENOUGH_JOINED else (),
        is_bare and starts_with_capital and len(text) < _LONG_ENOUGH_BARE,
    )


def shows_its_words(surface: str, spelling: Spelling, alias: str) -> bool:
    """Whether a surface, folded but for its case, is credible for a spelling of an alias."""
    if spelling.needs_capital and not surface[:1].isupper():
        return False
    if not spelling.seams or is_exact(surface, alias):
        return True
    return not surface.isupper() and all(
        surface[seam : seam + 1].isupper() for seam in spelling.seams
    )


def is_exact(surface: str, alias: str) -> bool:
    """Whether two names are alike in case, hyphens, spaces and apostrophes aside."""
    return _NOT_COMPARED.sub("", surface) == _NOT_COMPARED.sub("", alias)


def cased_name(text: str) -> str:
    """Return a name folded in everything but its case."""
    return fold_keeping_case(build_view(text).text).strip()
