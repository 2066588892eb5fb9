"""Whether a day's figures differ from those of the day before by more than chance.

How one measure is compared belongs to `paired`, what cannot be compared to `breaks`, and
what a measure is to `question_values`.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import timedelta

import numpy as np
import pandas as pd

from brand_visibility.domain.catalog import QuestionKind
from brand_visibility.measures.breaks import (
    BRANDS_CHANGED,
    LOW_COVERAGE,
    BreakRules,
    changed_scopes,
    coverage_breaks,
    platform_breaks,
)
from brand_visibility.measures.day_frames import DayFrames
from brand_visibility.measures.false_discovery import q_values
from brand_visibility.measures.matching import narrow_plan
from brand_visibility.measures.paired import DayValues, paired_change
from brand_visibility.measures.question_values import (
    FIRST_RANK_RATE,
    MENTION_RATE,
    SHARE_OF_VOICE,
    question_values,
)
from brand_visibility.measures.questions import GROUP, dated
from brand_visibility.measures.voices import SCOPE

NO_PREVIOUS_DAY = "no_previous_day"
FEW_COMMON_QUESTIONS = "few_common_questions"
NO_VALUE = "no_value"

KEYS = [*GROUP, "measure"]
_FIGURES = ["value", "previous_value", "change", "change_low", "change_high", "p_value"]
_COLUMNS = [
    "plan_date",
    *KEYS,
    "common_question_count",
    *_FIGURES[:-1],
    "is_comparable",
    "incomparable_reason",
    "p_value",
    "q_value",
    "is_significant",
    "is_alert",
    "measure_version",
]


@dataclass(frozen=True, slots=True)
class ChangeRules:
    """When a change is told.

    `min_effect` is a difference of rates: 0.05 is five points. Of the changes that are
    significant, a share of `max_false_share` are false on average.
    """

    min_questions: int = 20
    min_effect: float = 0.05
    max_false_share: float = 0.1
    breaks: BreakRules = field(default_factory=BreakRules)


def changes_daily(
    today: DayFrames,
    yesterday: DayFrames | None,
    previous_changes: pd.DataFrame | None = None,
    rules: ChangeRules | None = None,
) -> pd.DataFrame:
    """Return the columns of `out_changes_daily`: every row of figures and its measures.

    A row that cannot be compared says why and has no p value. A change is significant if
    both its q value and its size pass the rules. It becomes an alert on the day after, if
    it is still there: `previous_changes` are yesterday's rows, and today's value has to be
    as far on the same side of the value before the change, for a step is no change on its
    second day. A single odd day therefore alerts nobody.

    The order of input rows changes nothing in the result.

    Raises ValueError when the days do not follow one another, and IncompleteError when a
    column is missing or holds nulls.
    """
    limits = rules or ChangeRules()
    rows = _planned_rows(today)
    if yesterday is None:
        return _finished(rows.assign(incomparable_reason=NO_PREVIOUS_DAY), today, None, limits)
    if yesterday.plan_date != today.plan_date - timedelta(days=1):
        raise ValueError(
            f"yesterday: found {yesterday.plan_date}; expected the day before {today.plan_date}"
        )
    rows = _with_breaks(rows, today, yesterday, limits)
    return _finished(_compared(rows, today, yesterday, limits), today, previous_changes, limits)


def _planned_rows(today: DayFrames) -> pd.DataFrame:
    groups = narrow_plan(today.plan)[GROUP].drop_duplicates()
    is_unasked = groups["question_kind"] == QuestionKind.NON_BRAND.value
    measures = {MENTION_RATE: groups, SHARE_OF_VOICE: groups[is_unasked]}
    if today.has_ranks:
        measures[FIRST_RANK_RATE] = groups
    rows = pd.concat([part.assign(measure=name) for name, part in measures.items()])
    return rows.sort_values(KEYS, ignore_index=True)


def _with_breaks(
    rows: pd.DataFrame, today: DayFrames, yesterday: DayFrames, rules: ChangeRules
) -> pd.DataFrame:
    """Return the rows with the first reason, in this order, not to compare them."""
    found = rows.assign(incomparable_reason=pd.Series(None, index=rows.index, dtype="object"))
    for day in (today, yesterday):
        covered = coverage_breaks(day, rules.breaks)
        # A row that was not planned the day before has no common question: said below.
        is_covered = found[GROUP].merge(covered, on=GROUP, how="left")["is_covered"].ne(other=False)
        found.loc[~is_covered, "incomparable_reason"] = LOW_COVERAGE
    platforms = platform_breaks(today, yesterday, rules.breaks)
    reasons = found[["platform_id", "channel"]].merge(platforms, how="left")["platform_break"]
    found["incomparable_reason"] = found["incomparable_reason"].where(
        found["incomparable_reason"].notna(), reasons
    )
    changed = changed_scopes(today, yesterday).assign(is_changed=True)
    has_other_brands = found[SCOPE].merge(changed, how="left")["is_changed"].notna()
    is_new = found["incomparable_reason"].isna() & found["measure"].eq(SHARE_OF_VOICE)
    found.loc[is_new & has_other_brands, "incomparable_reason"] = BRANDS_CHANGED
    return found


def _compared(
    rows: pd.DataFrame, today: DayFrames, yesterday: DayFrames, rules: ChangeRules
) -> pd.DataFrame:
    pairs = question_values(today).merge(
        question_values(yesterday), on=[*KEYS, "prompt_id"], suffixes=("", "_before")
    )
    pairs = pairs.sort_values([*KEYS, "prompt_id"], ignore_index=True)
    figures = pd.DataFrame.from_records(
        list(_figures(pairs, rules)), columns=[*KEYS, "common_question_count", *_FIGURES]
    )
    return rows.merge(figures.astype(dict.fromkeys(KEYS, "str")), on=KEYS, how="left")


def _figures(pairs: pd.DataFrame, rules: ChangeRules) -> Iterator[list[object]]:
    columns = ["numerator", "denominator", "answer_count"]
    both = pairs[[*columns, *(f"{name}_before" for name in columns)]].to_numpy(dtype=np.float64)
    keys = pairs[KEYS].to_numpy(dtype=np.object_)
    for places in pairs.groupby(KEYS, sort=True).indices.values():
        names = keys[places[0]]
        values = both[places]
        now, then = (DayValues(*part.T) for part in (values[:, :3], values[:, 3:]))
        known = (now.value, then.value)
        if len(values) < rules.min_questions or np.isnan(known).any():
            yield [*names, len(values), *known, *[np.nan] * 4]
            continue
        found = paired_change(now, then)
        yield [*names, len(values), *known, found.change, found.low, found.high, found.p_value]


def _finished(
    rows: pd.DataFrame,
    today: DayFrames,
    previous_changes: pd.DataFrame | None,
    rules: ChangeRules,
) -> pd.DataFrame:
    found = rows.reindex(columns=[*KEYS, "common_question_count", *_FIGURES, "incomparable_reason"])
    found[_FIGURES] = found[_FIGURES].astype("float64")
    count = found["common_question_count"].fillna(0).astype("int64")
    found["common_question_count"] = count
    reason = found["incomparable_reason"].astype("object")
    reason = reason.where(reason.notna() | (count >= rules.min_questions), FEW_COMMON_QUESTIONS)
    reason = reason.where(reason.notna() | found["change"].notna(), NO_VALUE)
    is_comparable = reason.isna()
    p_value = found["p_value"].where(is_comparable)
    q_value = q_values(p_value.to_numpy(dtype=np.float64))
    # The nudge keeps a change of exactly the limit from missing it by its binary fraction.
    is_large = found["change"].abs() >= rules.min_effect - 1e-9
    found = found.assign(
        is_comparable=is_comparable,
        incomparable_reason=reason.astype("str"),
        p_value=p_value,
        q_value=q_value,
        is_significant=(q_value <= rules.max_false_share) & is_large,
    )
    found["is_alert"] = _is_still_there(found, previous_changes, rules)
    return dated(found, today.plan_date)[_COLUMNS]


def _is_still_there(
    found: pd.DataFrame, previous_changes: pd.DataFrame | None, rules: ChangeRules
) -> pd.Series:
    if previous_changes is None:
        return pd.Series(data=False, index=found.index)
    first = previous_changes.loc[
        previous_changes["is_significant"].astype("bool"), [*KEYS, "change", "previous_value"]
    ]
    joined = found[[*KEYS, "value"]].merge(
        first.rename(columns={"previous_value": "baseline"}), on=KEYS, how="left"
    )
    distance = (joined["value"] - joined["baseline"]) * np.sign(joined["change"])
    is_there: pd.Series = found["is_comparable"] & (distance >= rules.min_effect - 1e-9)
    return is_there
