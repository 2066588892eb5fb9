"""How alike repeated answers are: within a day (noise) and from day to day (noise, drift).

What counts is the set of the tenant's brands that an answer names, to questions that name
none. Whether one brand's figure has changed belongs to `changes`.
"""

import numpy as np
import pandas as pd

from brand_visibility.measures.day_frames import DayFrames
from brand_visibility.measures.noise import noise_floors
from brand_visibility.measures.questions import dated
from brand_visibility.measures.voices import (
    SCOPE,
    named_brands,
    tracked_brands,
    unasked_answers,
)

_QUESTION = [*SCOPE, "prompt_id"]
_COLUMNS = [
    "plan_date",
    *SCOPE,
    "repeated_question_count",
    "within_distance",
    "stability",
    "common_question_count",
    "between_distance",
    "day_to_day_stability",
    "drift",
    "noise_floor",
    "measure_version",
]


def stability_daily(today: DayFrames, yesterday: DayFrames | None) -> pd.DataFrame:
    """Return the columns of `out_stability_daily`: a row for each topic and platform.

    `stability` is 1 less the mean Jaccard distance of the brand sets of two repeats: over
    the pairs of a question's answers, then over questions with two or more. Two answers
    that name nobody are alike. `between_distance` is the same for an answer of today and
    one of yesterday, over the questions with two answers or more on both days, and `drift`
    what it exceeds the mean of those questions' two within-distances by: 0 on average where
    nothing moved. What is not known is NaN.

    The order of input rows changes nothing in the result.

    Raises IncompleteError when a column is missing or holds nulls.
    """
    rows = tracked_brands(today.plan)[SCOPE].drop_duplicates().sort_values(SCOPE)
    within = _within(today)
    found = [_per_scope(within, "within_distance", "repeated_question_count"), noise_floors(today)]
    if yesterday is not None:
        found.append(_between(today, yesterday, within))
    for part in found:
        rows = rows.merge(part, on=SCOPE, how="left")
    rows = rows.reindex(columns=[*SCOPE, *(name for name in _COLUMNS if name not in SCOPE)])
    for count in ("repeated_question_count", "common_question_count"):
        rows[count] = rows[count].fillna(0).astype("int64")
    for name in ("within_distance", "between_distance", "drift", "noise_floor"):
        rows[name] = rows[name].astype("float64")
    rows = rows.assign(
        stability=1 - rows["within_distance"], day_to_day_stability=1 - rows["between_distance"]
    )
    return dated(rows, today.plan_date)[_COLUMNS]


def _within(day: DayFrames) -> pd.DataFrame:
    """Return each repeated question's mean distance of two of its answers."""
    sets = _brand_sets(day)
    pairs = sets.merge(sets, on=_QUESTION, suffixes=("", "_other"))
    return _distances(pairs[pairs["repeat"] < pairs["repeat_other"]])


def _between(today: DayFrames, yesterday: DayFrames, within: pd.DataFrame) -> pd.DataFrame:
    before = _within(yesterday)
    own = within.merge(before, on=_QUESTION, suffixes=("", "_before"))
    pairs = _brand_sets(today).merge(_brand_sets(yesterday), on=_QUESTION, suffixes=("", "_other"))
    both = own.merge(_distances(pairs), on=_QUESTION, suffixes=("", "_between"))
    both["drift"] = both["distance_between"] - (both["distance"] + both["distance_before"]) / 2
    means = both.groupby(SCOPE, sort=True).agg(
        common_question_count=("prompt_id", "size"),
        between_distance=("distance_between", "mean"),
        drift=("drift", "mean"),
    )
    return means.reset_index()


def _per_scope(distances: pd.DataFrame, name: str, count: str) -> pd.DataFrame:
    by_scope = distances.groupby(SCOPE, sort=True)["distance"]
    return by_scope.agg(["mean", "size"]).set_axis([name, count], axis=1).reset_index()


def _brand_sets(day: DayFrames) -> pd.DataFrame:
    """Return every answer with the set of tracked brands that it names."""
    served = unasked_answers(day.plan, day.answers)
    named = named_brands(tracked_brands(day.plan), served, day.mentions)
    key = [*SCOPE, "query_id"]
    sets = named.groupby(key, sort=True)["brand_id"].agg(frozenset).rename("brands")
    return served.merge(sets.reset_index(), on=key, how="left")


def _distances(pairs: pd.DataFrame) -> pd.DataFrame:
    distances = [
        jaccard_distance(_as_set(one), _as_set(other))
        for one, other in zip(pairs["brands"], pairs["brands_other"], strict=True)
    ]
    measured = pairs[_QUESTION].assign(distance=np.array(distances, dtype=np.float64))
    return measured.groupby(_QUESTION, sort=True)["distance"].mean().reset_index()


def _as_set(brands: object) -> frozenset[str]:
    # An answer that names nobody has no row to be joined with.
    return brands if isinstance(brands, frozenset) else frozenset()


def jaccard_distance(one: frozenset[str], other: frozenset[str]) -> float:
    """Return 1 - |both| / |either|, 0 for two empty sets.

    Jaccard, P. (1912), "The distribution of the flora in the alpine zone", New Phytologist
    11, 37-50.
    """
    either = len(one | other)
    return 1 - len(one & other) / either if either else 0.0
