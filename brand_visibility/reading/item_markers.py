"""Markers: the signs that begin an item of a list, and the numbers they print.

What follows a marker belongs to `heads`, and what joins items into a list to `lists`.
"""

import re
import unicodedata
from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import NamedTuple

# Zero-width characters, which assistants leave at the beginning of lines.
INVISIBLE = "\u00ad\u200b-\u200d\u2060\ufe0e\ufe0f\ufeff"
BLANK = rf" \t\u00a0\u2002-\u200a\u202f\u3000{INVISIBLE}"


class RankSource(StrEnum):
    """What kind of list a rank was read from.

    A `COUNTDOWN` is a list of any kind whose printed numbers go down to 1.
    """

    NUMBERED = "numbered"
    CHINESE_NUMERAL = "chinese_numeral"
    CIRCLED = "circled"
    KEYCAP = "keycap"
    MEDAL = "medal"
    TOP_N = "top_n"
    LETTERED = "lettered"
    HEADING = "heading"
    BOLD = "bold"
    BULLETED = "bulleted"
    TABLE = "table"
    COUNTDOWN = "countdown"


class Marker(NamedTuple):
    """A printed number: its style (items of one list share it), value and end."""

    style: str
    source: RankSource
    number: int
    end: int


_CHINESE = "一二三四五六七八九十"
_CIRCLED = "①-⒛⓪⓫-⓾⓿❶-➓㈠-㈩㉑-㉟㊀-㊉㊱-㊿Ⅰ-Ⅻ"
_PODIUM = "冠亚季殿"
_MEDALS = "🥇🥈🥉"
_DASH = "-–—"
_AFTER_ORDINAL = rf"[{BLANK}]{{0,3}}(?:[.．:：、,，)）|｜]|[{_DASH}]+(?=[{BLANK}]))?"

# Each way holds one named group, so that the name of the last group is the style.
_NUMBERED = re.compile(
    rf"(?:[\U0001f300-\U0001f946\U0001f94a-\U0001faff☀-❵➔-⟿⭐][{BLANK}]{{0,3}})?(?:"
    rf"(?P<dot>\d{{1,3}})[{BLANK}]?\\?[.．](?!\d)"
    r"|(?P<comma>\d{1,3})、"
    rf"|(?P<paren>\d{{1,3}})[{BLANK}]?\\?[)）]"
    r"|(?P<colon>\d{1,3})[:：|｜](?!\d)"
    rf"|(?P<dash>\d{{1,3}})[{BLANK}][{_DASH}](?=[{BLANK}])"
    rf"|[(（][{BLANK}]?(?P<parens>\d{{1,3}})[{BLANK}]?[)）]"
    rf"|(?:\d{{1,2}}\.){{1,3}}(?P<section>\d{{1,2}})(?=[{BLANK}、])"
    rf"|(?P<chinese>[{_CHINESE}]{{1,3}})[、.．:：)）]"
    rf"|[(（](?P<chinese_parens>[{_CHINESE}]{{1,3}})[)）]"
    rf"|第[{BLANK}]?(?P<ordinal>\d{{1,3}}|[{_CHINESE}]{{1,3}})[{BLANK}]?"
    rf"(?:[名位款个家](?:[是为])?{_AFTER_ORDINAL}|[:：、,，.．])"
    rf"|(?:推荐|品牌|产品|选择|候选)(?P<choice>\d{{1,3}}|[{_CHINESE}]{{1,3}})[:：、.．]"
    rf"|(?i:top|no|number|rank|option|pick|choice|brand|№|\#)[{BLANK}]?[.．]?[{BLANK}]?(?P<top>\d{{1,3}})(?![\w%])"
    rf"{_AFTER_ORDINAL}"
    rf"|(?P<place>\d{{1,2}})(?i:st|nd|rd|th)(?i:[{BLANK}]place)?[{BLANK}]?"
    rf"(?:[:：.]|[{_DASH}]+(?=[{BLANK}]))"
    rf"|(?P<podium>[{_PODIUM}])军[{BLANK}]?[:：]"
    rf"|(?P<circled>[{_CIRCLED}])[.、．]?"
    r"|(?P<keycap>(?:\d\ufe0f?\u20e3){1,2}|🔟)[.、．]?"
    rf"|(?P<medal>[{_MEDALS}])"
    rf"|(?P<upper>[A-Z])(?:[.．](?=[{BLANK}])|[)）、])"
    rf"|(?P<lower>[a-z])(?:[.．](?=[{BLANK}])|[)）、])"
    rf"|(?P<bare>\d{{1,2}})[{BLANK}]{{1,4}}(?=[^\W\d]|[*“\"《【])"
    rf")[{BLANK}]*+"
)
# What begins like this is none of the above and no other sign of an item either: nine lines
# of ten, and most of what follows a bullet or a number. It is tried for a quarter of the time.
_PLAIN = re.compile(
    r"(?!(?i:top|no|number|rank|option|pick|choice|brand))[A-Za-z](?![.．)）、])"
    rf"|(?![{_CHINESE}{_PODIUM}第推品产选候])[\u4e00-\u9fff]"
)
_ORDINARY = frozenset({"dot", "comma", "paren", "colon", "dash", "parens", "section", "bare"})
_TITLE_STYLES = frozenset({"ordinal", "choice", "top", "place", "podium"})


