"""Where a brand stands in answers: its rank in lists, and how early it is mentioned.

Rank and order of mention are different things and are never mixed: a rank is a place in a
list that the answer makes, the order is when the brand first comes up.
"""

from collections.abc import Mapping

import pandas as pd

from brand_visibility.measures.frames import narrow, require_columns
from brand_visibility.measures.questions import (
    GROUP,
    ValidAnswers,
    bounded,
    counts,
    day_rows,
    question_rates,
    valid_answers,
)

_TOP = 3
_OF_A_BRAND = ["query_id", "tenant_id", "brand_id"]
_NUMBERS = ["order_of_mention", "first_offset", "text_length", "list_index", "rank", "list_length"]
_RATES = {
    "first_rank_rate": "is_first",
    "top3_rank_rate": "is_top3",
    "mean_reciprocal_rank": "reciprocal_rank",
}
_COUNTS = {"listed_answer_count": "is_listed", "mentioning_answer_count": "is_mentioned"}
# Means over the answers that have the figure at all.
_MEANS = {
    "mean_rank": "rank",
    "mean_list_length": "list_length",
    "mean_order_of_mention": "order_of_mention",
    "mean_prominence": "prominence",
}
_COLUMNS = [
    "plan_date",
    *GROUP,
    "answer_count",
    "question_count",
    *bounded(*_RATES),
    "listed_answer_count",
    "mean_rank",
    "mean_list_length",
    "mentioning_answer_count",
    "mean_order_of_mention",
    "mean_prominence",
    "measure_version",
]


def rank_daily(plan: pd.DataFrame, answers: pd.DataFrame, ranks: pd.DataFrame) -> pd.DataFrame:
    """Return the columns of `out_rank_daily` for one day and any number of platforms.

    The rates are over all valid answers: an answer without the brand, or with it outside
    any list, is no first place, and its reciprocal rank is 0. In an answer with several
    lists the brand's best place counts. The means are over the answers that rank it, or
    mention it, and unknown where none does.

    Raises IncompleteError as `valid_answers` does, and when a column of `ranks` is missing.
    """
    day = valid_answers(plan, answers, {"core_ranks": ranks})
    placed = _placed(day, _best_places(ranks))
    return day_rows(
        day,
        _COLUMNS,
        question_rates(placed, _RATES, "question_count"),
        counts(placed, {"answer_count": "is_answered"} | _COUNTS),
        _means(placed, _MEANS),
    )


def _best_places(ranks: pd.DataFrame) -> pd.DataFrame:
    """Return one row for each answer and brand it mentions: its best place, if it has any."""
    require_columns(ranks, "core_ranks", _NUMBERS)
    keys = narrow(ranks, "core_ranks", dict.fromkeys(_OF_A_BRAND, "str"))
    places = keys.join(ranks[_NUMBERS].astype("float64"))
    ordered = places.sort_values([*_OF_A_BRAND, "rank", "list_index"], na_position="last")
    return ordered.drop_duplicates(_OF_A_BRAND)


def _placed(day: ValidAnswers, places: pd.DataFrame) -> pd.DataFrame:
    rows = day.rows.merge(places, on=_OF_A_BRAND, how="left")
    return rows.assign(
        is_answered=True,
        is_mentioned=rows["order_of_mention"].notna(),
        is_listed=rows["rank"].notna(),
        is_first=rows["rank"] == 1,
        is_top3=rows["rank"] <= _TOP,
        reciprocal_rank=(1.0 / rows["rank"]).fillna(0.0),
        prominence=1.0 - rows["first_offset"] / rows["text_length"],
    )


def _means(rows: pd.DataFrame, means: Mapping[str, str]) -> pd.DataFrame:
    by_group = rows.groupby(GROUP, sort=True)[list(means.values())].mean()
    return by_group.set_axis(list(means), axis=1).reset_index()
