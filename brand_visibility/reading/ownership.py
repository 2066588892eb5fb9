"""Ownership: whose a line is when it names nobody.

The body of an item or section belongs to the brand in its head, and a list that is
introduced with a verdict ("not recommended:") passes it on to its heads.
"""

import re

from brand_visibility.reading.clauses import Group, Line

_HEADING = re.compile(r"[ >]{0,9}#{1,6} +")
_ITEM = re.compile(
    r"([ >]*)(?:#{1,6} +)?(?:[-*+•·‣▪●○] +)?"
    r"(?:[-*+•·‣▪●○] +|\d{1,3}(?:\.(?!\d)|[、):])|\(\d{1,3}\)|[一二三四五六七八九十]{1,3}[、.]"
    r"|[①-⑳❶-❿]|top ?\d{1,3}\b|[🥇🥈🥉]|\|) *"
)
_HEAD_END = re.compile(r"[:(,。;!?|]|--| - |\.(?= |$)")
_SUMMARY = re.compile(
    r"总之|总结|总的来说|总体|综上|综合|整体来看|最后|overall|in summary|in conclusion|to sum up"
    r"|ultimately|finally|remember|keep in mind|希望|如果你|如果您|i hope|if you"
)
# What parts a head from its body, unlike the stops of a sentence.
_INTRODUCING = (":", " ", "-")
_UNDER_ALL = -1


def _begins_plainly(first: str) -> bool:
    """Whether no item and no heading begins with this character: few lines begin with one."""
    if first.isascii():
        return first.isalpha() and first != "t"
    return "\u4e00" <= first <= "\u9fff" and first not in "一二三四五六七八九十"


class Ownership:
    """The owners of a text's lines, which are entered in their order."""

    def __init__(self) -> None:
        self._owners: list[tuple[int, Group | None]] = []
        self.is_head = False
        self.is_foreign = False

    def enter(self, line: Line) -> Group | None:
        """Return the group that the line belongs to.

        `is_head` says that it stands in the line's head, `is_foreign` that the head
        names something else: what the body goes on about is no brand.
        """
        self.is_head = self.is_foreign = False
        if _begins_plainly(line.text[line.start]):
            self._enter_plain(line)
        else:
            self._enter_marked(line)
        return self._owners[-1][1] if self._owners else None

    def _enter_marked(self, line: Line) -> None:
        item = _ITEM.match(line.text, line.start, line.end)
        heading = _HEADING.match(line.text, line.start, line.end)
        if heading is not None:
            self._enter_head(line, (item or heading).end(), _UNDER_ALL)
        elif item is not None:
            self._enter_head(line, item.end(), len(item[1]))
        else:
            self._enter_plain(line)

    @property
    def is_listing(self) -> bool:
        """Whether the last line was a heading, an item or belongs to one."""
        return bool(self._owners)

    def _enter_head(self, line: Line, head_start: int, indent: int) -> None:
        while self._owners and self._owners[-1][0] >= indent:
            self._owners.pop()
        if not line.groups and not self._owners:
            self._owners.append((indent, None))
            return
        stop = _HEAD_END.search(line.text, head_start, line.end)
        head_end = line.end if stop is None else stop.start()
        inside = [group for group in line.groups if group.start < head_end]
        head = inside[0] if len(inside) == 1 else None
        self.is_head = head is not None
        self.is_foreign = not inside and line.text[head_end : head_end + 1] in _INTRODUCING
        if head is not None or not self._owners:
            self._owners.append((indent, head))

    def _enter_plain(self, line: Line) -> None:
        if not self._owners:
            return
        if _SUMMARY.match(line.text, line.start, line.end):
            self._owners.clear()
        elif line.is_after_blank and line.text[line.start] != " ":
            while self._owners and self._owners[-1][0] > _UNDER_ALL:
                self._owners.pop()
