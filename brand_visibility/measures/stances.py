"""How answers that mention a brand stand to it.

Whether they mention it at all belongs to `visibility`.
"""

import pandas as pd

from brand_visibility.measures.frames import narrow, require_unique
from brand_visibility.measures.questions import (
    GROUP,
    bounded,
    counts,
    day_rows,
    question_rates,
    valid_answers,
)

_ABSENT = "absent"
_STANCES = ("recommended", "neutral", "negative", "unjudged")
_OF_A_BRAND = ["query_id", "tenant_id", "brand_id"]
_RATES = {f"{stance}_rate": f"is_{stance}" for stance in _STANCES}
_COUNTS = {f"{stance}_answer_count": f"is_{stance}" for stance in _STANCES}
_COLUMNS = [
    "plan_date",
    *GROUP,
    "answer_count",
    "mentioning_answer_count",
    "mentioning_question_count",
    "absent_answer_count",
    *_COUNTS,
    *bounded(*_RATES),
    "measure_version",
]


def stance_daily(plan: pd.DataFrame, answers: pd.DataFrame, stances: pd.DataFrame) -> pd.DataFrame:
    """Return the columns of `out_stance_daily` for one day and any number of platforms.

    The rates are over the answers that mention the brand, and their four sum to 1: what
    the rules could not judge is a share of its own and never neutral. Answers without the
    brand, and those that say they know nothing of it, are counted as absent, apart.

    Raises IncompleteError as `valid_answers` does, and when a column of `stances` is
    missing or holds nulls, or an answer has two stances to a brand.
    """
    day = valid_answers(plan, answers, {"core_stances": stances})
    judged = narrow(stances, "core_stances", dict.fromkeys((*_OF_A_BRAND, "stance"), "str"))
    require_unique(judged, "core_stances", _OF_A_BRAND)
    rows = day.rows.merge(judged, on=_OF_A_BRAND, how="left")
    is_absent = rows["stance"].isna() | (rows["stance"] == _ABSENT)
    rows = rows.assign(
        is_answered=True,
        is_absent=is_absent,
        is_mentioning=~is_absent,
        **{f"is_{stance}": (rows["stance"] == stance).fillna(value=False) for stance in _STANCES},
    )
    all_counts = {
        "answer_count": "is_answered",
        "mentioning_answer_count": "is_mentioning",
        "absent_answer_count": "is_absent",
    } | _COUNTS
    return day_rows(
        day,
        _COLUMNS,
        counts(rows, all_counts),
        question_rates(rows[rows["is_mentioning"]], _RATES, "mentioning_question_count"),
    )
