"""How often a brand is mentioned, with its coverage and both its intervals, for one day.

Share of voice compares brands with one another and has its own module; whether a rate has
changed belongs to `changes`.
"""

import numpy as np
import pandas as pd

from brand_visibility.domain.imports import IMPORT_CHANNEL
from brand_visibility.measures.clusters import clustered_ratios
from brand_visibility.measures.detectable import smallest_detectable_change
from brand_visibility.measures.frames import require_one_day
from brand_visibility.measures.intervals import wilson_bounds
from brand_visibility.measures.matching import (
    asked_prompts,
    counted_mentions,
    narrow_plan,
    narrow_queries,
    serving,
)
from brand_visibility.measures.questions import GROUP, dated
from brand_visibility.measures.strata import stratified_sizes

# Below this many questions a 95 % interval is wider than about 35 points at p = 0.5.
SMALL_SAMPLE = 30

_COUNTS = ["planned_count", "answer_count", "question_count", "mentioned_question_count"]
_COLUMNS = [
    "plan_date",
    *GROUP,
    "planned_count",
    "answer_count",
    "coverage_rate",
    "question_count",
    "mentioned_question_count",
    "mention_rate",
    "basket_low",
    "basket_high",
    "basket_method",
    "general_low",
    "general_high",
    "is_small_sample",
    "smallest_detectable_change",
    "measure_version",
]


def visibility_daily(
    plan: pd.DataFrame, answers: pd.DataFrame, mentions: pd.DataFrame
) -> pd.DataFrame:
    """Return the columns of `out_visibility_daily` for one day and any number of platforms.

    `plan`, `answers` and `mentions` are rows of `query_plan`, `raw_answers` and
    `core_mentions`. Every brand, topic, platform, channel and kind of question in the
    plan has one row, also when nothing was answered: its coverage is then 0 and its rate
    NaN, never 0. Nobody planned what was imported: there both the planned count and the
    coverage are unknown.

    The rate is the mean over questions of the mean over their valid repeats. Its `basket`
    interval is about these very questions: only their answers vary (strata). Its `general`
    interval is about all questions of this sort: the questions vary too (clusters).

    The order of input rows changes nothing in the result.

    Raises IncompleteError when a column is missing or holds nulls, when days are mixed,
    or when a query has two answers.
    """
    day = require_one_day({"query_plan": plan, "raw_answers": answers, "core_mentions": mentions})
    asked = asked_prompts(narrow_plan(plan), GROUP)
    questions = mentions_by_question(plan, answers, mentions)
    planned = asked.groupby(GROUP, sort=True)["repeats"].sum().rename("planned_count")
    rows = planned.to_frame().join([_counts(questions), _general(questions), _basket(questions)])
    return dated(_with_rates(rows.reset_index()), day)[_COLUMNS]


def mentions_by_question(
    plan: pd.DataFrame, answers: pd.DataFrame, mentions: pd.DataFrame
) -> pd.DataFrame:
    """Return one row for each row of figures and question with a valid answer.

    It has the columns of `GROUP`, `prompt_id`, `answer_count` and
    `question_rate`, the share of the question's valid answers that mention the brand.
    """
    asked = asked_prompts(narrow_plan(plan), GROUP)
    served = serving(asked, narrow_queries(answers, "raw_answers"))
    mentioned = counted_mentions(mentions).assign(is_mentioned=1.0)
    found = served.merge(mentioned, on=["query_id", "brand_id"], how="left")
    found["is_mentioned"] = found["is_mentioned"].fillna(0.0)
    by_question = found.groupby([*GROUP, "prompt_id"], sort=True)["is_mentioned"]
    return by_question.agg(answer_count="size", question_rate="mean").reset_index()


def _counts(questions: pd.DataFrame) -> pd.DataFrame:
    marked = questions.assign(is_mentioned=questions["question_rate"] > 0)
    return marked.groupby(GROUP, sort=True).agg(
        answer_count=("answer_count", "sum"),
        question_count=("prompt_id", "size"),
        mentioned_question_count=("is_mentioned", "sum"),
    )


def _general(questions: pd.DataFrame) -> pd.DataFrame:
    values = questions.assign(numerator=questions["question_rate"], denominator=1.0)
    ratios = clustered_ratios(values, GROUP)
    return ratios[["rate", "size"]].set_axis(["mention_rate", "general_size"], axis=1)


def _basket(questions: pd.DataFrame) -> pd.DataFrame:
    strata = stratified_sizes(questions, GROUP)
    return strata[["size", "method"]].set_axis(["basket_size", "basket_method"], axis=1)


def _with_rates(rows: pd.DataFrame) -> pd.DataFrame:
    # The left join leaves NaN where a group has no valid answer: counts become 0, the
    # rate stays unknown.
    counts = rows[_COUNTS].fillna(0).astype("int64")
    planned = counts["planned_count"].where(rows["channel"] != IMPORT_CHANNEL)
    rate = rows["mention_rate"].to_numpy(dtype=np.float64)
    basket_size = rows["basket_size"].fillna(0).to_numpy(dtype=np.float64)
    basket = wilson_bounds(rate, basket_size)
    general = wilson_bounds(rate, rows["general_size"].fillna(0).to_numpy(dtype=np.float64))
    return rows.assign(
        **{name: counts[name] for name in _COUNTS} | {"planned_count": planned},
        coverage_rate=counts["answer_count"] / planned,
        mention_rate=rate,
        basket_low=basket[0],
        basket_high=basket[1],
        basket_method=rows["basket_method"].astype("str"),
        general_low=general[0],
        general_high=general[1],
        is_small_sample=counts["question_count"] < SMALL_SAMPLE,
        smallest_detectable_change=smallest_detectable_change(rate, basket_size),
    )
