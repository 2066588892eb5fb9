"""A brand's figures for people who work in spreadsheets: CSV files or one Excel workbook.

Folders begin with the tenant, so that access can be given by folder. The lake itself stays
as it is; how its datasets are read belongs to `lake`.
"""

import csv
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from enum import StrEnum
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from brand_visibility.adapters.lake.files import Lake
from brand_visibility.adapters.lake.schemas import DATASETS, DATE, Dataset
from brand_visibility.adapters.whole_files import whole_file
from brand_visibility.domain.errors import InputError

# What a spreadsheet takes for the beginning of a formula, also behind blanks.
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")
_BLANKS = " \u00a0\u3000"

# Excel's own limits.
_LONGEST_SHEET_NAME = 31
_LONGEST_CELL = 32_767
_MOST_ROWS = 1_048_575


class Form(StrEnum):
    """What an export is written as."""

    CSV = "csv"
    EXCEL = "xlsx"


@dataclass(frozen=True, slots=True)
class Export:
    """What was written: the files, and how many rows of each dataset."""

    paths: tuple[Path, ...]
    row_counts: Mapping[str, int]


def exported_datasets() -> tuple[Dataset, ...]:
    """Return the datasets of figures that speak of one brand."""
    return tuple(
        dataset
        for dataset in DATASETS
        if dataset.name.startswith("out_")
        and {"tenant_id", "brand_id"} <= set(dataset.schema.names)
        and dataset.partition_keys == (DATE,)
    )


def export_brand(
    lake: Lake, brand_id: str, first: date, last: date, folder: Path, form: Form
) -> Export:
    """Write a brand's figures of some days below a folder.

    Raises InputError when the days are the wrong way round, when there is nothing of the
    brand in them, or when a dataset has more rows than a sheet of Excel.
    """
    if first > last:
        raise InputError(f"export: found {first} to {last}; expected the earlier day first")
    tables = {
        dataset.name: _read(lake, dataset, brand_id, first, last) for dataset in exported_datasets()
    }
    found = {name: table for name, table in tables.items() if table.num_rows}
    if not found:
        raise InputError(
            f"export: found no figures of brand {brand_id!r} from {first} to {last};"
            " expected the brand_id of a day that has figures"
        )
    tenant_id = next(iter(found.values()))["tenant_id"][0].as_py()
    place = folder / f"tenant_id={tenant_id}" / f"brand_id={brand_id}"
    place.mkdir(parents=True, exist_ok=True)
    write = _write_workbook if form is Form.EXCEL else _write_texts
    paths = write(place, f"{first}_{last}", found)
    return Export(tuple(paths), {name: table.num_rows for name, table in found.items()})


def _read(lake: Lake, dataset: Dataset, brand_id: str, first: date, last: date) -> pa.Table:
    tables = [
        lake.read(dataset, {DATE: day.isoformat()}).filter(pc.field("brand_id") == brand_id)
        for day in _days(first, last)
    ]
    return pa.concat_tables(tables)


def _days(first: date, last: date) -> Iterator[date]:
    for number in range((last - first).days + 1):
        yield first + timedelta(days=number)


def _write_texts(place: Path, span: str, tables: Mapping[str, pa.Table]) -> list[Path]:
    paths = []
    for name, table in tables.items():
        path = place / f"{name}_{span}.csv"
        # The mark at the beginning is how Excel knows that the rest is UTF-8.
        with (
            whole_file(path) as temporary,
            temporary.open("w", encoding="utf-8-sig", newline="") as file,
        ):
            writer = csv.writer(file)
            writer.writerow(table.column_names)
            writer.writerows(_rows(table))
        paths.append(path)
    return paths


def _rows(table: pa.Table) -> Iterator[list[object]]:
    for row in table.to_pylist():
        yield [
            harmless(value) if isinstance(value, str) else _plain(value) for value in row.values()
        ]


def harmless(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula."""
    return f"'{text}" if text.lstrip(_BLANKS).startswith(_FORMULA_STARTS) else text


def _plain(value: Any) -> object:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | dict):
        return harmless(str(value))
    return "" if value is None else value


def _write_workbook(place: Path, span: str, tables: Mapping[str, pa.Table]) -> list[Path]:
    # Slow to import, and nobody but an export of this form needs it.
    import xlsxwriter

    path = place / f"{span}.xlsx"
    with whole_file(path) as temporary:
        book = xlsxwriter.Workbook(
            str(temporary),
            {
                "constant_memory": True,
                "default_date_format": "yyyy-mm-dd",
                "strings_to_formulas": False,
                "strings_to_urls": False,
                "remove_timezone": True,
            },
        )
        with book:
            _write_guide(book, tables)
            for name, table in tables.items():
                _write_sheet(book, name, table)
    return [path]


def _write_guide(book: Any, tables: Mapping[str, pa.Table]) -> None:
    """Write the sheet that says what each column means."""
    sheet = book.add_worksheet("columns")
    rows = [("dataset", "column", "meaning")]
    for name, table in tables.items():
        rows += [(name, field.name, _meaning(field)) for field in table.schema]
    for number, row in enumerate(rows):
        sheet.write_row(number, 0, row)


def _meaning(field: pa.Field) -> str:
    described: bytes = (field.metadata or {}).get(b"description", b"")
    return described.decode()


def _write_sheet(book: Any, name: str, table: pa.Table) -> None:
    if table.num_rows > _MOST_ROWS:
        raise InputError(
            f"export: found {table.num_rows:,} rows of {name}; expected at most {_MOST_ROWS:,},"
            " as a sheet of Excel holds: export fewer days, or as csv"
        )
    sheet = book.add_worksheet(name.removeprefix("out_")[:_LONGEST_SHEET_NAME])
    sheet.freeze_panes(1, 0)
    sheet.write_row(0, 0, table.column_names)
    for number, row in enumerate(table.to_pylist(), start=1):
        for column, value in enumerate(row.values()):
            _write_cell(sheet, number, column, value)


def _write_cell(sheet: Any, row: int, column: int, value: Any) -> None:
    if value is None:
        return
    if isinstance(value, bool):
        sheet.write_boolean(row, column, value)
    elif isinstance(value, int | float | Decimal):
        _write_number(sheet, row, column, float(value))
    elif isinstance(value, date | datetime):
        sheet.write_datetime(row, column, value)
    else:
        sheet.write_string(row, column, str(value)[:_LONGEST_CELL])


def _write_number(sheet: Any, row: int, column: int, value: float) -> None:
    # Excel has no number for what is none or without end: the cell stays empty.
    if math.isfinite(value):
        sheet.write_number(row, column, value)
