"""Mentions to a file of a person's own: JSON lines or Parquet, whole or not at all.

The lake's own partitions belong to `lake`.
"""

import json
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from brand_visibility.adapters.answer_files import JSON_SUFFIXES, PARQUET_SUFFIX
from brand_visibility.adapters.lake.schemas import CORE_MENTIONS
from brand_visibility.adapters.whole_files import whole_file
from brand_visibility.domain.errors import Fault, InputError
from brand_visibility.reading.mentions import Mention
from brand_visibility.reading.version import READER_VERSION

_FROM_LAKE = (
    "brand_id",
    "alias",
    "alias_policy",
    "surface",
    "start_offset",
    "end_offset",
    "zone",
    "is_suppressed",
    "suppressed_reason",
    "reader_version",
    "gazetteer_hash",
)
_ANSWER_ID = pa.field(
    "answer_id", pa.string(), metadata={"description": "The answer's id in its file, or its place."}
)
SCHEMA = pa.schema([_ANSWER_ID, *(CORE_MENTIONS.schema.field(name) for name in _FROM_LAKE)])

_BATCH_ROWS = 10_000

Row = dict[str, str | int | bool | None]


WriteRow = Callable[[Row], object]


def mention_row(answer_id: str, mention: Mention, gazetteer_hash: str) -> Row:
    """Return the row of a mention in an answer."""
    reason = mention.suppressed_reason
    return {
        "answer_id": answer_id,
        "brand_id": mention.brand_id,
        "alias": mention.alias,
        "alias_policy": mention.alias_policy.value,
        "surface": mention.surface,
        "start_offset": mention.start_offset,
        "end_offset": mention.end_offset,
        "zone": mention.zone.value,
        "is_suppressed": mention.is_suppressed,
        "suppressed_reason": None if reason is None else reason.value,
        "reader_version": READER_VERSION,
        "gazetteer_hash": gazetteer_hash,
    }


@contextmanager
def new_mention_file(path: Path) -> Iterator[WriteRow]:
    """Open a file for mentions. It appears when the block ends well, and only then.

    Raises InputError for a suffix that is none of ours and for a place that cannot be
    written; what was at `path` before stays untouched then.
    """
    opened = _opener(path)
    try:
        with whole_file(path) as temporary, opened(temporary) as write:
            yield write
    except OSError as error:
        raise _error(path, error.strerror or str(error), "a file that can be written") from error


def _error(path: Path, found: str, expected: str) -> InputError:
    return InputError(str(Fault(str(path), "", found, expected)))


def _opener(path: Path) -> Callable[[Path], AbstractContextManager[WriteRow]]:
    if path.suffix in JSON_SUFFIXES:
        return _json_lines
    if path.suffix == PARQUET_SUFFIX:
        return _parquet
    raise _error(path, f"suffix {path.suffix!r}", ".jsonl, .ndjson or .parquet")


@contextmanager
def _json_lines(path: Path) -> Iterator[WriteRow]:
    with path.open("w", encoding="utf-8") as file:
        yield lambda row: file.write(json.dumps(row, ensure_ascii=False) + "\n")


@contextmanager
def _parquet(path: Path) -> Iterator[WriteRow]:
    rows: list[Row] = []
    with pq.ParquetWriter(path, SCHEMA, compression="zstd") as file:

        def write_out() -> None:
            file.write_table(pa.Table.from_pylist(rows, schema=SCHEMA))
            rows.clear()

        def write(row: Row) -> None:
            rows.append(row)
            if len(rows) >= _BATCH_ROWS:
                write_out()

        yield write
        write_out()
