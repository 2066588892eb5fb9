"""Tables: rows as items of a list.

A row's head is its cell in the column of names; what a column of ranks prints is the
row's number. In a table whose brands are columns no head holds a brand.
"""

import re
from collections.abc import Sequence

from brand_visibility.reading.item_markers import BLANK, RankSource, read_marker, read_number
from brand_visibility.reading.items import Item
from brand_visibility.reading.view import Range

_SEPARATOR = re.compile(
    rf"[{BLANK}>]*+\|?[{BLANK}]*+:?-+:?[{BLANK}]*+(?:\|[{BLANK}]*+:?-+:?[{BLANK}]*+)*+\|?[{BLANK}\r]*+$"
)
_PIPE = re.compile(r"(?<!\\)\|")
_RANKS = re.compile(
    r"(?i:排名|名次|排行|排序|位次|序号|编号|#|№|no\.?|nr\.?|rank(?:ing)?|position|place)"
)
_NAMES = re.compile(
    r"(?i:.{0,6}(?:品牌|产品|名称|型号|公司|厂商|厂家|车型|机型|平台|工具|软件|应用)(?:名称|型号)?"
    r"|(?:[a-z]{1,12} )?(?:brand|product|name|company|model|vendor|tool|platform|software|provider"
    r"|app|service|manufacturer)s?(?: name)?)"
)


def is_separator(text: str, start: int, end: int) -> bool:
    """Whether a line is the one that stands under the head of a table."""
    return _SEPARATOR.match(text, start, end) is not None and text.find("|", start, end) >= 0


def read_rows(text: str, header: Range, rows: Sequence[Range]) -> list[Item]:
    """Return the rows of a table as items. Lines are given by their places."""
    titles = [text[start:end].strip(" \t*_") for start, end in _cells(text, *header)]
    cells = [_cells(text, *row) for row in rows]
    ranks = _rank_column(text, titles, cells)
    names = _name_column(titles, ranks)
    return [
        _row_item(text, row, ranks, names)
        for row in cells
        if names < len(row) and row[names][0] < row[names][1]
    ]


def _cells(text: str, start: int, end: int) -> list[Range]:
    pipes = [found.start() for found in _PIPE.finditer(text, start, end)]
    bounds = [start - 1, *pipes, end]
    cells = [_trim(text, bounds[i] + 1, bounds[i + 1]) for i in range(len(bounds) - 1)]
    if pipes and not text[start : pipes[0]].strip(" \t>"):
        cells = cells[1:]
    return cells


def _trim(text: str, start: int, end: int) -> Range:
    while start < end and text[start].isspace():
        start += 1
    while start < end and text[end - 1].isspace():
        end -= 1
    return start, end


def _rank_column(text: str, titles: Sequence[str], rows: Sequence[Sequence[Range]]) -> int | None:
    for column, title in enumerate(titles):
        if _RANKS.fullmatch(title):
            return column
    # A first column without a title that holds nothing but numbers is one, too.
    if titles and not titles[0] and all(row and read_number(text, *row[0]) for row in rows):
        return 0
    return None


def _name_column(titles: Sequence[str], ranks: int | None) -> int:
    for column, title in enumerate(titles):
        if _NAMES.fullmatch(title):
            return column
    return 1 if ranks == 0 else 0


def _row_item(text: str, row: Sequence[Range], ranks: int | None, names: int) -> Item:
    start, end = row[names]
    number = None
    if ranks is not None and ranks < len(row):
        number = read_number(text, *row[ranks])
    marker = read_marker(text, start, end) if number is None else None
    if marker is not None and marker.style != "bare":
        start, number = marker.end, marker.number
    return Item(row[0][0], end, start, None, "table", RankSource.TABLE, 0, number)
