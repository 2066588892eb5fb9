"""A brand's figures in a spreadsheet: whole, harmless, and in its tenant's own folder."""

import csv
from datetime import date
from pathlib import Path
from typing import Any

import openpyxl
import pyarrow as pa
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from brand_visibility.adapters.exports import Form, export_brand, exported_datasets, harmless
from brand_visibility.adapters.lake.files import Lake
from brand_visibility.adapters.lake.schemas import OUT_SHARE_OF_VOICE_DAILY
from brand_visibility.cli import cli
from brand_visibility.domain.errors import InputError

FIRST, SECOND, THIRD = (date(2026, 11, day) for day in (28, 29, 30))


def row(day: date, brand_id: str = "dyson", **changed: Any) -> dict[str, Any]:
    return {
        "plan_date": day,
        "tenant_id": "acme",
        "brand_id": brand_id,
        "topic_id": "vacuums",
        "platform_id": "gpt",
        "channel": "api",
        "answer_count": 7,
        "share_by_answers": 0.25,
        "mentioning_answer_count": 3,
        "share_by_counts": None,
    } | changed


@pytest.fixture
def lake(tmp_path: Path) -> Lake:
    lake = Lake(tmp_path / "lake")
    for day in (FIRST, SECOND, THIRD):
        rows = [row(day), row(day, "shark", tenant_id="other")]
        write(lake, day, rows)
    return lake


def write(lake: Lake, day: date, rows: list[dict[str, Any]]) -> None:
    schema = OUT_SHARE_OF_VOICE_DAILY.schema
    table = pa.Table.from_pylist(rows, schema=schema)
    lake.write(OUT_SHARE_OF_VOICE_DAILY, {"date": day.isoformat()}, table, name="all")


def texts(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def test_a_csv_holds_the_brands_rows_of_the_days_and_nobody_elses(
    lake: Lake, tmp_path: Path
) -> None:
    written = export_brand(lake, "dyson", FIRST, SECOND, tmp_path / "out", Form.CSV)

    (path,) = written.paths
    assert path.relative_to(tmp_path / "out").parts[:2] == ("tenant_id=acme", "brand_id=dyson")
    rows = texts(path)
    assert [(one["plan_date"], one["brand_id"]) for one in rows] == [
        ("2026-11-28", "dyson"),
        ("2026-11-29", "dyson"),
    ]
    assert (rows[0]["share_by_answers"], rows[0]["share_by_counts"]) == ("0.25", "")
    assert written.row_counts == {"out_share_of_voice_daily": 2}


def test_a_workbook_has_a_sheet_a_dataset_and_says_what_each_column_means(
    lake: Lake, tmp_path: Path
) -> None:
    written = export_brand(lake, "dyson", FIRST, THIRD, tmp_path / "out", Form.EXCEL)

    book = openpyxl.load_workbook(written.paths[0])
    assert book.sheetnames == ["columns", "share_of_voice_daily"]
    sheet = book["share_of_voice_daily"]
    header = [cell.value for cell in sheet[1]]
    values = dict(zip(header, (cell.value for cell in sheet[2]), strict=True))
    assert values["plan_date"].date() == FIRST
    assert (values["answer_count"], values["share_by_counts"]) == (7, None)
    meanings = {line[1].value: line[2].value for line in book["columns"].iter_rows(min_row=2)}
    assert set(header) == set(meanings)
    assert all(meanings.values())
    book.close()


FORMULAS = ["=1+1", "+1", "-1", "@x", "\t=1", "\r=1", "  =1", "\u00a0=1", "\u3000@x"]


@pytest.mark.parametrize("formula", FORMULAS)
@pytest.mark.parametrize("form", Form)
def test_no_cell_is_taken_for_a_formula(
    lake: Lake, tmp_path: Path, form: Form, formula: str
) -> None:
    write(lake, FIRST, [row(FIRST, topic_id=formula)])

    (path,) = export_brand(lake, "dyson", FIRST, FIRST, tmp_path / "out", form).paths

    if form is Form.CSV:
        assert texts(path)[0]["topic_id"] == f"'{formula}"
    else:
        book = openpyxl.load_workbook(path)
        cell = book["share_of_voice_daily"]["D2"]
        assert cell.data_type == "s"
        book.close()


@pytest.mark.parametrize("text", ["a=1", "1-2", "戴森", "", "'=1"])
def test_an_ordinary_text_stays_as_it_is(text: str) -> None:
    assert harmless(text) == text


@given(st.text())
def test_whatever_begins_like_a_formula_is_quoted_and_can_be_read_back(text: str) -> None:
    assert harmless(text).removeprefix("'") == text.removeprefix("'") or harmless(text) == text
    assert not harmless(text).lstrip(" \u00a0\u3000").startswith(("=", "+", "-", "@", "\t", "\r"))


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf")])
def test_a_figure_that_is_none_is_an_empty_cell(lake: Lake, tmp_path: Path, value: float) -> None:
    write(lake, FIRST, [row(FIRST, share_by_answers=value)])
    (path,) = export_brand(lake, "dyson", FIRST, FIRST, tmp_path / "out", Form.EXCEL).paths

    book = openpyxl.load_workbook(path)
    assert book["share_of_voice_daily"]["H2"].value is None
    book.close()


@pytest.mark.parametrize(
    ("brand_id", "first", "last", "message"),
    [
        ("nobody", FIRST, THIRD, "found no figures of brand 'nobody'"),
        ("dyson", THIRD, FIRST, "expected the earlier day first"),
        ("dyson", date(2020, 1, 1), date(2020, 1, 2), "found no figures"),
    ],
)
def test_an_export_of_nothing_is_an_error_and_leaves_no_file(
    lake: Lake, tmp_path: Path, brand_id: str, first: date, last: date, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        export_brand(lake, brand_id, first, last, tmp_path / "out", Form.CSV)
    assert not (tmp_path / "out").exists()


def test_the_command_says_what_it_wrote(lake: Lake, tmp_path: Path) -> None:
    options = ["--brand", "dyson", "--from", "2026-11-28", "--lake", str(tmp_path / "lake")]
    result = CliRunner().invoke(cli, ["export", *options, "--out", str(tmp_path / "out")])

    assert result.exit_code == 0
    assert "out_share_of_voice_daily: 1 rows" in result.output
    assert "tenant_id=acme/brand_id=dyson/out_share_of_voice_daily_2026-11-28" in result.output


def test_every_dataset_of_figures_about_a_brand_is_exported() -> None:
    names = {dataset.name for dataset in exported_datasets()}
    assert {"out_visibility_daily", "out_share_of_voice_daily"} <= names
