"""From valid answers to rates over questions, the same way for every measure.

A rate is the mean over questions of the mean over a question's answers. Its interval is
the generalising one: questions are the clusters, because repeats of one question are not
independent. Which property of an answer is counted belongs to the measure's own module.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

import numpy as np
import pandas as pd

from brand_visibility.measures.frames import require_one_day
from brand_visibility.measures.intervals import effective_sizes, wilson_bounds
from brand_visibility.measures.matching import (
    asked_prompts,
    narrow_plan,
    narrow_queries,
    serving,
)
from brand_visibility.measures.versions import MEASURES_VERSION

# One row of a day's figures. Kinds of questions are never pooled.
GROUP = ["tenant_id", "brand_id", "topic_id", "platform_id", "channel", "question_kind"]


@dataclass(frozen=True)
class ValidAnswers:
    """A day's valid answers, one row for each group that an answer serves.

    `groups` has one row for every group of the plan, answered or not.
    """

    plan_date: date | None
    groups: pd.DataFrame
    rows: pd.DataFrame


def valid_answers(
    plan: pd.DataFrame,
    answers: pd.DataFrame,
    readings: Mapping[str, pd.DataFrame],
    group: Sequence[str] = GROUP,
) -> ValidAnswers:
    """Return which answers serve which group. `readings` only have to be of the same day.

    Raises IncompleteError when a column is missing or holds nulls, when days are mixed, or
    when a query has two answers.
    """
    day = require_one_day({"query_plan": plan, "raw_answers": answers, **readings})
    asked = asked_prompts(narrow_plan(plan), group)
    served = serving(asked, narrow_queries(answers, "raw_answers"))
    # Sorted, because a sum depends on its order in the last place.
    by = [*group, "prompt_id", "repeat"]
    return ValidAnswers(
        plan_date=day,
        groups=asked[list(group)].drop_duplicates(ignore_index=True),
        rows=served[[*dict.fromkeys([*by, "query_id"])]].sort_values(by, ignore_index=True),
    )


def question_rates(
    rows: pd.DataFrame, rates: Mapping[str, str], count: str, group: Sequence[str] = GROUP
) -> pd.DataFrame:
    """Return rates over questions with their bounds, one row for each group that has any.

    `rows` are answers; `rates` maps a rate's name to the column, 0 to 1, that it is the
    mean of. The questions, in `count`, are the sample size of every rate.
    """
    keys, columns = list(group), list(dict.fromkeys(rates.values()))
    values = rows[[*keys, "prompt_id"]].assign(
        **{column: rows[column].astype("float64") for column in columns}
    )
    by_question = values.groupby([*keys, "prompt_id"], sort=True)[columns].mean()
    by_group = by_question.groupby(keys, sort=True)
    sizes, means, squares = by_group.size(), by_group.mean(), (by_question**2).groupby(keys).sum()
    found = [
        bounded_mean(name, means[column], squares[column], sizes) for name, column in rates.items()
    ]
    return pd.concat([sizes.rename(count), *found], axis=1).reset_index()


def bounded_mean(name: str, mean: pd.Series, squares: pd.Series, count: pd.Series) -> pd.DataFrame:
    """Return a mean over questions and the bounds of its 95 % interval, in columns of its name.

    `squares` is the sum of the questions' squared rates, `count` how many questions there
    are. The variance is that of `clustered_ratios` where every denominator is 1, and needs
    no row for questions whose rate is 0.
    """
    rate, size = mean.to_numpy(np.float64), count.to_numpy(np.float64)
    residual = np.maximum(squares.to_numpy(np.float64) - size * rate**2, 0.0)
    variance = (residual + rate * (1 - rate)) / (size * (size + 1))
    low, high = wilson_bounds(rate, effective_sizes(rate, variance, size))
    return pd.DataFrame({name: mean, f"{name}_low": low, f"{name}_high": high}, index=mean.index)


def day_rows(
    day: ValidAnswers, columns: Sequence[str], *found: pd.DataFrame, group: Sequence[str] = GROUP
) -> pd.DataFrame:
    """Return every group of the plan with what was found for it, in these columns.

    A count that was not found is 0; a rate stays unknown, which is not 0.
    """
    rows = day.groups.sort_values(list(group), ignore_index=True)
    for one in found:
        rows = rows.merge(one, on=list(group), how="left")
    for column in columns:
        if column.endswith("_count"):
            rows[column] = rows[column].fillna(0).astype("int64")
    return dated(rows, day.plan_date)[list(columns)]


def dated(rows: pd.DataFrame, plan_date: date | None) -> pd.DataFrame:
    """Return the rows with their day and the version of what they mean."""
    return rows.assign(
        plan_date=pd.Series([plan_date] * len(rows), index=rows.index, dtype="object"),
        measure_version=pd.Series(MEASURES_VERSION, index=rows.index, dtype="str"),
    )


def counts(
    rows: pd.DataFrame, sums: Mapping[str, str], group: Sequence[str] = GROUP
) -> pd.DataFrame:
    """Return how many answers of each group have a property: name to boolean column."""
    marked = rows[list(group)].assign(
        **{name: rows[column].astype("int64") for name, column in sums.items()}
    )
    return marked.groupby(list(group), sort=True)[list(sums)].sum().reset_index()


def bounded(*rates: str) -> list[str]:
    """Return the columns of rates, each followed by its bounds."""
    return [column for name in rates for column in (name, f"{name}_low", f"{name}_high")]
