"""The doors of the measures: what a frame must bring before it is counted.

Add a check here when every measure needs it. What is counted, and how, belongs to the
measure's own module.
"""

from collections.abc import Iterable, Mapping
from datetime import date, datetime

import pandas as pd

from brand_visibility.domain.errors import IncompleteError


def require_columns(frame: pd.DataFrame, dataset: str, columns: Iterable[str]) -> None:
    """Raise IncompleteError naming every column of `columns` that the frame lacks."""
    missing = [column for column in columns if column not in frame.columns]
    if missing:
        raise IncompleteError(
            f"{dataset}: found no column {', '.join(missing)}; "
            f"the columns are {', '.join(map(str, frame.columns)) or 'none'}"
        )


def narrow(frame: pd.DataFrame, dataset: str, dtypes: Mapping[str, str]) -> pd.DataFrame:
    """Return only the columns of `dtypes`, in those types.

    Raises IncompleteError when a column is missing or holds a null: a null key would
    drop out of every join without a word.
    """
    require_columns(frame, dataset, dtypes)
    kept = frame[list(dtypes)]
    for column, null_count in kept.isna().sum().items():
        if null_count:
            raise IncompleteError(f"{dataset}: {column}: found {null_count} nulls; expected none")
    return kept.astype(dict(dtypes))


def require_unique(frame: pd.DataFrame, dataset: str, key: str | list[str]) -> None:
    """Raise IncompleteError when a key, of one or more columns, occurs twice.

    It would be counted twice.
    """
    columns = [key] if isinstance(key, str) else key
    repeated = frame.loc[frame.duplicated(columns), columns]
    if len(repeated):
        raise IncompleteError(
            f"{dataset}: {', '.join(columns)}: found"
            f" {', '.join(map(str, repeated.iloc[0]))} more than once; expected every value once"
        )


def require_one_day(frames: Mapping[str, pd.DataFrame]) -> date | None:
    """Return the one `plan_date` of the frames, or None when all of them are empty.

    Raises IncompleteError when days are mixed, within a frame or among frames.
    """
    days: set[date] = set()
    for dataset, frame in frames.items():
        require_columns(frame, dataset, ["plan_date"])
        days.update(_as_day(value, dataset) for value in frame["plan_date"].unique())
    if len(days) > 1:
        found = ", ".join(day.isoformat() for day in sorted(days))
        raise IncompleteError(
            f"{', '.join(frames)}: plan_date: found {found}; expected a single day"
        )
    return days.pop() if days else None


def _as_day(value: object, dataset: str) -> date:
    # NaT is a datetime too, and its date is NaT again.
    if isinstance(value, date) and not pd.isna(value):
        return value.date() if isinstance(value, datetime) else value
    raise IncompleteError(f"{dataset}: plan_date: found {value!r}; expected a date")
