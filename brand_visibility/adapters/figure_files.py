"""A day's figures in the lake: one file of what was asked, one of what was imported.

Each is measured by itself, so that an import changes no byte of the figures of the API.
What is measured belongs to `measures`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Protocol

import pandas as pd
import pyarrow as pa

from brand_visibility.adapters.lake.files import Lake
from brand_visibility.adapters.lake.schemas import DATE, Dataset
from brand_visibility.adapters.stored_day import StoredDay
from brand_visibility.adapters.stored_imports import StoredImports

# A day's plan, answers and mentions in, rows of a dataset of figures out.
Measure = Callable[[pd.DataFrame, pd.DataFrame, pd.DataFrame], pd.DataFrame]

_ASKED_FILE = "all"
_IMPORTED_FILE = "imported"


class _Tables(Protocol):
    def plan(self) -> pd.DataFrame: ...

    def answers(self) -> pd.DataFrame: ...

    def mentions(self) -> pd.DataFrame: ...


@dataclass(frozen=True, slots=True)
class StoredFigures:
    """A day's figures as they were written; `path` is the file of what was asked."""

    asked: pa.Table
    imported: pa.Table
    path: Path


def store_figures(lake: Lake, dataset: Dataset, plan_date: date, measure: Measure) -> StoredFigures:
    """Measure a day, what was imported apart, and write its partition of a dataset."""
    partition = {DATE: plan_date.isoformat()}
    asked = _measure(dataset, measure, StoredDay(lake, plan_date))
    imports = StoredImports(lake, plan_date)
    imported = dataset.schema.empty_table()
    path = lake.write(dataset, partition, asked, name=_ASKED_FILE)
    if imports.count():
        imported = _measure(dataset, measure, imports)
        lake.write(dataset, partition, imported, name=_IMPORTED_FILE)
    else:
        lake.remove_others(dataset, partition, frozenset({_ASKED_FILE}))
    return StoredFigures(asked, imported, path)


def _measure(dataset: Dataset, measure: Measure, day: _Tables) -> pa.Table:
    frame = measure(day.plan(), day.answers(), day.mentions())
    return pa.Table.from_pandas(frame, schema=dataset.schema, preserve_index=False)
