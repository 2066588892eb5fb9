"""A day's tables over all its platforms, as the measures and the report take them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from types import MappingProxyType

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from brand_visibility.adapters.lake.files import Lake
from brand_visibility.adapters.lake.schemas import (
    ATTEMPTS,
    CORE_CITATIONS,
    CORE_MENTIONS,
    CORE_RANKS,
    CORE_STANCES,
    DATE,
    FAILURES,
    PLATFORM,
    QUERY_PLAN,
    RAW_ANSWERS,
    Dataset,
)
from brand_visibility.domain.night import DayState
from brand_visibility.domain.planning import API_CHANNEL
from brand_visibility.measures.collection import Collected
from brand_visibility.measures.coverage import day_state, platform_coverage

# Only what is measured or shown is read: texts and bodies are most of a day's bytes.
_QUERY = ("plan_date", "query_id", "platform_id", "channel", "prompt_id", "repeat")
_MEASURED = ("model", "search", "latency_ms", "prompt_tokens", "completion_tokens")
_TEXTS = ("prompt", "text")
_NOT_IN_PLAN = frozenset({"task_id", "prompt"})
_CALL = ("plan_date", "query_id", "account_id", "attempt_number", "cost_usd")
_OF_A_BRAND = ("plan_date", "query_id", "channel", "tenant_id", "brand_id")
_READING: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        CORE_MENTIONS.name: (
            *("plan_date", "query_id", "channel", "brand_id"),
            *("start_offset", "end_offset", "is_suppressed"),
        ),
        CORE_RANKS.name: (
            *_OF_A_BRAND,
            *("order_of_mention", "first_offset", "text_length"),
            *("list_index", "rank", "list_length"),
        ),
        CORE_STANCES.name: (*_OF_A_BRAND, "stance"),
        CORE_CITATIONS.name: (
            *("plan_date", "query_id", "channel"),
            *("url", "registrable_domain", "role", "owner_brand_ids"),
        ),
    }
)
_UNITS_PER_DOLLAR = Decimal(10**9)


@dataclass(frozen=True)
class StoredDay:
    """One day in the lake, with the platforms that were planned for it then.

    The catalog of today has no say: a platform that left it keeps its past. What was
    imported for the day is no part of it (see `stored_imports`).
    """

    lake: Lake
    plan_date: date

    def plan(self) -> pd.DataFrame:
        """Return the tasks of every platform, without their prompts."""
        columns = [name for name in QUERY_PLAN.schema.names if name not in _NOT_IN_PLAN]
        return _frame(self._read(QUERY_PLAN, columns))

    def answers(self, *, with_text: bool = False) -> pd.DataFrame:
        """Return the answers of every platform, without prompt and text unless wanted."""
        return _frame(
            self._read(RAW_ANSWERS, [*_QUERY, *_MEASURED, *(_TEXTS if with_text else ())])
        )

    def failures(self) -> pd.DataFrame:
        """Return the failed queries of every platform, with the reason."""
        return _frame(self._read(FAILURES, [*_QUERY, "reason"]))

    def attempts(self) -> pd.DataFrame:
        """Return the calls of every platform, with their cost in whole billionths."""
        table = self._read(ATTEMPTS, list(_CALL))
        place = table.schema.get_field_index("cost_usd")
        # A decimal is an object in a frame: dear to make, and slow to add up.
        units = pc.multiply(table["cost_usd"], pa.scalar(_UNITS_PER_DOLLAR)).cast(pa.int64())
        frame = _frame(table.remove_column(place))
        return frame.assign(
            cost_units=units.to_pandas(types_mapper={pa.int64(): pd.Int64Dtype()}.get)
        )

    def collected(self) -> Collected:
        """Return what was planned and what became of it."""
        return Collected(self.plan(), self.answers(), self.failures(), self.attempts())

    def state(self, *, is_over: bool) -> DayState:
        """Return whether the day's outcomes are all there, or may still come."""
        coverage = platform_coverage(self.plan(), self.answers(), self.failures())
        return day_state(coverage, is_over=is_over)

    def mentions(self) -> pd.DataFrame:
        """Return the mentions in every platform's answers, suppressed ones included."""
        return self._reading(CORE_MENTIONS)

    def ranks(self) -> pd.DataFrame:
        """Return the places of mentioned brands in every platform's answers."""
        return self._reading(CORE_RANKS)

    def stances(self) -> pd.DataFrame:
        """Return the stances of every platform's answers."""
        return self._reading(CORE_STANCES)

    def citations(self) -> pd.DataFrame:
        """Return the pages that every platform's answers lean on."""
        return self._reading(CORE_CITATIONS)

    def before(self) -> "StoredDay":
        """Return the day before."""
        return StoredDay(self.lake, self.plan_date - timedelta(days=1))

    def figures(self, dataset: Dataset) -> pd.DataFrame:
        """Return a dataset of the day's figures, all platforms together."""
        return _frame(self.lake.read(dataset, {DATE: self.plan_date.isoformat()}))

    def own_figures(self, dataset: Dataset) -> pd.DataFrame:
        """Return those figures of the day that are of its own answers, not of imported ones."""
        return figures_of_channel(self.figures(dataset), API_CHANNEL)

    def _read(self, dataset: Dataset, columns: Sequence[str]) -> pa.Table:
        return self.lake.read_day(dataset, self.plan_date.isoformat(), columns)

    def _reading(self, dataset: Dataset) -> pd.DataFrame:
        day = self.plan_date.isoformat()
        platform_ids = self.lake.planned_platforms(day)
        return read_reading(self.lake, dataset, day, platform_ids, API_CHANNEL)


def read_reading(
    lake: Lake, dataset: Dataset, day: str, platform_ids: Iterable[str], channel: str
) -> pd.DataFrame:
    """Return what was read from a day's answers of one channel, as far as it is measured."""
    columns = _READING[dataset.name]
    tables = [
        lake.read(dataset, {DATE: day, PLATFORM: platform_id}, columns).filter(
            pc.field("channel") == channel
        )
        for platform_id in platform_ids
    ]
    schema = pa.schema([dataset.schema.field(name) for name in columns])
    return _frame(pa.concat_tables([schema.empty_table(), *tables]))


def figures_of_channel(figures: pd.DataFrame, channel: str) -> pd.DataFrame:
    """Return the rows of figures that are of one channel."""
    return figures[figures["channel"] == channel].reset_index(drop=True)


def _frame(table: pa.Table) -> pd.DataFrame:
    frame: pd.DataFrame = table.to_pandas()
    return frame
