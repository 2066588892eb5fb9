"""A day's tables over all its platforms, as the measures and the report take them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

import pandas as pd
import pyarrow as pa

from brand_visibility.adapters.lake.files import Lake
from brand_visibility.adapters.lake.schemas import (
    CORE_MENTIONS,
    FAILURES,
    QUERY_PLAN,
    RAW_ANSWERS,
    Dataset,
)


@dataclass(frozen=True)
class StoredDay:
    """One day in the lake. Platforms without a plan on the day are simply absent."""

    lake: Lake
    plan_date: date
    platform_ids: tuple[str, ...]

    def plan(self) -> pd.DataFrame:
        """Return the tasks of every platform."""
        return self._read(QUERY_PLAN)

    def answers(self, *, with_text: bool = False) -> pd.DataFrame:
        """Return the answers of every platform, without their text unless wanted."""
        columns = [name for name in RAW_ANSWERS.schema.names if with_text or name != "text"]
        return self._read(RAW_ANSWERS, columns)

    def failures(self) -> pd.DataFrame:
        """Return the failed queries of every platform."""
        return self._read(FAILURES)

    def mentions(self) -> pd.DataFrame:
        """Return the mentions of every platform, suppressed ones included."""
        return self._read(CORE_MENTIONS)

    def figures(self, dataset: Dataset) -> pd.DataFrame:
        """Return a dataset of the day's figures, all platforms together."""
        table = self.lake.read(dataset, {"date": self.plan_date.isoformat()})
        frame: pd.DataFrame = table.to_pandas()
        return frame

    def _read(self, dataset: Dataset, columns: Sequence[str] | None = None) -> pd.DataFrame:
        tables = [
            self.lake.read(dataset, self._partition(platform_id), columns)
            for platform_id in self.platform_ids
        ]
        frame: pd.DataFrame = pa.concat_tables(tables).to_pandas()
        return frame

    def _partition(self, platform_id: str) -> Mapping[str, str]:
        return {"date": self.plan_date.isoformat(), "platform": platform_id}
