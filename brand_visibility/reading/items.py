"""Items: one line of an answer as an item of a list, or not.

The model is by lines because CommonMark does not know `1、`, `（1）`, `①` or `TOP1`.
Which items make one list belongs to `lists`.
"""

import re
from typing import NamedTuple

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


class Item(NamedTuple):
    """One item: where it starts and its line ends, and what its list must share.

    Its text begins at `body`, behind the marker, inside a bold span where one is `opened`
    before the marker; see `head_of`. `indent` is in columns, negative for headings.
    `number` is the printed one. A style is the way a number is written, the sign of a
    bullet, or what else makes the line an item.
    """

    start: int
    end: int
    body: int
    opened: str | None
    style: str
    source: RankSource
    indent: int
    number: int | None = None


def head_of(text: str, item: Item) -> Range:
    """Return where an item's head stands. Sought only for items of lists that may rank."""
    _, end, body, opened, *_ = item
    if opened is None:
        return find_head(text, body, end)
    closing = text.find(opened[:2], body, end)
    if item.source is RankSource.BOLD or closing > body:
        return body, closing
    return find_head(text, body + len(opened) if closing == body else body, end)


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
    return _numbered(text, lead, end) or _headed(lead, end) or _unmarked(text, lead, end)


def _indent(lead: re.Match[str]) -> int:
    heading = lead["heading"]
    return _HEADING_INDENT + _HEADING_STEP * len(heading) if heading else _columns(lead["indent"])


def _columns(blank: str) -> int:
    if not blank or (blank.isspace() and "\t" not in blank):
        return len(blank)
    return sum(_TAB if sign == "\t" else sign.isspace() or sign == ">" for sign in blank)


def _numbered(text: str, lead: re.Match[str], end: int) -> Item | None:
    marker = read_marker(text, lead.end(), end)
    if marker is None or (lead["bullet"] and marker.style in _AMOUNTS):
        return None
    style, source, number, body = marker
    start = lead.end("indent")
    return Item(start, end, body, lead["bold"], style, source, _indent(lead), number)


def _headed(lead: re.Match[str], end: int) -> Item | None:
    body = lead.start("bold") if lead["bold"] else lead.end()
    start = lead.end("indent")
    if lead["heading"]:
        return Item(start, end, body, None, "heading", RankSource.HEADING, _indent(lead))
    if lead["bullet"]:
        return Item(start, end, body, None, lead["bullet"], RankSource.BULLETED, _indent(lead))
    return None


def _unmarked(text: str, lead: re.Match[str], end: int) -> Item | None:
    """Return the item of a line that only its bold lead or its emoji makes one."""
    start, bold = lead.end("indent"), lead["bold"]
    emoji = _EMOJI_BULLET.match(text, lead.end(), end)
    if emoji is not None:
        return Item(start, end, emoji.end(), bold, "emoji", RankSource.BULLETED, _indent(lead))
    if not bold:
        return None
    closing = text.find(bold[:2], lead.end(), end)
    if closing < 0 or _AFTER_BOLD_ITEM.match(text, closing + len(bold), end) is None:
        return None
    return Item(start, end, lead.end(), bold, "bold", RankSource.BOLD, _indent(lead))
