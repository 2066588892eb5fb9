"""Which captured rows land, which do not, and what the lake holds afterwards."""

from concurrent.futures import ThreadPoolExecutor
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from captures import (
    CATALOG,
    NOON,
    PARTITION,
    PROMPT,
    another_question,
    capture,
    faults,
    imported,
    importer,
    json_file,
    stored_plan,
    take_in,
)

from brand_visibility.adapters.importing.importer import Defaults
from brand_visibility.adapters.lake.files import Lake
from brand_visibility.domain.planning import build_plan, identify
from tests.builders import DAY


@pytest.fixture
def lake(tmp_path: Path) -> Lake:
    return Lake(tmp_path / "lake")


def test_a_good_row_lands_with_everything_that_was_captured(lake: Lake, tmp_path: Path) -> None:
    row = capture(
        captured_at="2026-11-30T09:15:00+08:00",
        sources=[{"url": "https://a.example", "title": "A"}],
        searched=True,
        captured_by="Li",
        app_version="7.1",
        model="deep",
    )

    take_in(lake, json_file(tmp_path, [row]))

    (stored,) = imported(lake)
    assert {task["brand_id"] for task in stored.pop("tasks")} == {"dyson", "roborock"}
    (source,) = stored.pop("sources")
    assert source.items() >= {"position": 1, "url": "https://a.example", "title": "A"}.items()
    assert stored == {
        "plan_date": DAY,
        "query_id": identify(DAY, "deepseek", "import", PROMPT, 0),
        "platform_id": "deepseek",
        "channel": "import",
        "prompt_id": identify(PROMPT),
        "prompt": PROMPT,
        "repeat": 0,
        "text": "Dyson.",
        "model": "deep",
        "search": "searched",
        "captured_at": NOON.replace(hour=1, minute=15),
        "captured_by": "Li",
        "app_version": "7.1",
        "catalog_version": CATALOG.version,
        "source_file": "app.jsonl",
        "source_line": 1,
        "imported_at": NOON,
    }


def test_an_imported_answer_never_shares_the_identity_of_an_asked_one(
    lake: Lake, tmp_path: Path
) -> None:
    take_in(lake, json_file(tmp_path, [capture()]))

    plan = build_plan(CATALOG, plan_date=DAY, platform_id="deepseek")
    asked = {query.query_id for query in plan.queries}
    assert asked.isdisjoint({row["query_id"] for row in imported(lake)})


@pytest.mark.parametrize(
    ("searched", "evidence"), [(True, "searched"), (False, "not_searched"), (None, "unknown")]
)
def test_whether_the_app_searched_is_known_only_when_the_row_says_so(
    lake: Lake, tmp_path: Path, searched: object, evidence: str
) -> None:
    take_in(lake, json_file(tmp_path, [capture(searched=searched)]))

    assert [row["search"] for row in imported(lake)] == [evidence]


def test_good_rows_land_beside_bad_ones(lake: Lake, tmp_path: Path) -> None:
    rows = [capture(), capture(text=""), "{", capture(repeat=1), capture(prompt="Else?")]

    report = take_in(lake, json_file(tmp_path, rows))

    assert faults(report) == [(2, "text"), (3, ""), (5, "prompt")]
    assert (report.row_count, report.bad_count) == (5, 3)
    assert [row["source_line"] for row in imported(lake)] == [1, 4]


@pytest.mark.parametrize(
    ("changes", "field", "expected"),
    [
        ({"prompt": "Which is best?"}, "prompt", "the exact text of a question"),
        ({"prompt": None}, "prompt", "prompt or question_id"),
        ({"platform_id": "doubao"}, "platform_id", "a platform of the catalog: deepseek, kimi"),
        ({"platform_id": None}, "platform_id", "or --platform"),
        ({"date": None}, "date", "or --date"),
        ({"date": "2026-12-01"}, "date", "a day from 2026-11-01 to 2026-11-30"),
        ({"date": "2026-10-31"}, "date", "a day from 2026-11-01 to 2026-11-30"),
        ({"captured_at": "2026-11-29T23:59:59+08:00"}, "captured_at", "2026-11-30"),
        ({"captured_at": "2026-11-30T16:00:00Z"}, "captured_at", "2026-11-30"),
        ({"prompt": None, "question_id": "q9"}, "question_id", "a question that the catalog asks"),
        ({"prompt": None, "question_id": "qb"}, "brand_id", "its text depends on it"),
        ({"prompt": None, "question_id": "qb", "brand_id": "x"}, "brand_id", "the id of a brand"),
        ({"question_id": "q1"}, "question_id", "the question_id that the prompt is asked for"),
        ({"brand_id": "x"}, "brand_id", "the brand_id that the prompt is asked for"),
    ],
)
def test_a_row_that_fits_no_question_of_the_day_does_not_land(
    lake: Lake, tmp_path: Path, changes: dict[str, Any], field: str, expected: str
) -> None:
    report = take_in(lake, json_file(tmp_path, [capture(**changes)]))

    assert faults(report) == [(1, field)]
    assert expected in report.faults[0].expected
    assert imported(lake) == []


