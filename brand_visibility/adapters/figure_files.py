"""A day's figures in the lake: one file of what was asked, one of what was imported.

Each is measured by itself, so that an import changes no byte of the figures of the API.
Which datasets there are is told in `figures`, what is measured in `measures`.
"""

from dataclasses import dataclass
from datetime import date
from pathlib import Path

import pandas as pd
import pyarrow as pa

from brand_visibility.adapters.figures import Figures
from brand_visibility.adapters.lake.files import Lake
from brand_visibility.adapters.lake.schemas import DATE, Dataset
from brand_visibility.adapters.stored_day import StoredDay
from brand_visibility.adapters.stored_imports import StoredImports
from brand_visibility.domain.night import DayState

_ASKED_FILE = "all"
_IMPORTED_FILE = "imported"
_STATE = "day_state"


@dataclass(frozen=True, slots=True)
class StoredFigures:
    """A day's figures as they were written; `path` is the file of what was asked."""

    asked: pa.Table
    imported: pa.Table
    path: Path

    @property
    def row_count(self) -> int:
        """Rows of both files."""
        return int(self.asked.num_rows + self.imported.num_rows)


def store_figures(lake: Lake, figures: Figures, plan_date: date, state: DayState) -> StoredFigures:
    """Measure a day, what was imported apart, and write its partition of a dataset.

    The same answers in the same state give the same bytes.
    """
    dataset, partition = figures.dataset, {DATE: plan_date.isoformat()}
    asked = _table(dataset, figures.of_asked(StoredDay(lake, plan_date)), state)
    imported = _imported(lake, figures, plan_date, state)
    path = lake.write(dataset, partition, asked, name=_ASKED_FILE)
    if imported is None:
        lake.remove_others(dataset, partition, frozenset({_ASKED_FILE}))
        return StoredFigures(asked, dataset.schema.empty_table(), path)
    lake.write(dataset, partition, imported, name=_IMPORTED_FILE)
    return StoredFigures(asked, imported, path)


def _imported(lake: Lake, figures: Figures, plan_date: date, state: DayState) -> pa.Table | None:
    imports = StoredImports(lake, plan_date)
    if figures.of_imports is None or not imports.count():
        return None
    return _table(figures.dataset, figures.of_imports(imports), state)


def _table(dataset: Dataset, frame: pd.DataFrame, state: DayState) -> pa.Table:
    if _STATE in dataset.schema.names:
        frame = frame.assign(**{_STATE: state.value})
    return pa.Table.from_pandas(frame, schema=dataset.schema, preserve_index=False)
