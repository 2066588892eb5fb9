"""Where the line between two days breaks, so that a difference is no change of a brand.

The comparison itself belongs to `changes`.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from brand_visibility.domain.imports import IMPORT_CHANNEL
from brand_visibility.measures.day_frames import DayFrames
from brand_visibility.measures.matching import asked_prompts, narrow_plan
from brand_visibility.measures.questions import GROUP, valid_answers
from brand_visibility.measures.voices import SCOPE, tracked_brands

MODEL_CHANGED = "model_changed"
SEARCH_CHANGED = "search_changed"
LOW_COVERAGE = "low_coverage"
BRANDS_CHANGED = "brands_changed"

_PLATFORM = ["platform_id", "channel"]
_SEARCHED, _NOT_SEARCHED = "searched", "not_searched"


@dataclass(frozen=True, slots=True)
class BreakRules:
    """What breaks the line.

    Fewer answers than `min_coverage` of those planned, on either day, is an incident of the
    collection. A share of searching answers that moves by more than `max_search_shift` is
    another product.
    """

    min_coverage: float = 0.8
    max_search_shift: float = 0.2


def platform_breaks(today: DayFrames, yesterday: DayFrames, rules: BreakRules) -> pd.DataFrame:
    """Return the reason, or None, for each platform and channel that answered on both days.

    The model of a day is the one that most of its answers report. A model or a search that
    is not reported, as in imports, breaks nothing.
    """
    served = _served(today).merge(_served(yesterday), on=_PLATFORM, suffixes=("", "_before"))
    shift = (served["searched"] - served["searched_before"]).abs()
    has_models = served["model"].ne("") & served["model_before"].ne("")
    other_model = has_models & served["model"].ne(served["model_before"])
    reason = pd.Series(None, index=served.index, dtype="object")
    reason[shift > rules.max_search_shift] = SEARCH_CHANGED
    reason[other_model] = MODEL_CHANGED
    return served[_PLATFORM].assign(platform_break=reason)


def coverage_breaks(day: DayFrames, rules: BreakRules) -> pd.DataFrame:
    """Return `is_covered` for each row of figures; nobody planned what was imported."""
    planned = asked_prompts(narrow_plan(day.plan), GROUP).groupby(GROUP, sort=True)["repeats"].sum()
    answered = valid_answers(day.plan, day.answers, {}).rows.groupby(GROUP, sort=True).size()
    rate = (answered.reindex(planned.index).fillna(0) / planned).rename("is_covered")
    rows = rate.ge(rules.min_coverage).reset_index()
    rows["is_covered"] |= rows["channel"] == IMPORT_CHANNEL
    return rows


def changed_scopes(today: DayFrames, yesterday: DayFrames) -> pd.DataFrame:
    """Return the scopes of voices whose tracked brands are not the same on both days."""
    sets = [_tracked(day).rename(name) for name, day in (("now", today), ("then", yesterday))]
    both = pd.concat(sets, axis=1, join="inner")
    return both[both["now"] != both["then"]].reset_index()[SCOPE]


def _served(day: DayFrames) -> pd.DataFrame:
    answers = day.answers[_PLATFORM].astype("str")
    for column in ("model", "search"):
        given = day.answers.get(column)
        answers[column] = "" if given is None else given.fillna("").astype("str")
    is_known = answers["search"].isin([_SEARCHED, _NOT_SEARCHED])
    answers["searched"] = answers["search"].eq(_SEARCHED).astype("float64").where(is_known, np.nan)
    counts = answers.groupby([*_PLATFORM, "model"]).size().rename("count").reset_index()
    counts = counts.sort_values([*_PLATFORM, "count", "model"], ascending=[True, True, False, True])
    models = counts.drop_duplicates(_PLATFORM)[[*_PLATFORM, "model"]]
    searched = answers.groupby(_PLATFORM)["searched"].mean().reset_index()
    return models.merge(searched, on=_PLATFORM)


def _tracked(day: DayFrames) -> pd.Series:
    brands = tracked_brands(day.plan)
    return brands.groupby(SCOPE)["brand_id"].agg(tuple)
