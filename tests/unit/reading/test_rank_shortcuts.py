"""The shortcuts past lines that cannot be items change nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from readers import assert_takes_linear_time

from brand_visibility.reading.item_markers import is_plain
from brand_visibility.reading.items import is_rule, read_item
from brand_visibility.reading.lists import may_rank

_LINES = st.text("abtTnrA.)、（1一第推#*-•|> 戴森：TOPtop①🥇\t", min_size=1, max_size=12) | st.text(
    min_size=1, max_size=12
)


@given(_LINES)
def test_a_line_that_begins_like_text_is_neither_item_nor_rule(line: str) -> None:
    line = line.splitlines()[0].rstrip() if line.splitlines() else ""
    if line and is_plain(line, 0, len(line)):
        assert read_item(line, 0, len(line)) is None
        assert not is_rule(line, 0, len(line))


@pytest.mark.parametrize(
    ("text", "is_possible"),
    [
        ("1. A\n2. A", True),
        ("- A\ntext A", False),
        ("text A\ntext A", False),
        ("- A A", False),
        ("x | A\n---|---\ny | A", True),
        ("text A\r1. A", True),
        ("A. A\nB. A", True),
        ("TOP1 A\nTOP2 A", True),
        ("第一名 A\n第二名 A", True),
        ("  A\n  A", True),
    ],
)
def test_lists_are_sought_only_where_two_lines_could_be_items(text: str, is_possible: bool) -> None:
    places = [index for index, character in enumerate(text) if character == "A"]
    assert may_rank(text, places[-2:]) is is_possible


def test_a_line_is_looked_at_once_however_many_brands_it_names() -> None:
    assert not may_rank("- " + "A" * 1_000, range(2, 1_002))
    assert_takes_linear_time(
        lambda text: may_rank(text, range(len(text))), "A" * 20_000, "A" * 200_000
    )
