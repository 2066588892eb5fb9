"""Zones: the part of the answer's layout that a mention stands in.

Positions in lists are a matter of ranks; here only what is a head and what is not.
"""

import re
from bisect import bisect_right

from brand_visibility.reading.mentions import Zone
from brand_visibility.reading.page import Page

_HEADING = re.compile(r"[ \t>]{0,9}#{1,6}[ \t]")
_TABLE_ROW = re.compile(r"[ \t>]{0,9}\|")
_ITEM = re.compile(
    r"[ \t>]*(?:[-*+•·‣▪●○][ \t]+)?"
    r"(?:[-*+•·‣▪●○][ \t]+|(?:\*\*|__)?(?:\d{1,3}(?:[.．](?!\d)|[、)）:：])|[（(]\d{1,3}[)）]"
    r"|[一二三四五六七八九十]{1,3}[、.．]|[①-⑳❶-❿⓵-⓾㈠-㈩]|(?:TOP|Top|No\.)[ \t]?\d{1,3}\b[.:：、]?"
    r"|[🥇🥈🥉]|\d\ufe0f?\u20e3)[ \t]*)"
)
_BOLD = re.compile(r"(\*\*|__)(?=\S)")
_HEAD_END = re.compile(r"[：:（(，。；！？!?;]|——?| [-–] |[,.](?=\s|$)")


class ZoneFinder:
    """Zones of ascending positions of one page. Each line is looked at once."""

    def __init__(self, page: Page) -> None:
        self._text = page.raw
        self._links = page.view.links
        self._line_end = -1
        self._head_start = self._head_end = 0
        self._line_zone = Zone.TEXT

    def zone(self, start: int) -> Zone:
        """Return the zone at a raw position, the innermost where several hold."""
        index = bisect_right(self._links, (start, len(self._text))) - 1
        if index >= 0 and start < self._links[index][1]:
            return Zone.LINK_TEXT
        if start > self._line_end:
            self._enter_line(start)
        if self._head_start <= start < self._head_end:
            return self._line_zone
        return Zone.TEXT

    def _enter_line(self, position: int) -> None:
        begin = self._text.rfind("\n", self._line_end + 1, position) + 1
        if begin == 0:
            begin = self._line_end + 1
        end = self._text.find("\n", position)
        self._line_end = len(self._text) if end < 0 else end
        self._head_start, self._head_end = begin, self._line_end
        if _HEADING.match(self._text, begin, self._line_end):
            self._line_zone = Zone.HEADING
        elif _TABLE_ROW.match(self._text, begin, self._line_end):
            self._line_zone = Zone.TABLE_CELL
        else:
            self._line_zone = Zone.LIST_HEAD
            self._head_end = self._item_head_end(begin)

    def _item_head_end(self, begin: int) -> int:
        """Return where an item's head ends; the line's begin when it is no item."""
        marker = _ITEM.match(self._text, begin, self._line_end)
        if marker is None:
            return begin
        bold = _BOLD.match(self._text, marker.end(), self._line_end)
        if bold is not None:
            closing = self._text.find(bold[1], bold.end(), self._line_end)
            return self._line_end if closing < 0 else closing
        stop = _HEAD_END.search(self._text, marker.end(), self._line_end)
        return self._line_end if stop is None else stop.start()
