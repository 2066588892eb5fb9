import pytest
from hypothesis import given
from hypothesis import strategies as st

from brand_visibility.reading.offsets import rewrite

# "ab<b>c" without its tag, "½" written out: "abc1/2d".
_TEXT, _OFFSETS = rewrite("ab<b>c½d", [(2, 5, ""), (6, 7, "1/2")])


@pytest.mark.parametrize(
    ("start", "end", "source"),
    [
        (0, 2, (0, 2)),
        (0, 3, (0, 6)),
        (2, 3, (5, 6)),
        (3, 6, (6, 7)),
        (2, 7, (5, 8)),
        (6, 7, (7, 8)),
        # A part of what was written out has no place of its own.
        (3, 5, None),
        (4, 7, None),
        (2, 4, None),
    ],
)
def test_a_range_knows_where_it_came_from(
    start: int, end: int, source: tuple[int, int] | None
) -> None:
    assert _TEXT == "abc1/2d"
    assert _OFFSETS.source_range(start, end) == source


@given(
    st.lists(st.tuples(st.integers(0, 3), st.text("xy", max_size=3)), max_size=6),
    st.data(),
)
def test_a_range_comes_from_where_its_first_and_last_characters_come_from(
    parts: list[tuple[int, str]], data: st.DataObject
) -> None:
    # Places of 0 to 3 characters, one untouched character apart, become anything.
    edits, read = [], 0
    for length, replacement in parts:
        edits.append((read, read + length, replacement))
        read += length + 1
    text, offsets = rewrite("abcdefgh" * 4, edits)
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))

    first, last = offsets.origin(start), offsets.origin(end - 1)

    expected = (first.start, last.end) if first.is_first and last.is_last else None
    assert offsets.source_range(start, end) == expected
