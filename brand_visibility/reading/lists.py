"""Lists: which items of an answer belong together.

Items of one style and indent whose numbers grow are one list, and so are items that all
print the same number. A heading closes the lists of lines before it, an item the lists
that are deeper than itself. Text between numbered items does not part them, since
assistants write paragraphs there; between bullets it does, unless every item has some.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from brand_visibility.reading.code import find_fences
from brand_visibility.reading.item_markers import RankSource, is_plain
from brand_visibility.reading.items import Item, head_of, indent_of, is_rule, read_item
from brand_visibility.reading.tables import is_separator, read_rows
from brand_visibility.reading.view import Range

# " 9." and "10." of one list stand one column apart.
_SLACK = 1
# Too common at the beginning of a line of text to begin a list in its middle.
_FROM_THE_FIRST = frozenset({"bare", "section", "upper", "lower"})
# All that ends a line besides a line feed.
_ODD_LINE_END = re.compile("[\\r\\x0b\\x0c\\x1c-\\x1e\\x85\\u2028\\u2029]")
_PLAIN_NUMBERS = frozenset({RankSource.NUMBERED, RankSource.KEYCAP})


class ItemList:
    """The items of one list in the order of the text, at least one."""

    __slots__ = ("first", "is_loose", "items")

    def __init__(self, *items: Item) -> None:
        self.items = list(items)
        self.first = items[0]
        # Whether the items of a list without numbers have paragraphs between them.
        self.is_loose = False

    @property
    def is_descending(self) -> bool:
        """Whether the printed numbers go down."""
        return len(self.items) > 1 and _number(self.items[0]) > _number(self.items[1])

    def is_beside(self, item: Item) -> bool:
        """Whether an item stands at the indent of this list."""
        return abs(item.indent - self.first.indent) <= _SLACK

    def takes(self, item: Item) -> bool:
        """Whether an item beside this list continues it."""
        last = _number(self.items[-1])
        step = _number(item) - last
        if item.style != self.first.style:
            # After the three medals come plain numbers.
            is_medals = self.first.source is RankSource.MEDAL
            return is_medals and item.source in _PLAIN_NUMBERS and step == 1
        if step >= 0:
            is_restart = step == 1 and last == 1 and len(self.items) == 2
            return not self.is_descending or is_restart
        return step == -1 and (len(self.items) == 1 or self.is_descending)

    def add(self, item: Item) -> "ItemList":
        """Take an item, and return the list it is in.

        1, 1, 2 and 2, 1, 2 are the end of one list and the beginning of another.
        """
        numbers = self.items[0].number, self.items[-1].number, item.number
        if len(self.items) > 1 and numbers in {(1, 1, 2), (2, 1, 2)}:
            return ItemList(self.items.pop(), item)
        self.items.append(item)
        return self


def find_lists(text: str) -> list[ItemList]:
    """Return every list of an answer, by the place where it starts.

    Takes time in proportion to the text's length.
    """
    builder = _Builder(text)
    lines = list(_lines(text))
    headers = _table_headers(text, lines)
    index = 0
    while index < len(lines):
        if index not in headers:
            builder.add_line(*lines[index])
            index += 1
            continue
        end = _table_end(text, lines, index)
        builder.add_table(read_rows(text, lines[index], lines[index + 2 : end]))
        index = end
    return sorted(builder.lists, key=lambda found: found.first.start)


def may_rank(text: str, places: Iterable[int]) -> bool:
    """Whether two lines that hold one of these places, in order, could be items of a list.

    Much cheaper than finding the lists, which most answers with brands do not have.
    """
    if _ODD_LINE_END.search(text):
        return True
    possible = line_end = 0
    for place in places:
        # A line is looked at once, however many places it holds.
        if place < line_end:
            continue
        start = text.rfind("\n", line_end, place) + 1 or line_end
        line_end = text.find("\n", place)
        line_end = len(text) if line_end < 0 else line_end
        possible += not is_plain(text, start, line_end) or text.find("|", start, line_end) >= 0
        if possible > 1:
            return True
    return False


def _number(item: Item) -> int:
    return 0 if item.number is None else item.number


def _lines(text: str) -> Iterator[Range]:
    """Yield the places of the lines that are no code, without their ends."""
    fences = iter(_fences(text))
    fence = next(fences, None)
    start = 0
    for line in text.splitlines(keepends=True):
        end = start + len(line)
        while fence is not None and fence[1] <= start:
            fence = next(fences, None)
        if fence is None or end <= fence[0]:
            yield start, start + len(line.rstrip())
        start = end


def _fences(text: str) -> list[Range]:
    found: Mapping[int, int] = find_fences(text)
    return sorted(found.items())


def _table_headers(text: str, lines: Sequence[Range]) -> frozenset[int]:
    if "|" not in text:
        return frozenset()
    return frozenset(
        index - 1
        for index, line in enumerate(lines)
        if index and is_separator(text, *line) and _has_pipe(text, lines[index - 1])
    )


def _table_end(text: str, lines: Sequence[Range], header: int) -> int:
    end = header + 2
    while end < len(lines) and _has_pipe(text, lines[end]):
        end += 1
    return end


def _has_pipe(text: str, line: Range) -> bool:
    return text.find("|", *line) >= 0


class _Builder:
    """Puts lines into lists, in order. `_open` are the lists an item may still join.

    An item joins the nearest list that takes it; those opened after that one are closed.
    At one indent there is one open list of a style, so that looking through them takes
    bounded time.
    """

    def __init__(self, text: str) -> None:
        self.lists: list[ItemList] = []
        self._text = text
        self._open: list[ItemList] = []
        self._is_after_blank = False

    def add_line(self, start: int, end: int) -> None:
        if start == end:
            self._is_after_blank = True
            return
        if is_plain(self._text, start, end):
            self._read_text(start, end, indent=0)
        elif not is_rule(self._text, start, end):
            item = read_item(self._text, start, end)
            if item is None or not self._placed(item, end):
                self._read_text(start, end, indent_of(self._text, start, end))
        self._is_after_blank = False

    def add_table(self, rows: Sequence[Item]) -> None:
        if rows:
            self.lists.append(ItemList(*rows))
        self._is_after_blank = True

    def _placed(self, item: Item, end: int) -> bool:
        if item.source is RankSource.BOLD and self._is_title(item, end):
            self._close_bullets(item.indent)
        self._close_deeper(item)
        home = self._home(item)
        if home is not None:
            self._join(home, item)
            return True
        if item.style in _FROM_THE_FIRST and item.number != 1:
            return False
        self._begin(item)
        return True

    def _is_title(self, item: Item, end: int) -> bool:
        return not self._text[head_of(self._text, item)[1] : end].strip(" *_:：")

    def _close_deeper(self, item: Item) -> None:
        while self._open and self._open[-1].first.indent > item.indent + _SLACK:
            self._open.pop()

    def _beside(self, item: Item) -> Iterator[int]:
        """Yield the open lists at an item's indent, the last opened first.

        Bullets after a numbered item are its own, not those of a list before it.
        """
        for index in range(len(self._open) - 1, -1, -1):
            found = self._open[index]
            if not found.is_beside(item):
                return
            yield index
            if item.source is RankSource.BULLETED and found.first.number is not None:
                return

    def _home(self, item: Item) -> int | None:
        for index in self._beside(item):
            if self._open[index].takes(item):
                return index
        return None

    def _join(self, home: int, item: Item) -> None:
        above = self._open[home + 1 :] if item.source is RankSource.BOLD else ()
        joined = self._open[home].add(item)
        if joined is not self._open[home]:
            self.lists.append(joined)
        # A bold line between numbered items is often a subtitle of one of them.
        self._open[home:] = [joined, *(one for one in above if one.first.number is not None)]

    def _begin(self, item: Item) -> None:
        for index in self._beside(item):
            if self._open[index].first.style == item.style:
                del self._open[index:]
                break
        begun = ItemList(item)
        self.lists.append(begun)
        self._open.append(begun)

    def _read_text(self, start: int, end: int, indent: int) -> None:
        if self._text[end - 1] in ":：":
            self._close_bullets(indent)
        elif self._is_after_blank:
            self._part_bullets(indent)

    def _close_bullets(self, indent: int) -> None:
        while self._has_bullets(indent):
            self._open.pop()

    def _part_bullets(self, indent: int) -> None:
        while self._has_bullets(indent):
            bullets = self._open[-1]
            if bullets.is_loose or len(bullets.items) == 1:
                bullets.is_loose = True
                return
            self._open.pop()

    def _has_bullets(self, indent: int) -> bool:
        if not self._open:
            return False
        first = self._open[-1].first
        return first.source is RankSource.BULLETED and indent <= first.indent + _SLACK
