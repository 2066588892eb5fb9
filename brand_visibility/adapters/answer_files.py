"""Answers from files that somebody else may have written: JSON lines or Parquet.

One answer at a time, so that a file of any size fits in memory. The lake's own
partitions belong to `lake`.
"""

import itertools
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from brand_visibility.domain.errors import Fault, InputError

JSON_SUFFIXES = frozenset({".jsonl", ".ndjson"})
PARQUET_SUFFIX = ".parquet"

_ID_FIELDS = ("query_id", "question_id", "id")
_TEXT_FIELDS = ("text", "answer")
_EXPECTED_TEXT = 'the answer as a string in "text" or "answer"'
_BATCH_ROWS = 1_000


@dataclass(frozen=True, slots=True)
class StoredAnswer:
    """An answer as it lies in a file. Without an id of its own it is named by its place.

    The place is the line of a JSON file or the row of the Parquet files, from 1.
    """

    answer_id: str
    text: str


def read_answers(path: Path) -> Iterator[StoredAnswer]:
    """Yield the answers of a file, or of all Parquet files under a folder, in order.

    Raises InputError naming the file, the place, what was found and what is expected.
    """
    if path.is_dir():
        return _read_folder(path)
    if not path.exists():
        raise _error(path, "", "no such file", "a file or a folder of answers")
    if path.suffix in JSON_SUFFIXES:
        return _read_json_lines(path)
    if path.suffix == PARQUET_SUFFIX:
        return _read_parquet(path, itertools.count(1))
    raise _error(path, "", f"suffix {path.suffix!r}", ".jsonl, .ndjson, .parquet or a folder")


def _error(path: Path, place: str, found: str, expected: str) -> InputError:
    return InputError(str(Fault(str(path), place, found, expected)))


def _read_json_lines(path: Path) -> Iterator[StoredAnswer]:
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, start=1):
                if line.strip():
                    yield _from_json(path, number, line)
    except OSError as error:
        raise _error(path, "", str(error.strerror), "a readable file") from error


def _from_json(path: Path, number: int, line: bytes) -> StoredAnswer:
    place = f"line {number}"
    try:
        fields = json.loads(line)
    except ValueError as error:
        raise _error(path, place, f"no JSON ({error})", "one JSON object a line") from error
    if not isinstance(fields, dict):
        raise _error(path, place, f"a JSON {type(fields).__name__}", "a JSON object")
    name = next((name for name in _TEXT_FIELDS if name in fields), None)
    if name is None:
        names = ", ".join(map(repr, fields)) or "none"
        raise _error(path, place, f"the fields {names}", _EXPECTED_TEXT)
    if not isinstance(fields[name], str):
        raise _error(path, f"{place}, field {name!r}", _spell(fields[name]), _EXPECTED_TEXT)
    answer_id = next((fields[name] for name in _ID_FIELDS if name in fields), number)
    if not isinstance(answer_id, str | int):
        raise _error(path, f"{place}, id", _spell(answer_id), "a string or a whole number")
    return StoredAnswer(_storable(str(answer_id)), _storable(fields[name]))


def _spell(value: object) -> str:
    return "null" if value is None else f"a {type(value).__name__}"


def _storable(text: str) -> str:
    """Return a text that can be written as UTF-8, one `?` for each half of a broken pair."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _read_folder(folder: Path) -> Iterator[StoredAnswer]:
    paths = sorted(path for path in folder.rglob(f"*{PARQUET_SUFFIX}") if _is_visible(path))
    if not paths:
        raise _error(folder, "", "no Parquet file", "a folder of Parquet files")
    rows = itertools.count(1)
    for path in paths:
        yield from _read_parquet(path, rows)


def _is_visible(path: Path) -> bool:
    # A file being written has a hidden name until it is whole.
    return not path.name.startswith(".")


def _read_parquet(path: Path, rows: Iterator[int]) -> Iterator[StoredAnswer]:
    try:
        with pq.ParquetFile(path) as file:
            text, answer_id = _columns(path, file.schema_arrow)
            columns = [text] if answer_id is None else [text, answer_id]
            for batch in file.iter_batches(batch_size=_BATCH_ROWS, columns=columns):
                for fields in batch.to_pylist():
                    row = next(rows)
                    if fields[text] is None:
                        place = f"row {row}, column {text!r}"
                        raise _error(path, place, "null", _EXPECTED_TEXT)
                    own_id = fields.get(answer_id)
                    yield StoredAnswer(str(row if own_id is None else own_id), fields[text])
    except (pa.ArrowException, OSError) as error:
        raise _error(path, "", str(error), "a readable Parquet file") from error


def _columns(path: Path, schema: pa.Schema) -> tuple[str, str | None]:
    """Return the names of the columns with the text and, if there is one, the id."""
    text = next((name for name in _TEXT_FIELDS if name in schema.names), None)
    if text is None:
        found = ", ".join(map(repr, schema.names)) or "none"
        raise _error(path, "", f"the columns {found}", _EXPECTED_TEXT)
    kind = schema.field(text).type
    if not (pa.types.is_string(kind) or pa.types.is_large_string(kind)):
        raise _error(path, f"column {text!r}", f"type {kind}", _EXPECTED_TEXT)
    return text, next((name for name in _ID_FIELDS if name in schema.names), None)
