"""How often a brand is mentioned, with its coverage and its interval, for one day.

Share of voice compares brands with one another and has its own module.
"""

import numpy as np
import pandas as pd

from brand_visibility.domain.imports import IMPORT_CHANNEL
from brand_visibility.measures.frames import require_one_day
from brand_visibility.measures.intervals import wilson_bounds
from brand_visibility.measures.matching import (
    asked_prompts,
    counted_mentions,
    narrow_plan,
    narrow_queries,
    serving,
)

# Below this many questions a 95 % interval is wider than about 35 points at p = 0.5.
SMALL_SAMPLE = 30

_GROUP = ["tenant_id", "brand_id", "topic_id", "platform_id", "channel", "question_kind"]
_COUNTS = ["planned_count", "answer_count", "question_count", "mentioned_question_count"]
_COLUMNS = [
    "plan_date",
    *_GROUP,
    "planned_count",
    "answer_count",
    "coverage_rate",
    "question_count",
    "mentioned_question_count",
    "mention_rate",
    "mention_rate_low",
    "mention_rate_high",
    "is_small_sample",
]


def visibility_daily(
    plan: pd.DataFrame, answers: pd.DataFrame, mentions: pd.DataFrame
) -> pd.DataFrame:
    """Return the columns of `out_visibility_daily` for one day and any number of platforms.

    `plan`, `answers` and `mentions` are rows of `query_plan`, `raw_answers` and
    `core_mentions`. Every brand, topic, platform, channel and kind of question in the
    plan has one row, also when nothing was answered: its coverage is then 0 and its rate
    NaN, never 0. Nobody planned what was imported: there both the planned count and the
    coverage are unknown. The rate is the mean over questions of the mean over their valid
    repeats; its interval takes the question as the observation, because repeats of one
    question are not independent.

    The order of input rows changes nothing in the result.

    Raises IncompleteError when a column is missing or holds nulls, when days are mixed,
    or when a query has two answers.
    """
    day = require_one_day({"query_plan": plan, "raw_answers": answers, "core_mentions": mentions})
    asked = asked_prompts(narrow_plan(plan), _GROUP)
    served = serving(asked, narrow_queries(answers, "raw_answers"))
    questions = _question_rates(served, counted_mentions(mentions))
    planned = asked.groupby(_GROUP, sort=True)["repeats"].sum().rename("planned_count")
    rows = planned.to_frame().join(_group_rates(questions)).reset_index()
    rows.insert(0, "plan_date", pd.Series([day] * len(rows), dtype="object"))
    return _with_rates(rows)[_COLUMNS]


def _question_rates(served: pd.DataFrame, mentioned: pd.DataFrame) -> pd.DataFrame:
    found = served.merge(
        mentioned.assign(is_mentioned=1.0), on=["query_id", "brand_id"], how="left"
    )
    found["is_mentioned"] = found["is_mentioned"].fillna(0.0)
    by_question = found.groupby([*_GROUP, "prompt_id"], sort=True)["is_mentioned"]
    return by_question.agg(answer_count="size", question_rate="mean").reset_index()


def _group_rates(questions: pd.DataFrame) -> pd.DataFrame:
    marked = questions.assign(is_mentioned=questions["question_rate"] > 0)
    return marked.groupby(_GROUP, sort=True).agg(
        answer_count=("answer_count", "sum"),
        question_count=("prompt_id", "size"),
        mentioned_question_count=("is_mentioned", "sum"),
        mention_rate=("question_rate", "mean"),
    )


def _with_rates(rows: pd.DataFrame) -> pd.DataFrame:
    # The left join leaves NaN where a group has no valid answer: counts become 0, the
    # rate stays unknown.
    counts = rows[_COUNTS].fillna(0).astype("int64")
    planned = counts["planned_count"].where(rows["channel"] != IMPORT_CHANNEL)
    rate = rows["mention_rate"].to_numpy(dtype=np.float64)
    low, high = wilson_bounds(rate, counts["question_count"].to_numpy(dtype=np.float64))
    return rows.assign(
        **{name: counts[name] for name in _COUNTS} | {"planned_count": planned},
        coverage_rate=counts["answer_count"] / planned,
        mention_rate=rate,
        mention_rate_low=low,
        mention_rate_high=high,
        is_small_sample=counts["question_count"] < SMALL_SAMPLE,
    )
