"""Imported answers in mentions and figures, and the API's own figures beside them."""

from pathlib import Path
from typing import Any

import pytest
from captures import CATALOG, PARTITION, capture, json_file, stored_night, take_in

from brand_visibility.adapters.day_reports import read_day_report
from brand_visibility.adapters.figure_files import store_figures
from brand_visibility.adapters.figures import FIGURES
from brand_visibility.adapters.lake.files import Lake
from brand_visibility.adapters.lake.schemas import (
    CORE_MENTIONS,
    DATE,
    IMPORTED_ANSWERS,
    OUT_SHARE_OF_VOICE_DAILY,
    OUT_VISIBILITY_DAILY,
    Dataset,
)
from brand_visibility.adapters.stored_day import StoredDay
from brand_visibility.adapters.stored_reading import store_reading
from brand_visibility.domain.night import DayState
from brand_visibility.reading.gazetteer import build_gazetteer
from brand_visibility.reporting.page import render_day_page
from tests.builders import DAY

Row = dict[str, Any]

CAPTURES = [
    capture(text="Dyson, no doubt."),
    capture(text="Hard to say.", repeat=7),
    capture(prompt="Which vacuum number 1 is best?", text="Roborock and Dyson."),
    capture(prompt="Is Dyson any good?", text="Dyson is fine."),
]


@pytest.fixture
def lake(tmp_path: Path) -> Lake:
    return Lake(tmp_path / "lake")


def run_again(lake: Lake) -> None:
    """Read the day and make its figures, as the graph does."""
    store_reading(lake, PARTITION, build_gazetteer(CATALOG.brands, CATALOG.decoys))
    for figures_of_the_day in FIGURES:
        store_figures(lake, figures_of_the_day, DAY, DayState.PROVISIONAL)


def figures(lake: Lake, dataset: Dataset, channel: str) -> list[Row]:
    rows: list[Row] = lake.read(dataset, {DATE: DAY.isoformat()}).to_pylist()
    return [row for row in rows if row["channel"] == channel]


def figure_of(lake: Lake, dataset: Dataset, brand_id: str, **wanted: str) -> Row:
    (row,) = [
        row
        for row in figures(lake, dataset, "import")
        if row["brand_id"] == brand_id and row.items() >= wanted.items()
    ]
    return row


def test_an_import_changes_no_byte_of_what_the_api_gave(lake: Lake, tmp_path: Path) -> None:
    stored_night(lake)
    run_again(lake)
    before = {
        path: path.read_bytes()
        for dataset, partition in [
            (CORE_MENTIONS, PARTITION),
            *((one.dataset, {DATE: DAY.isoformat()}) for one in FIGURES),
        ]
        for path in lake.files(dataset, partition)
    }
    assert len(before) == 1 + len(FIGURES)

    take_in(lake, json_file(tmp_path, CAPTURES))
    run_again(lake)

    assert {path: path.read_bytes() for path in before} == before
    assert figures(lake, OUT_VISIBILITY_DAILY, "import")


def test_imported_answers_are_counted_under_their_channel(lake: Lake, tmp_path: Path) -> None:
    take_in(lake, json_file(tmp_path, CAPTURES))
    run_again(lake)

    row = figure_of(lake, OUT_VISIBILITY_DAILY, "dyson", question_kind="non_brand")
    # One of two answers to the first question, the only one to the second.
    assert (row["answer_count"], row["question_count"], row["mention_rate"]) == (3, 2, 0.75)
    voice = figure_of(lake, OUT_SHARE_OF_VOICE_DAILY, "dyson")
    assert (voice["answer_count"], voice["share_by_answers"]) == (2, 0.75)
    named = figure_of(lake, OUT_VISIBILITY_DAILY, "dyson", question_kind="brand")
    assert (named["answer_count"], named["mention_rate"]) == (1, 1.0)


def test_nobody_planned_an_import_so_its_coverage_is_unknown(lake: Lake, tmp_path: Path) -> None:
    stored_night(lake)
    take_in(lake, json_file(tmp_path, CAPTURES))
    run_again(lake)

    for row in figures(lake, OUT_VISIBILITY_DAILY, "import"):
        assert (row["planned_count"], row["coverage_rate"]) == (None, None)
    for row in figures(lake, OUT_VISIBILITY_DAILY, "api"):
        assert row["planned_count"] > 0


def test_figures_of_imports_that_were_taken_back_go_too(lake: Lake, tmp_path: Path) -> None:
    take_in(lake, json_file(tmp_path, CAPTURES))
    run_again(lake)
    lake.remove_others(IMPORTED_ANSWERS, PARTITION, frozenset())

    run_again(lake)

    assert figures(lake, OUT_VISIBILITY_DAILY, "import") == []
    assert lake.read(CORE_MENTIONS, PARTITION).num_rows == 0


def test_the_report_shows_imports_in_columns_and_a_section_of_their_own(
    lake: Lake, tmp_path: Path
) -> None:
    stored_night(lake)
    run_again(lake)
    before = read_day_report(StoredDay(lake, DAY), CATALOG).summary
    take_in(lake, json_file(tmp_path, CAPTURES))
    run_again(lake)

    report = read_day_report(StoredDay(lake, DAY), CATALOG)

    assert [column.label for column in report.summary.platforms] == [
        "deepseek",
        "deepseek (import)",
    ]
    assert report.summary.coverage == before.coverage
    assert [(one.answer_count, one.question_count) for one in report.summary.imports] == [(4, 3)]
    assert "What was imported" in render_day_page(report.summary)
    assert "What was imported" not in render_day_page(before)
    # Whatever came from an app, the simulator did not write it.
    assert [column.is_simulated for column in report.summary.platforms] == [True, False]
