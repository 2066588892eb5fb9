"""Items: one line of an answer as an item of a list, or not.

The model is by lines because CommonMark does not know `1、`, `（1）`, `①` or `TOP1`.
Which items make one list belongs to `lists`.
"""

import re
from dataclasses import dataclass

from brand_visibility.reading.heads import find_head
from brand_visibility.reading.item_markers import BLANK, RankSource, read_marker
from brand_visibility.reading.view import Range

_BULLETS = "•·‣▪●○◆◇■□►▶➤➢★☆✓✔✅☑❖※→➔"
_EMOJI = "\U0001f300-\U0001f946\U0001f94a-\U0001faff☀-❵➔-➣➥-⟿⭐"
_LEAD = re.compile(
    rf"(?P<indent>[{BLANK}>]*+)"
    rf"(?:(?P<heading>\#{{1,6}})[{BLANK}]++"
    rf"|(?P<bullet>[-*+–—](?=[{BLANK}])|-(?=\*\*|[\u3400-\u9fff])|[{_BULLETS}]|<li>)[{BLANK}]*+)?+"
    r"(?P<bold>\*\*\*?|__)?+"
)
_EMOJI_BULLET = re.compile(rf"[{_EMOJI}][{BLANK}]*+(?=\S)")
_AFTER_BOLD_ITEM = re.compile(rf"[{BLANK}\r]*+(?:$|[:：（(–—-])")
_RULE = re.compile(rf"[{BLANK}\r>]*+(?:[-*_][{BLANK}\r]*+){{3,}}+$")
# `- 2 cups` and `- 10: 30` are no numbers of items.
_AMOUNTS = frozenset({"bare", "dash", "colon", "section"})
_TAB = 4
# Headings stand above all lines, whose lists they close, and each level above the next.
_HEADING_INDENT = -100
_HEADING_STEP = 10


@dataclass(frozen=True, slots=True)
class Item:
    """One item: where it starts, where its head stands, and what its list must share.

    `indent` is in columns, negative for headings. `number` is the printed one. A style is
    the way a number is written, the sign of a bullet, or what else makes the line an item.
    """

    start: int
    head: Range
    style: str
    source: RankSource
    indent: int
    number: int | None = None


# With which letters an item may begin. Nine lines of ten begin with another one, and every
# pattern that is not tried on them is a tenth of the time of all lists.
_LETTER_ENDS = frozenset(".．)）、")
_TITLE = re.compile(r"top|no|number|rank|option|pick|choice|brand", re.IGNORECASE)
_CHINESE_STARTS = frozenset("一二三四五六七八九十第推品产选候冠亚季殿")


def is_plain(text: str, start: int, end: int) -> bool:
    """Whether a line that is not empty begins like text and like no item or rule."""
    first = text[start]
    if first.isascii():
        if not first.isalpha() or start + 1 == end:
            return False
        return text[start + 1] not in _LETTER_ENDS and _TITLE.match(text, start, end) is None
    return "\u4e00" <= first <= "\u9fff" and first not in _CHINESE_STARTS


def is_rule(text: str, start: int, end: int) -> bool:
    """Whether a line is a thematic break, which says nothing."""
    return _RULE.match(text, start, end) is not None


def indent_of(text: str, start: int, end: int) -> int:
    """Return the columns before the first visible character of a line."""
    lead = _LEAD.match(text, start, end)
    return 0 if lead is None else _columns(lead["indent"])


def read_item(text: str, start: int, end: int) -> Item | None:
    """Return the item that a line is, None for a line of text."""
    lead = _LEAD.match(text, start, end)
    if lead is None or lead.end() == end:
        return None
    if lead["heading"]:
        indent = _HEADING_INDENT + _HEADING_STEP * len(lead["heading"])
    else:
        indent = _columns(lead["indent"])
    return (
        _numbered(text, lead, end, indent)
        or _headed(text, lead, end, indent)
        or _unmarked(text, lead, end, indent)
    )


def _columns(blank: str) -> int:
    if not blank or (blank.isspace() and "\t" not in blank):
        return len(blank)
    return sum(_TAB if sign == "\t" else sign.isspace() or sign == ">" for sign in blank)


def _numbered(text: str, lead: re.Match[str], end: int, indent: int) -> Item | None:
    marker = read_marker(text, lead.end(), end)
    if marker is None or (lead["bullet"] and marker.style in _AMOUNTS):
        return None
    head = _head_after(text, marker.end, end, lead["bold"])
    start = lead.end("indent")
    return Item(start, head, marker.style, marker.source, indent, marker.number)


def _head_after(text: str, start: int, end: int, opened: str | None) -> Range:
    """Return the head after a marker, which may stand inside the bold span (`**1. A**`)."""
    if opened is None:
        return find_head(text, start, end)
    closing = text.find(opened[:2], start, end)
    if closing < 0:
        return find_head(text, start, end)
    if closing == start:
        return find_head(text, start + len(opened), end)
    return start, closing


def _headed(text: str, lead: re.Match[str], end: int, indent: int) -> Item | None:
    head_start = lead.start("bold") if lead["bold"] else lead.end()
    start = lead.end("indent")
    if lead["heading"]:
        head = find_head(text, head_start, end)
        return Item(start, head, "heading", RankSource.HEADING, indent)
    if lead["bullet"]:
        head = find_head(text, head_start, end)
        return Item(start, head, lead["bullet"], RankSource.BULLETED, indent)
    return None


def _unmarked(text: str, lead: re.Match[str], end: int, indent: int) -> Item | None:
    """Return the item of a line that only its bold lead or its emoji makes one."""
    start = lead.end("indent")
    emoji = _EMOJI_BULLET.match(text, lead.end(), end)
    if emoji is not None:
        head = _head_after(text, emoji.end(), end, lead["bold"])
        return Item(start, head, "emoji", RankSource.BULLETED, indent)
    if not lead["bold"]:
        return None
    closing = text.find(lead["bold"][:2], lead.end(), end)
    if closing < 0 or _AFTER_BOLD_ITEM.match(text, closing + len(lead["bold"]), end) is None:
        return None
    return Item(start, (lead.end(), closing), "bold", RankSource.BOLD, indent)
