"""A day's imported answers as the measures take them, with the tasks that they serve.

Nobody planned them: their plan is made of the questions that were answered, as they stood
at the import. The answers that were asked for belong to `stored_day`.
"""

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

import pandas as pd
import pyarrow as pa

from brand_visibility.adapters.lake.files import Lake
from brand_visibility.adapters.lake.schemas import (
    CORE_CITATIONS,
    CORE_MENTIONS,
    CORE_RANKS,
    CORE_STANCES,
    DATE,
    IMPORTED_ANSWERS,
    PLATFORM,
    QUERY_PLAN,
    Dataset,
)
from brand_visibility.adapters.stored_day import figures_of_channel, read_reading
from brand_visibility.domain.imports import IMPORT_CHANNEL

_QUERY = ("plan_date", "query_id", "platform_id", "channel", "prompt_id", "repeat")
_ANSWER_COLUMNS = (*_QUERY, "model", "search")
_PLAN_COLUMNS = (*_QUERY, "prompt", "catalog_version", "tasks")


@dataclass(frozen=True)
class StoredImports:
    """The imported answers of one day, all platforms together."""

    lake: Lake
    plan_date: date

    def count(self) -> int:
        """Return how many answers were imported for the day."""
        return int(self._read(IMPORTED_ANSWERS, ["query_id"]).num_rows)

    def plan(self) -> pd.DataFrame:
        """Return the tasks that the answers serve, as rows of `query_plan`.

        As many repeats count as there are.
        """
        tasks: dict[tuple[str, ...], dict[str, Any]] = {}
        for answer in self._read(IMPORTED_ANSWERS, list(_PLAN_COLUMNS)).to_pylist():
            for task in answer["tasks"]:
                key = (answer["platform_id"], answer["prompt_id"], task["task_id"])
                known = tasks.setdefault(key, {**answer, **task, "repeats": 0})
                known["repeats"] = max(known["repeats"], answer["repeat"] + 1)
        rows = [{name: row[name] for name in QUERY_PLAN.schema.names} for row in tasks.values()]
        frame: pd.DataFrame = pa.Table.from_pylist(rows, schema=QUERY_PLAN.schema).to_pandas()
        return frame

    def answers(self) -> pd.DataFrame:
        """Return which question each answer is of, without its text."""
        frame: pd.DataFrame = self._read(IMPORTED_ANSWERS, list(_ANSWER_COLUMNS)).to_pandas()
        return frame

    def mentions(self) -> pd.DataFrame:
        """Return the mentions in the answers, suppressed ones included."""
        return self._reading(CORE_MENTIONS)

    def ranks(self) -> pd.DataFrame:
        """Return the places of mentioned brands in the answers."""
        return self._reading(CORE_RANKS)

    def stances(self) -> pd.DataFrame:
        """Return the answers' stances."""
        return self._reading(CORE_STANCES)

    def citations(self) -> pd.DataFrame:
        """Return the pages that the answers lean on."""
        return self._reading(CORE_CITATIONS)

    def before(self) -> "StoredImports":
        """Return the day before."""
        return StoredImports(self.lake, self.plan_date - timedelta(days=1))

    def own_figures(self, dataset: Dataset) -> pd.DataFrame:
        """Return those figures of the day that are of imported answers."""
        table = self.lake.read(dataset, {DATE: self.plan_date.isoformat()})
        return figures_of_channel(table.to_pandas(), IMPORT_CHANNEL)

    def _reading(self, dataset: Dataset) -> pd.DataFrame:
        day = self.plan_date.isoformat()
        platform_ids = self.lake.platforms_of(IMPORTED_ANSWERS, day)
        return read_reading(self.lake, dataset, day, platform_ids, IMPORT_CHANNEL)

    def _read(self, dataset: Dataset, columns: list[str]) -> pa.Table:
        day = self.plan_date.isoformat()
        tables = [
            self.lake.read(dataset, {DATE: day, PLATFORM: platform_id}, columns)
            for platform_id in self.lake.platforms_of(IMPORTED_ANSWERS, day)
        ]
        schema = pa.schema([dataset.schema.field(name) for name in columns])
        return pa.concat_tables(tables) if tables else schema.empty_table()
