"""What a captured row must look like, and how the answer says so."""

from datetime import UTC, date, datetime
from typing import Any

import pytest
from captures import capture
from pydantic import ValidationError

from brand_visibility.adapters.importing.faults import RowFault, faults_of
from brand_visibility.adapters.importing.rows import LONGEST_TEXT_BYTES, ImportRow


def row_of(**changes: Any) -> ImportRow:
    return ImportRow.model_validate(capture(**changes))


def faults_in(**changes: Any) -> list[RowFault]:
    with pytest.raises(ValidationError) as caught:
        row_of(**changes)
    return faults_of(7, caught.value)


@pytest.mark.parametrize(
    ("field", "written", "read"),
    [
        ("date", "2026-11-30", date(2026, 11, 30)),
        ("date", date(2026, 11, 30), date(2026, 11, 30)),
        ("captured_at", "2026-11-30T09:15:00+08:00", datetime(2026, 11, 30, 1, 15, tzinfo=UTC)),
        ("captured_at", "2026-11-30 01:15Z", datetime(2026, 11, 30, 1, 15, tzinfo=UTC)),
        ("prompt", "  Which?\n", "Which?"),
        ("repeat", "2", 2),
        ("repeat", 2.0, 2),
        ("repeat", 9_999, 9_999),
        ("searched", "TRUE", True),
        ("searched", "false", False),
        ("searched", False, False),
        ("model", " 深度思考 ", "深度思考"),
    ],
)
def test_a_value_is_read_as_every_kind_of_file_writes_it(
    field: str, written: object, read: object
) -> None:
    assert getattr(row_of(**{field: written}), field) == read


@pytest.mark.parametrize(
    "text",
    [
        "=cmd|' /C calc'!A0",
        '=HYPERLINK("https://evil.example","x")',
        "+1",
        "@SUM(A1)",
        "bell\x07, escape\x1b[31m, nul\x00 and return\r",
        "  kept as it is\n\n",
        "a" * LONGEST_TEXT_BYTES,
    ],
    ids=["command", "formula", "plus", "at", "controls", "blanks", "longest"],
)
def test_an_answer_is_kept_as_it_is(text: str) -> None:
    assert row_of(text=text).text == text


@pytest.mark.parametrize(
    "written",
    [
        "https://a.example/1 http://b.example/2",
        "https://a.example/1\nhttp://b.example/2",
        '["https://a.example/1", "http://b.example/2"]',
        ["https://a.example/1", {"url": "http://b.example/2", "title": None}],
        [{"url": "https://a.example/1"}, {"url": "http://b.example/2"}],
    ],
)
def test_sources_are_read_from_a_list_or_from_a_cell(written: object) -> None:
    found = [source.url for source in row_of(sources=written).sources]

    assert found == ["https://a.example/1", "http://b.example/2"]


@pytest.mark.parametrize(
    ("changes", "field", "expected"),
    [
        ({"text": None}, "text", "the field 'text'"),
        ({"text": " \n"}, "text", "not empty"),
        ({"text": 5}, "text", "text (in quotes"),
        ({"text": "half \ud800"}, "text", "valid Unicode"),
        ({"text": "a" * (LONGEST_TEXT_BYTES + 1)}, "text", "at most 8,388,608 bytes"),
        ({"text": "好" * (LONGEST_TEXT_BYTES // 3 + 1)}, "text", "at most 8,388,608 bytes"),
        ({"date": "30.11.2026"}, "date", "a date such as"),
        ({"date": "20261130"}, "date", "a date such as"),
        ({"date": "2026-02-30"}, "date", "a date such as"),
        ({"date": datetime(2026, 11, 30)}, "date", "without a time of day"),  # noqa: DTZ001
        ({"date": 20_261_130}, "date", "date"),
        ({"captured_at": "2026-11-30T09:15:00"}, "captured_at", "its offset from UTC"),
        ({"captured_at": "yesterday"}, "captured_at", "its offset from UTC"),
        ({"captured_at": "0001-01-01T00:00:00+08:00"}, "captured_at", "its offset from UTC"),
        ({"captured_at": 1_764_000_000}, "captured_at", "its offset from UTC"),
        ({"platform_id": "Deep Seek"}, "platform_id", "an id of 1 to 64"),
        ({"platform_id": "../up"}, "platform_id", "an id of 1 to 64"),
        ({"repeat": -1}, "repeat", "0 or more"),
        ({"repeat": 10_000}, "repeat", "9999 or less"),
        ({"repeat": "1.5"}, "repeat", "a whole number"),
        ({"repeat": True}, "repeat", "a whole number"),
        ({"searched": "yes"}, "searched", "true or false"),
        ({"searched": 1}, "searched", "true or false"),
        ({"model": "\x1b[2J"}, "model", "without control characters"),
        ({"app_version": "v" * 201}, "app_version", "200"),
        ({"sources": "[not json"}, "sources", "a list of web addresses"),
        ({"sources": {"url": "https://a.example"}}, "sources", "a list of web addresses"),
        ({"sources": ["https://a.example"] * 1_001}, "sources", "at most 1,000"),
        ({"sources": ["javascript:alert(1)"]}, "sources[0].url", "a web address"),
        ({"sources": ["https://a.example", {}]}, "sources[1].url", "the field 'url'"),
        ({"txt": "a typing error"}, "", "one of the fields platform_id, date"),
    ],
)
def test_what_is_wrong_names_the_field_and_what_is_expected(
    changes: dict[str, object], field: str, expected: str
) -> None:
    (fault,) = faults_in(**changes)

    assert (fault.line, fault.field) == (7, field)
    assert expected in fault.expected


def test_every_field_that_is_wrong_is_said_at_once() -> None:
    found = faults_in(date="soon", repeat="many", searched="maybe")

    assert {fault.field for fault in found} == {"date", "repeat", "searched"}


def test_a_fault_shows_the_length_of_an_answer_and_never_the_answer() -> None:
    (fault,) = faults_in(text="my secret \ud800")

    assert fault.found == "a text of 11 characters"


def test_a_fault_shows_strange_characters_as_escapes() -> None:
    found = faults_in(date="\x1b[2J", **{"\x1b[31mfield": "x"})

    assert [fault.in_file("app.csv").place for fault in found] == ["line 7, date", "line 7"]
    assert all(str(fault.in_file("app.csv")).isprintable() for fault in found)
