"""Whatever a file holds: every row lands or is a fault, and nothing raises."""

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from captures import PROMPT, capture, imported, take_in
from hypothesis import given, settings
from hypothesis import strategies as st

from brand_visibility.adapters.importing.rows import COLUMNS
from brand_visibility.adapters.lake.files import Lake

_anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)
_near_rows = st.builds(
    lambda changes: capture() | changes,
    st.dictionaries(st.sampled_from([*COLUMNS, "\x1b[2J"]), _anything, max_size=3),
)
_texts = st.text(min_size=1).filter(lambda text: text.strip())
_few = settings(max_examples=60, deadline=None)


@_few
@given(st.lists(_near_rows | _anything, min_size=1, max_size=5))
def test_every_json_row_lands_or_is_a_fault(rows: list[Any]) -> None:
    lines = "".join(f"{json.dumps(row)}\n" for row in rows).encode()

    _assert_every_row_is_accounted_for(lines, "app.jsonl", len(rows))


@_few
@given(st.binary(max_size=200), st.sampled_from(["app.csv", "app.jsonl"]))
def test_no_bytes_raise_anything_unexpected(content: bytes, name: str) -> None:
    _assert_every_row_is_accounted_for(b"text,prompt\n" + content, name, None)


@_few
@given(_texts)
def test_any_text_that_lands_is_stored_unchanged(text: str) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "app.jsonl"
        path.write_text(json.dumps(capture(text=text)) + "\n", "utf-8")
        lake = Lake(Path(folder) / "lake")
        report = take_in(lake, path)

        assert report.faults == ()
        assert [(row["prompt"], row["text"]) for row in imported(lake)] == [(PROMPT, text)]


def _assert_every_row_is_accounted_for(content: bytes, name: str, expected: int | None) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(content)
        report = take_in(Lake(Path(folder) / "lake"), path)

    landed = sum(one.new_count + one.same_count for one in report.landings)
    assert landed + report.bad_count == report.row_count
    assert expected in (None, report.row_count)
    assert all(str(fault.in_file(name)).isprintable() for fault in report.faults)
