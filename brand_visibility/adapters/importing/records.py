"""Rows out of JSON lines, CSV or Parquet, each with its place and its faults.

A row that cannot be read is a fault and the next one follows. A file whose columns are
none of ours is refused as a whole. What the values must be belongs to `rows`.
"""

import csv
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson
import pyarrow as pa
import pyarrow.parquet as pq

from brand_visibility.adapters.answer_files import JSON_SUFFIXES, PARQUET_SUFFIX
from brand_visibility.adapters.catalog.faults import describe
from brand_visibility.adapters.importing.faults import RowFault
from brand_visibility.adapters.importing.lines import lines_of
from brand_visibility.adapters.importing.rows import COLUMNS, LONGEST_TEXT_BYTES
from brand_visibility.domain.errors import Fault, InputError

CSV_SUFFIX = ".csv"

_BATCH_ROWS = 100


@dataclass(frozen=True, slots=True)
class Record:
    """One row as it lies in a file, values that are not there left out."""

    line: int
    values: Mapping[str, object]


def read_records(path: Path) -> Iterator[Record | RowFault]:
    """Yield the rows of a file in order, and a fault for each that cannot be read.

    Raises InputError for a file that cannot be read, has another suffix, or has columns
    that are unknown or come twice.
    """
    read = _reader(path)
    try:
        yield from read(path)
    except OSError as error:
        raise _error(path, error.strerror or str(error), "a readable file") from error


def _reader(path: Path) -> Callable[[Path], Iterator[Record | RowFault]]:
    if path.suffix in JSON_SUFFIXES:
        return _read_json_lines
    if path.suffix == CSV_SUFFIX:
        return _read_csv
    if path.suffix == PARQUET_SUFFIX:
        return _read_parquet
    raise _error(path, f"suffix {path.suffix!r}", ".jsonl, .ndjson, .csv or .parquet")


def _error(path: Path, found: str, expected: str, place: str = "") -> InputError:
    return InputError(str(Fault(str(path), place, found, expected)))


def _require_columns(path: Path, names: Sequence[str]) -> None:
    for name, times in Counter(names).items():
        if name not in COLUMNS:
            found = f"the unknown column {describe(name)}"
            raise _error(path, found, f"columns among {', '.join(COLUMNS)}", "header")
        if times > 1:
            raise _error(path, f"the column {name} {times} times", "each column once", "header")


def _read_json_lines(path: Path) -> Iterator[Record | RowFault]:
    with path.open("rb") as file:
        for number, line in enumerate(lines_of(file), start=1):
            if line.strip():
                yield _from_json(number, line)


def _from_json(number: int, line: bytes) -> Record | RowFault:
    try:
        values = orjson.loads(line)
    except ValueError as error:
        return RowFault(number, "", f"no JSON ({error})", "one JSON object a line, in UTF-8")
    if not isinstance(values, dict):
        return RowFault(number, "", f"a JSON {type(values).__name__}", "a JSON object")
    return Record(number, {name: value for name, value in values.items() if value is not None})


def _read_csv(path: Path) -> Iterator[Record | RowFault]:
    with path.open("rb") as file, _wide_fields():
        # What is no UTF-8 becomes characters that no text may have: a fault of its row.
        lines = (line.decode("utf-8", "surrogateescape") for line in lines_of(file))
        rows = _csv_rows(lines)
        first = next(rows, None)
        if first is None or isinstance(first, RowFault):
            found = first.found if first else "an empty file"
            raise _error(path, found, f"a header with columns among {', '.join(COLUMNS)}")
        header = [name.strip() for name in first[1]]
        _require_columns(path, header)
        for row in rows:
            yield row if isinstance(row, RowFault) else _from_cells(header, *row)


@contextmanager
def _wide_fields() -> Iterator[None]:
    # The csv module has one limit for the whole process.
    before = csv.field_size_limit(LONGEST_TEXT_BYTES + 1)
    try:
        yield
    finally:
        csv.field_size_limit(before)


def _csv_rows(lines: Iterator[str]) -> Iterator[tuple[int, list[str]] | RowFault]:
    """Yield each row that is not blank with the line on which it begins."""
    reader = csv.reader(lines, strict=True)
    while True:
        line = reader.line_num + 1
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            yield RowFault(line, "", f"no CSV ({error})", "cells quoted as RFC 4180 says")
            continue
        if cells:
            yield line, cells


def _from_cells(header: Sequence[str], line: int, cells: Sequence[str]) -> Record | RowFault:
    if len(cells) != len(header):
        expected = f"{len(header)} cells, as the header has"
        return RowFault(line, "", f"{len(cells)} cells", expected)
    named = zip(header, cells, strict=True)
    return Record(line, {name: cell for name, cell in named if cell.strip()})


def _read_parquet(path: Path) -> Iterator[Record | RowFault]:
    try:
        with pq.ParquetFile(path) as file:
            names = file.schema_arrow.names
            _require_columns(path, names)
            number = 0
            for batch in file.iter_batches(batch_size=_BATCH_ROWS):
                columns = [_in_microseconds(column) for column in batch.columns]
                for row in range(batch.num_rows):
                    number += 1
                    yield _from_columns(names, columns, number, row)
    except pa.ArrowException as error:
        raise _error(path, str(error), "a readable Parquet file") from error


def _in_microseconds(column: pa.Array) -> pa.Array:
    if pa.types.is_timestamp(column.type):
        # Finer ones would come out as objects of another library.
        return column.cast(pa.timestamp("us", column.type.tz), safe=False)
    return column


def _from_columns(
    names: Sequence[str], columns: Sequence[pa.Array], number: int, row: int
) -> Record | RowFault:
    values: dict[str, Any] = {}
    for name, column in zip(names, columns, strict=True):
        try:
            value = column[row].as_py()
        except (ValueError, OverflowError):
            return RowFault(number, name, f"no {column.type} in its bounds", "a valid value")
        if value is not None:
            values[name] = value
    return Record(number, values)
