"""A day's tables over all its platforms, as the measures and the report take them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

import pandas as pd
import pyarrow.compute as pc

from brand_visibility.adapters.lake.files import Lake
from brand_visibility.adapters.lake.schemas import (
    CORE_MENTIONS,
    DATE,
    FAILURES,
    QUERY_PLAN,
    RAW_ANSWERS,
    Dataset,
)
from brand_visibility.domain.planning import API_CHANNEL

# Large, or slow to turn into objects: whoever wants them reads them by name.
_NOT_MEASURED = frozenset({"raw_body", "sources", "cost_usd"})


@dataclass(frozen=True)
class StoredDay:
    """One day in the lake, with the platforms that were planned for it then.

    The catalog of today has no say: a platform that left it keeps its past. What was
    imported for the day is no part of it (see `stored_imports`).
    """

    lake: Lake
    plan_date: date

    def plan(self) -> pd.DataFrame:
        """Return the tasks of every platform."""
        return self._read(QUERY_PLAN)

    def answers(self, *, with_text: bool = False) -> pd.DataFrame:
        """Return the answers of every platform, without their text unless wanted."""
        left_out = _NOT_MEASURED if with_text else {"text", *_NOT_MEASURED}
        columns = [name for name in RAW_ANSWERS.schema.names if name not in left_out]
        return self._read(RAW_ANSWERS, columns)

    def failures(self) -> pd.DataFrame:
        """Return the failed queries of every platform."""
        return self._read(FAILURES)

    def mentions(self) -> pd.DataFrame:
        """Return the mentions in every platform's answers, suppressed ones included."""
        table = self.lake.read_day(CORE_MENTIONS, self.plan_date.isoformat())
        frame: pd.DataFrame = table.filter(pc.field("channel") == API_CHANNEL).to_pandas()
        return frame

    def figures(self, dataset: Dataset) -> pd.DataFrame:
        """Return a dataset of the day's figures, all platforms together."""
        table = self.lake.read(dataset, {DATE: self.plan_date.isoformat()})
        frame: pd.DataFrame = table.to_pandas()
        return frame

    def _read(self, dataset: Dataset, columns: Sequence[str] | None = None) -> pd.DataFrame:
        table = self.lake.read_day(dataset, self.plan_date.isoformat(), columns)
        frame: pd.DataFrame = table.to_pandas()
        return frame
