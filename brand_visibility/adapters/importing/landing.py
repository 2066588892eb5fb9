"""Imported rows into the lake: one file for each day and platform, whole or not at all.

An identity has one answer. What is there stays, unless replacing was asked for. Which rows
are right belongs to `importer`.
"""

import fcntl
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from brand_visibility.adapters.importing.faults import RowFault
from brand_visibility.adapters.lake.files import Lake
from brand_visibility.adapters.lake.schemas import DATE, IMPORTED_ANSWERS, PLATFORM

_FILE = "imported"

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Landing:
    """What became of the good rows of one platform's day.

    `same_count` are rows whose answer was there already.
    """

    plan_date: date
    platform_id: str
    new_count: int
    same_count: int
    replaced_count: int
    faults: tuple[RowFault, ...]

    @property
    def has_changed(self) -> bool:
        """Whether the lake holds something that it did not hold before."""
        return bool(self.new_count or self.replaced_count)


def land(
    lake: Lake, plan_date: date, platform_id: str, rows: Sequence[Row], *, replace: bool
) -> Landing:
    """Add a day's rows to what the lake holds of its platform.

    Two imports at once wait for one another. Raises OSError when the lake cannot be
    written; it then holds what it held before.
    """
    partition = {DATE: plan_date.isoformat(), PLATFORM: platform_id}
    folder = lake.folder(IMPORTED_ANSWERS, partition)
    folder.mkdir(parents=True, exist_ok=True)
    with _alone_in(folder):
        stored = lake.read(IMPORTED_ANSWERS, partition)
        sorting = _Sorting(stored, replace=replace)
        for row in rows:
            sorting.add(row)
        if sorting.changed:
            lake.write(IMPORTED_ANSWERS, partition, sorting.table(), name=_FILE)
    return Landing(
        plan_date=plan_date,
        platform_id=platform_id,
        new_count=len(sorting.changed) - len(sorting.replaced),
        same_count=sorting.same_count,
        replaced_count=len(sorting.replaced),
        faults=tuple(sorting.faults),
    )


@contextmanager
def _alone_in(folder: Path) -> Iterator[None]:
    # A hidden name is no part of a dataset. The lock ends with the process that holds it.
    with (folder / ".lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


class _Sorting:
    """Sorts rows into new ones, known ones and those that say something else."""

    def __init__(self, stored: pa.Table, *, replace: bool) -> None:
        self._stored = stored
        self._replace = replace
        self._texts: dict[str, str] = dict(
            zip(stored["query_id"].to_pylist(), stored["text"].to_pylist(), strict=True)
        )
        self._stored_ids = frozenset(self._texts)
        self.changed: dict[str, Row] = {}
        self.same_count = 0
        self.faults: list[RowFault] = []

    @property
    def replaced(self) -> frozenset[str]:
        """Identities whose stored answer gives way to another."""
        return self._stored_ids & self.changed.keys()

    def add(self, row: Row) -> None:
        query_id, text = row["query_id"], row["text"]
        known = self._texts.get(query_id)
        if known == text:
            self.same_count += 1
        elif known is None or self._replace:
            self._texts[query_id] = text
            self.changed[query_id] = row
        else:
            self.faults.append(_another_text(row["source_line"]))

    def table(self) -> pa.Table:
        schema = IMPORTED_ANSWERS.schema
        is_replaced = pc.is_in(self._stored["query_id"], pa.array(self.replaced, pa.string()))
        kept = self._stored.filter(pc.invert(is_replaced))
        added = pa.Table.from_pylist(list(self.changed.values()), schema=schema)
        return pa.concat_tables([kept.cast(schema), added])


def _another_text(line: int) -> RowFault:
    return RowFault(
        line,
        "text",
        "another text than the one already imported for this question, day and repeat",
        "the same text, another repeat, or --replace to replace it",
    )
