"""Reading and writing the lake's files. A reader sees a whole file or none."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from brand_visibility.adapters.lake.schemas import DATE, PLATFORM, QUERY_PLAN, Dataset
from brand_visibility.adapters.whole_files import whole_file
from brand_visibility.domain.errors import InputError

# What becomes a folder name: a date, or an id of the catalog.
_PARTITION_VALUE = re.compile(r"^[a-z0-9][a-z0-9_-]{0,63}$")


class Lake:
    """The datasets under one folder: `<dataset>/date=…/platform=…/*.parquet`."""

    def __init__(self, root: Path) -> None:
        self._root = root

    @property
    def root(self) -> Path:
        """The folder of all datasets."""
        return self._root

    def folder(self, dataset: Dataset, partition: Mapping[str, str]) -> Path:
        """Return the folder of a partition, keys in the dataset's order.

        Raises InputError for a value that may not become a path.
        """
        folder = self._root / dataset.name
        for key in dataset.partition_keys:
            value = partition[key]
            if not _PARTITION_VALUE.match(value):
                raise InputError(
                    f"partition {key} of {dataset.name}: found {value!r};"
                    f" expected {_PARTITION_VALUE.pattern}"
                )
            folder = folder / f"{key}={value}"
        return folder

    def write(
        self,
        dataset: Dataset,
        partition: Mapping[str, str],
        table: pa.Table,
        *,
        name: str,
        before_it_appears: Callable[[], None] = lambda: None,
    ) -> Path:
        """Write one file of a partition, replacing the file of that name as a whole.

        `before_it_appears` is called when the file is written and not yet to be seen: what
        it raises keeps the file from appearing. Raises ValueError when the table does not
        have the dataset's schema.
        """
        if not table.schema.equals(dataset.schema):
            raise ValueError(
                f"{dataset.name}: found columns {table.schema.names} of types"
                f" {[str(kind) for kind in table.schema.types]}; expected its own schema"
            )
        folder = self.folder(dataset, partition)
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{name}.parquet"
        write_parquet(
            table.replace_schema_metadata(dataset.schema.metadata),
            path,
            before_it_appears=before_it_appears,
        )
        return path

    def read(
        self,
        dataset: Dataset,
        partition: Mapping[str, str],
        columns: Sequence[str] | None = None,
    ) -> pa.Table:
        """Return a partition's rows, in order of file name; empty when it has no file.

        `columns` leaves the others on the disk. What a file of an earlier version does not
        have is null.
        """
        schema = _schema(dataset, columns)
        tables = [_read(path, schema) for path in self.files(dataset, partition)]
        return pa.concat_tables(tables) if tables else schema.empty_table()

    def read_day(
        self, dataset: Dataset, day: str, columns: Sequence[str] | None = None
    ) -> pa.Table:
        """Return a day's rows of every platform that was planned for it."""
        tables = [
            self.read(dataset, {DATE: day, PLATFORM: platform_id}, columns)
            for platform_id in self.planned_platforms(day)
        ]
        return pa.concat_tables(tables) if tables else _schema(dataset, columns).empty_table()

    def planned_platforms(self, day: str) -> list[str]:
        """Return the ids of the platforms that have a plan of the day, in order."""
        return self.platforms_of(QUERY_PLAN, day)

    def platforms_of(self, dataset: Dataset, day: str) -> list[str]:
        """Return the ids of the platforms that have a folder of the day, in order."""
        folders = (self._root / dataset.name / f"{DATE}={day}").glob(f"{PLATFORM}=*")
        return sorted(folder.name.partition("=")[2] for folder in folders)

    def count(self, dataset: Dataset, partition: Mapping[str, str]) -> int:
        """Return how many rows a partition has, from the files' footers."""
        return sum(pq.read_metadata(path).num_rows for path in self.files(dataset, partition))

    def files(self, dataset: Dataset, partition: Mapping[str, str]) -> list[Path]:
        """Return the paths of a partition's files, in order of name."""
        return sorted(self.folder(dataset, partition).glob("*.parquet"))

    def remove_others(
        self, dataset: Dataset, partition: Mapping[str, str], names: frozenset[str]
    ) -> None:
        """Remove a partition's files that are not among these names."""
        for path in self.files(dataset, partition):
            if path.stem not in names:
                path.unlink()

    def remove_unfinished(
        self, dataset: Dataset, partition: Mapping[str, str], *, name: str
    ) -> None:
        """Remove what was written for the file of this name and has not appeared."""
        for path in self.folder(dataset, partition).glob(f".{name}.parquet.*.tmp"):
            path.unlink(missing_ok=True)

    def batches(
        self, dataset: Dataset, partition: Mapping[str, str], columns: list[str]
    ) -> Iterator[pa.RecordBatch]:
        """Yield a partition's rows in batches, so that a large day fits in memory."""
        for path in self.files(dataset, partition):
            with pq.ParquetFile(path) as file:
                yield from file.iter_batches(batch_size=2_000, columns=columns)

    def sample(
        self, dataset: Dataset, partition: Mapping[str, str], column: str, *, at_most: int
    ) -> Iterator[Any]:
        """Yield a column's values of rows spread evenly over a partition, always the same."""
        step = max(1, -(-self.count(dataset, partition) // at_most))
        position = 0
        for batch in self.batches(dataset, partition, [column]):
            values = batch.column(0)
            for index in range(-position % step, len(values), step):
                yield values[index].as_py()
            position += len(values)


def _read(path: Path, schema: pa.Schema) -> pa.Table:
    with pq.ParquetFile(path) as file:
        written = set(file.schema_arrow.names)
        table = file.read(columns=[name for name in schema.names if name in written])
    for place, field in enumerate(schema):
        if field.name not in written:
            table = table.add_column(place, field, pa.nulls(table.num_rows, field.type))
    return table.select(schema.names).cast(schema)


def _schema(dataset: Dataset, columns: Sequence[str] | None) -> pa.Schema:
    if columns is None:
        return dataset.schema
    return pa.schema([dataset.schema.field(name) for name in columns])


def write_parquet(
    table: pa.Table, path: Path, *, before_it_appears: Callable[[], None] = lambda: None
) -> None:
    """Write a file so that it appears whole, and is still there after a power cut."""
    with whole_file(path, before_it_appears=before_it_appears) as temporary:
        pq.write_table(table, temporary, compression="zstd")
