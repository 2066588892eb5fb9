"""Fold: one spelling for all the ways to write the same characters.

Case, accents, width, dashes, quotes, spaces, invisible characters and traditional
Chinese characters. Markup belongs to `view`; other spellings of a name (with a hyphen,
without one) belong to `spellings`.
"""

import sys
import unicodedata
from functools import cache

import numpy as np
import numpy.typing as npt
import opencc

from brand_visibility.reading.offsets import UNCHANGED, Edit, OffsetMap, rewrite

_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2043\u2212\ufe58\ufe63\uff0d"
_APOSTROPHES = "\u2018\u2019\u201a\u201b\u2032\u02b9\u02bb\u02bc\u02bd\uff07\u00b4`"
_QUOTES = "\u201c\u201d\u201e\u201f\u00ab\u00bb"
_NEWLINES = "\r\x0b\x0c\x85\u2028\u2029"
_SPACES = "\t\u00a0\u1680\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))
_UNIFIED = {
    **dict.fromkeys(_DASHES, "-"),
    **dict.fromkeys(_APOSTROPHES, "'"),
    **dict.fromkeys(_QUOTES, '"'),
    **dict.fromkeys(_NEWLINES, "\n"),
    **dict.fromkeys(_SPACES, " "),
    # Latin letters that Unicode does not decompose.
    "ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "đ": "d", "Đ": "D", "ı": "i",
    "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE",
}  # fmt: skip

# Signs that stand beside a name and are no part of it: ① before it, ™ or ¹ after it.
# Written out as letters and digits they would run into the name.
_KEPT_SIGNS = ("<circle>", "<super>", "<sub>", "<fraction>", "<square>")

_IDEOGRAPHS = ((0x3400, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x3FFFF))


@cache
def _converters() -> tuple[opencc.OpenCC, ...]:
    return opencc.OpenCC("t2s"), opencc.OpenCC("hk2s")


def _simplify(character: str) -> str:
    code = ord(character)
    if not any(first <= code <= last for first, last in _IDEOGRAPHS):
        return character
    for converter in _converters():
        simplified: str = converter.convert(character)
        if simplified != character and len(simplified) == 1:
            return _simplify(simplified)
    return character


def _is_invisible(character: str) -> bool:
    code = ord(character)
    return (
        unicodedata.category(character) == "Cf"
        or 0xFE00 <= code <= 0xFE0F
        or 0xE0100 <= code <= 0xE01EF
        or code == 0x034F
    )


def is_accent(character: str) -> bool:
    """Whether this is a combining accent, which belongs to the letter before it."""
    return "\u0300" <= character <= "\u036f"


def _decompose(character: str) -> str:
    # Written as three full stops, … would shift the offsets of most Chinese answers.
    if character == "…" or unicodedata.decomposition(character).startswith(_KEPT_SIGNS):
        return character
    return unicodedata.normalize("NFKD", character)


def _bare(text: str) -> str:
    return "".join(part for part in "".join(map(_decompose, text)) if not is_accent(part))


def _fold_character(character: str, *, keeps_case: bool) -> str:
    code = ord(character)
    if 0xD800 <= code <= 0xDFFF:
        return "\ufffd"
    if 0xAC00 <= code <= 0xD7A3:
        return character
    if character in _UNIFIED:
        character = _UNIFIED[character]
    elif _is_invisible(character):
        return ""
    folded = _bare(character)
    if not keeps_case:
        folded = _bare(folded.casefold())
    unified = "".join(_UNIFIED.get(part, part) for part in folded)
    return "".join(map(_simplify, unified))


class _Table(dict[int, str]):
    """Folded characters by code point, each worked out when it is first met."""

    def __init__(self, *, keeps_case: bool) -> None:
        super().__init__()
        self._keeps_case = keeps_case

    def __missing__(self, code: int) -> str:
        folded = _fold_character(chr(code), keeps_case=self._keeps_case)
        self[code] = folded
        return folded


@cache
def _table(*, keeps_case: bool) -> _Table:
    return _Table(keeps_case=keeps_case)


_Codes = npt.NDArray[np.uint32]

# Entries of `_CodeTable`: not worked out yet, and folded to none or several characters.
_UNKNOWN = 0xFFFFFFFF
_UNEVEN = 0xFFFFFFFE
_ENCODING = "utf-32-le"


class _CodeTable:
    """Folded code points by code point, for a whole text at once.

    Most of a Chinese answer stays as it is: looked up one by one, its characters would
    cost half as much as all the rest of finding names.
    """

    def __init__(self) -> None:
        self._folded = np.full(sys.maxunicode + 1, _UNKNOWN, dtype="<u4")

    def fold(self, text: str) -> _Codes:
        """Return the folded code points, `_UNEVEN` where there is not exactly one."""
        codes = np.frombuffer(text.encode(_ENCODING, "surrogatepass"), dtype="<u4")
        folded: _Codes = self._folded[codes]
        unknown = codes[folded == _UNKNOWN]
        if unknown.size:
            self._learn(np.unique(unknown).tolist())
            folded = self._folded[codes]
        return folded

    def _learn(self, codes: list[int]) -> None:
        for code in codes:
            character = _table(keeps_case=False)[code]
            self._folded[code] = ord(character) if len(character) == 1 else _UNEVEN


@cache
def _code_table() -> _CodeTable:
    return _CodeTable()


def fold(text: str) -> tuple[str, OffsetMap]:
    """Return the folded text and where its characters came from."""
    table = _table(keeps_case=False)
    if text.isascii():
        return text.translate(table), UNCHANGED
    codes = _code_table().fold(text)
    uneven = np.flatnonzero(codes == _UNEVEN).tolist()
    if not uneven:
        return codes.tobytes().decode(_ENCODING), UNCHANGED
    edits: list[Edit] = [
        (position, position + 1, table[ord(text[position])]) for position in uneven
    ]
    rewritten, offsets = rewrite(text, edits)
    # Folding what is folded changes nothing, so the edited places stay as they are.
    return _code_table().fold(rewritten).tobytes().decode(_ENCODING), offsets


def fold_keeping_case(text: str) -> str:
    """Return the text folded in everything but its case."""
    return text.translate(_table(keeps_case=True))