def _chinese(numeral: str) -> int:
    """Return the value of 一 to 九十九, 0 for what is no numeral (一二)."""
    tens, ten, ones = numeral.rpartition("十")
    if not ten:
        return _CHINESE.index(numeral) + 1 if len(numeral) == 1 else 0
    if len(tens) > 1 or len(ones) > 1 or "十" in tens:
        return 0
    return 10 * (_CHINESE.index(tens) + 1 if tens else 1) + (
        _CHINESE.index(ones) + 1 if ones else 0
    )


def _ordinal(numeral: str) -> int:
    return int(numeral) if numeral.isdecimal() else _chinese(numeral)


def _keycap(keys: str) -> int:
    return 10 if keys == "🔟" else int("".join(filter(str.isdecimal, keys)))


def _letter(letter: str) -> int:
    return ord(letter.lower()) - ord("a") + 1


_KINDS: Mapping[str, tuple[RankSource, Callable[[str], int]]] = {
    **dict.fromkeys(_ORDINARY, (RankSource.NUMBERED, int)),
    **dict.fromkeys(_TITLE_STYLES, (RankSource.TOP_N, _ordinal)),
    "chinese": (RankSource.CHINESE_NUMERAL, _chinese),
    "chinese_parens": (RankSource.CHINESE_NUMERAL, _chinese),
    "podium": (RankSource.TOP_N, lambda title: _PODIUM.index(title) + 1),
    "circled": (RankSource.CIRCLED, lambda sign: int(unicodedata.numeric(sign))),
    "keycap": (RankSource.KEYCAP, _keycap),
    "medal": (RankSource.MEDAL, lambda medal: _MEDALS.index(medal) + 1),
    "upper": (RankSource.LETTERED, _letter),
    "lower": (RankSource.LETTERED, _letter),
}


def is_plain(text: str, start: int, end: int) -> bool:
    """Whether a line or its rest begins like text, and so with no marker, bullet or rule."""
    return _PLAIN.match(text, start, end) is not None


def read_marker(text: str, start: int, end: int) -> Marker | None:
    """Return the printed number at `start`, if there is one.

    A title after the number and a number after a medal are parts of the marker
    (`1. TOP1：`, `🥇 第一名：`, `🥇 1.`).
    """
    if _PLAIN.match(text, start, end):
        return None
    found = _NUMBERED.match(text, start, end)
    if found is None:
        return None
    style = found.lastgroup or ""
    source, value = _KINDS[style]
    number = value(found[style])
    marker_end = found.end()
    if _PLAIN.match(text, marker_end, end):
        return Marker(style, source, number, marker_end)
    second = _NUMBERED.match(text, marker_end, end)
    if second is not None and (style == "medal" or second.lastgroup in _TITLE_STYLES):
        marker_end = second.end()
    return Marker(style, source, number, marker_end)


def read_number(text: str, start: int, end: int) -> int | None:
    """Return the number that a whole cell of a table prints, None for any other cell."""
    cell = text[start:end].strip(" \t*_")
    if cell.isdecimal() and len(cell) <= 3:
        return int(cell)
    marker = read_marker(cell + " ", 0, len(cell) + 1)
    if marker is None or marker.end < len(cell):
        return None
    return marker.number