@pytest.mark.parametrize(
    ("changes", "prompt"),
    [
        ({"prompt": f"  {PROMPT}\n"}, PROMPT),
        ({"prompt": None, "question_id": "q0"}, PROMPT),
        ({"prompt": None, "question_id": "q0", "brand_id": "dyson"}, PROMPT),
        ({"prompt": None, "question_id": "qb", "brand_id": "dyson"}, "Is Dyson any good?"),
        # Only one of the brands has a competitor, so there is only one such text.
        ({"prompt": None, "question_id": "qc"}, "Dyson or Roborock?"),
        ({"question_id": "q0", "brand_id": "roborock"}, PROMPT),
    ],
)
def test_a_row_is_matched_by_its_text_or_by_its_question(
    lake: Lake, tmp_path: Path, changes: dict[str, Any], prompt: str
) -> None:
    take_in(lake, json_file(tmp_path, [capture(**changes)]))

    assert [row["prompt"] for row in imported(lake)] == [prompt]


def test_the_days_frozen_plan_decides_and_not_the_catalog_of_today(
    lake: Lake, tmp_path: Path
) -> None:
    stored_plan(lake)
    changed = another_question("What now?")
    path = json_file(tmp_path, [capture(), capture(prompt="What now?")])

    report = take_in(lake, path, catalog=changed)

    assert faults(report) == [(2, "prompt")]
    assert [row["catalog_version"] for row in imported(lake)] == [CATALOG.version]


def test_a_day_without_a_plan_takes_what_the_catalog_asks(lake: Lake, tmp_path: Path) -> None:
    changed = another_question("What now?")

    report = take_in(lake, json_file(tmp_path, [capture(prompt="What now?")]), catalog=changed)

    assert report.faults == ()
    assert [row["catalog_version"] for row in imported(lake)] == [changed.version]


def test_options_hold_for_the_rows_that_say_nothing(lake: Lake, tmp_path: Path) -> None:
    rows = [capture(platform_id=None, date=None), capture(date=None, platform_id="kimi")]

    take_in(lake, json_file(tmp_path, rows), platform_id="deepseek", plan_date=DAY)

    assert len(imported(lake)) == 1
    assert len(imported(lake, {**PARTITION, "platform": "kimi"})) == 1


def test_the_moment_of_the_capture_names_the_local_day_when_nothing_else_does(
    lake: Lake, tmp_path: Path
) -> None:
    row = capture(date=None, captured_at="2026-11-29T16:00:00Z")

    take_in(lake, json_file(tmp_path, [row]))

    assert [row["plan_date"] for row in imported(lake)] == [date(2026, 11, 30)]


def test_the_same_file_lands_once(lake: Lake, tmp_path: Path) -> None:
    path = json_file(tmp_path, [capture(), capture(repeat=1)])
    first = take_in(lake, path)
    before = imported(lake)

    (again,) = take_in(lake, path).landings

    assert (first.landings[0].new_count, again.new_count, again.same_count) == (2, 0, 2)
    assert not again.has_changed
    assert imported(lake) == before


@pytest.mark.parametrize("is_one_file", [True, False])
def test_another_text_for_the_same_question_does_not_land(
    lake: Lake, tmp_path: Path, *, is_one_file: bool
) -> None:
    if is_one_file:
        report = take_in(lake, json_file(tmp_path, [capture(), capture(text="Else.")]))
    else:
        take_in(lake, json_file(tmp_path, [capture()]))
        report = take_in(lake, json_file(tmp_path, ["", capture(text="Else.")], "other.jsonl"))

    assert faults(report) == [(2, "text")]
    assert "--replace" in report.faults[0].expected
    assert [row["text"] for row in imported(lake)] == ["Dyson."]


def test_another_text_replaces_the_first_when_that_is_asked_for(lake: Lake, tmp_path: Path) -> None:
    take_in(lake, json_file(tmp_path, [capture(), capture(repeat=1)]))

    report = take_in(lake, json_file(tmp_path, [capture(text="Else.")]), replace=True)

    assert report.faults == ()
    assert [(one.new_count, one.replaced_count) for one in report.landings] == [(0, 1)]
    assert sorted(row["text"] for row in imported(lake)) == ["Dyson.", "Else."]


def test_imports_at_the_same_time_lose_no_row(lake: Lake, tmp_path: Path) -> None:
    paths = [
        json_file(tmp_path, [capture(repeat=repeat)], f"{repeat}.jsonl") for repeat in range(12)
    ]

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda path: importer(lake).take_in(path, Defaults()), paths))

    assert sorted(row["repeat"] for row in imported(lake)) == list(range(12))


def test_a_lake_that_cannot_be_written_keeps_what_it_had(lake: Lake, tmp_path: Path) -> None:
    take_in(lake, json_file(tmp_path, [capture()]))
    before = imported(lake)
    blocked = tmp_path / "lake" / "imported_answers" / "date=2026-11-30" / "platform=kimi"
    blocked.write_text("a file where a folder is wanted")

    with pytest.raises(OSError, match="platform=kimi"):
        take_in(lake, json_file(tmp_path, [capture(platform_id="kimi")], "more.jsonl"))

    assert imported(lake) == before
