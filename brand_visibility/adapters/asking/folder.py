"""The folder that `ask` writes: answers of an earlier run in, the whole result out."""

import itertools
import tempfile
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import orjson
import pyarrow as pa
import pyarrow.parquet as pq
from pyarrow import json

from brand_visibility.adapters.asking.tables import ANSWERS, ATTEMPTS, FAILURES, Row
from brand_visibility.adapters.lake.files import write_parquet
from brand_visibility.domain.errors import InputError

_ROWS_AT_ONCE = 500
_WAY_OUT = "expected another --out, or --overwrite to drop what is there"


@dataclass(frozen=True, slots=True)
class Earlier:
    """What earlier runs left: answers by prompt, which are kept, and all their calls."""

    answers: Mapping[str, Row] = field(default_factory=dict)
    attempts: Sequence[Row] = ()


class AnswerFolder:
    """`answers.parquet`, `failures.parquet` and `attempts.parquet` in one folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def prepare(self) -> None:
        """Make the folder and try it. Raises InputError when nothing can be written there.

        Found out only after asking, that would lose answers which may have been paid for.
        """
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=self._folder):
                pass
        except OSError as error:
            raise InputError(
                f"--out {self._folder}: {error.strerror}; expected a folder to write to"
            ) from error

    def read_earlier(self, *, asked_model: str, prompts: frozenset[str]) -> Earlier:
        """Return what earlier runs left of the same questions to the same model.

        Raises InputError when the folder holds answers that this run would drop.
        """
        answers = self._read("answers", ANSWERS)
        strange = sum(
            row["asked_model"] != asked_model or row["prompt"] not in prompts for row in answers
        )
        if strange:
            raise InputError(
                f"{self._folder / 'answers.parquet'}: found {strange} answers of another model"
                f" or to other questions; {_WAY_OUT}"
            )
        by_prompt = {row["prompt"]: row for row in answers}
        return Earlier(by_prompt, self._read("attempts", ATTEMPTS))

    def write(
        self, *, answers: Sequence[Row], failures: Sequence[Row], attempts: Sequence[Row]
    ) -> None:
        """Replace the three files, each as a whole, the answers last."""
        for name, rows, schema in (
            ("attempts", attempts, ATTEMPTS),
            ("failures", failures, FAILURES),
            ("answers", answers, ANSWERS),
        ):
            write_parquet(_table(rows, schema), self._folder / f"{name}.parquet")

    def _read(self, name: str, schema: pa.Schema) -> list[Row]:
        path = self._folder / f"{name}.parquet"
        if not path.exists():
            return []
        try:
            table = pq.ParquetFile(path).read()
        except (pa.ArrowException, OSError) as error:
            raise InputError(f"{path}: found no Parquet file ({error}); {_WAY_OUT}") from error
        if table.schema != schema:
            raise InputError(
                f"{path}: found the columns {table.schema.names} of another kind; {_WAY_OUT}"
            )
        rows: list[Row] = table.to_pylist()
        return rows


def _table(rows: Sequence[Row], schema: pa.Schema) -> pa.Table:
    """Return rows as a table.

    By way of JSON lines, and of buffers for what is no text: pyarrow's own conversion of
    Python objects imports pandas, which takes more memory than a run of thousands of
    questions.
    """
    if not rows:
        return pa.Table.from_batches([], schema=schema)
    parts = range(0, len(rows), _ROWS_AT_ONCE)
    return pa.concat_tables(_part(rows[start : start + _ROWS_AT_ONCE], schema) for start in parts)


def _part(rows: Sequence[Row], schema: pa.Schema) -> pa.Table:
    names = [column.name for column in schema if pa.types.is_binary(column.type)]
    table = _from_json(
        [{name: value for name, value in row.items() if name not in names} for row in rows],
        pa.schema([column for column in schema if column.name not in names]),
    )
    for name in names:
        table = table.append_column(name, _bytes_column([row[name] for row in rows]))
    return table.select(schema.names).cast(schema)


def _from_json(rows: Sequence[Row], schema: pa.Schema) -> pa.Table:
    lines = b"\n".join(orjson.dumps(row) for row in rows)
    return json.read_json(
        pa.BufferReader(lines),
        read_options=json.ReadOptions(use_threads=False, block_size=len(lines) + 1),
        parse_options=json.ParseOptions(explicit_schema=schema, unexpected_field_behavior="error"),
    ).cast(schema)


def _bytes_column(values: Sequence[bytes]) -> pa.Array:
    ends = array("i", [0, *itertools.accumulate(map(len, values))])
    buffers = [None, pa.py_buffer(ends.tobytes()), pa.py_buffer(b"".join(values))]
    return pa.Array.from_buffers(pa.binary(), len(values), buffers)
