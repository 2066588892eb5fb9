"""Checks of stored figures: keys, ranges and bounds, and counts that must add up.

The rules follow from a dataset's columns and from how they are named; what cannot be told
from a name stands in `_SUMS`. When they run, and what a fault holds up, belongs to `assets`.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import pandas as pd
import pyarrow as pa

from brand_visibility.adapters.lake.schemas import Dataset

if TYPE_CHECKING:
    import pandera.pandas as pandera

# What a row of figures is about, as far as a dataset has it.
KEYS = (
    "plan_date",
    "tenant_id",
    "brand_id",
    "topic_id",
    "platform_id",
    "channel",
    "account_id",
    "question_kind",
    "reason",
    "registrable_domain",
    "measure",
)

_RATE_ENDINGS = ("_rate", "_share", "_low", "_high", "stability")
_RATE_STARTS = ("share_by_",)
# Rates by another name, and what ends like one and is none.
_RATES = frozenset({"mean_reciprocal_rank", "mean_prominence"})
_NO_RATES = frozenset({"change_low", "change_high"})
_BOUNDS = ("low", "high")

# The parts and the whole that they make.
_SUMS: Mapping[str, tuple[tuple[str, ...], str]] = MappingProxyType(
    {
        "every planned query has one outcome or is open": (
            ("answer_count", "refused_or_blocked_count", "failed_count", "open_count"),
            "planned_count",
        ),
        "every answer mentions the brand or not": (
            ("mentioning_answer_count", "absent_answer_count"),
            "answer_count",
        ),
        "every mentioning answer has one stance": (
            (
                "recommended_answer_count",
                "neutral_answer_count",
                "negative_answer_count",
                "unjudged_answer_count",
            ),
            "mentioning_answer_count",
        ),
        "stances divide the mentioning answers": (
            ("recommended_rate", "neutral_rate", "negative_rate", "unjudged_rate"),
            "1",
        ),
        "owners divide an answer's pages": (
            ("own_url_rate", "competitor_url_rate", "other_url_rate"),
            "1",
        ),
    }
)
_TOLERANCE = 1e-9
_SHOWN_FAULTS = 20


def key_columns(dataset: Dataset) -> list[str]:
    """Return the columns that say what a row is about: never null, and unique together."""
    return [name for name in KEYS if name in dataset.schema.names]


def find_faults(dataset: Dataset, table: pa.Table) -> tuple[str, ...]:
    """Return what is wrong with a day's rows of figures, in words; nothing when all is well.

    At most 20 are named.
    """
    # Half a second and 20 MB, which only a check has to spend.
    import pandera.errors

    frame = table.to_pandas()
    try:
        _schema(dataset).validate(frame, lazy=True)
    except pandera.errors.SchemaErrors as errors:
        return _words(dataset, errors.failure_cases)
    return ()


def _schema(dataset: Dataset) -> "pandera.DataFrameSchema":
    import pandera.pandas as pandera

    keys = key_columns(dataset)
    return pandera.DataFrameSchema(
        columns={field.name: _column(pandera, field, keys) for field in dataset.schema},
        checks=[*_bound_checks(pandera, dataset), *_sum_checks(pandera, dataset)],
        unique=keys,
        strict=True,
        name=dataset.name,
    )


def _column(pandera: Any, field: pa.Field, keys: Sequence[str]) -> Any:
    checks = []
    if _is_rate(field):
        checks.append(pandera.Check.in_range(0, 1))
    elif field.name.endswith("_count"):
        checks.append(pandera.Check.ge(0))
    return pandera.Column(checks=checks, nullable=field.name not in keys, name=field.name)


def _is_rate(field: pa.Field) -> bool:
    name: str = field.name
    if not pa.types.is_floating(field.type) or name in _NO_RATES:
        return False
    return name in _RATES or name.endswith(_RATE_ENDINGS) or name.startswith(_RATE_STARTS)


def _bound_checks(pandera: Any, dataset: Dataset) -> list[Any]:
    """Return a check for every column that has two bounds of its name."""
    names = set(dataset.schema.names)
    return [
        pandera.Check(_within(name), error=f"{name} lies within its bounds", ignore_na=False)
        for name in dataset.schema.names
        if {f"{name}_{bound}" for bound in _BOUNDS} <= names
    ]


def _within(name: str) -> Any:
    def is_within(frame: pd.DataFrame) -> pd.Series:
        low, value, high = frame[f"{name}_low"], frame[name], frame[f"{name}_high"]
        # Bounds without a value, or a value without bounds, are as wrong.
        is_unknown = low.isna() & value.isna() & high.isna()
        return is_unknown | ((low <= value) & (value <= high))

    return is_within


def _sum_checks(pandera: Any, dataset: Dataset) -> list[Any]:
    names = {*dataset.schema.names, "1"}
    return [
        pandera.Check(_adds_up(parts, whole), error=rule, ignore_na=False)
        for rule, (parts, whole) in _SUMS.items()
        if {*parts, whole} <= names
    ]


def _adds_up(parts: Sequence[str], whole: str) -> Any:
    def adds_up(frame: pd.DataFrame) -> pd.Series:
        total = frame[list(parts)].sum(axis=1, skipna=False)
        wanted = 1.0 if whole == "1" else frame[whole]
        return total.isna() | ((total - wanted).abs() <= _TOLERANCE)

    return adds_up


def _words(dataset: Dataset, cases: pd.DataFrame) -> tuple[str, ...]:
    # A rule of whole rows fails in every column of the row, and is one fault.
    is_column = cases["schema_context"] == "Column"
    place = cases["column"].where(is_column, "whole row")
    rows = cases.assign(place=place)[["place", "check", "index"]].drop_duplicates()
    faults = rows.groupby(["place", "check"], sort=True).size().reset_index(name="count")
    return tuple(
        f"{dataset.name}: {fault['place']}: found {fault['count']} rows that break the rule:"
        f" {fault['check']}"
        for fault in faults.head(_SHOWN_FAULTS).to_dict("records")
    )
