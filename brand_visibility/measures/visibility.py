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
from brand_visibility.measures.intervals import effective_sizes, wilson_bounds
from brand_visibility.measures.matching import (
    asked_prompts,
    counted_mentions,
    narrow_plan,
    narrow_queries,
    serving,
)
from brand_visibility.measures.versions import MEASURES_VERSION

# Below this many questions a 95 % interval is wider than about 35 points at p = 0.5.
SMALL_SAMPLE = 30

VISIBILITY_GROUP = [
    "tenant_id",
    "brand_id",
    "topic_id",
    "platform_id",
    "channel",
    "question_kind",
]
_COUNTS = ["planned_count", "answer_count", "question_count", "mentioned_question_count"]
_COLUMNS = [
    "plan_date",
    *VISIBILITY_GROUP,
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
    asked = asked_prompts(narrow_plan(plan), VISIBILITY_GROUP)
    questions = mentions_by_question(plan, answers, mentions)
    planned = asked.groupby(VISIBILITY_GROUP, sort=True)["repeats"].sum().rename("planned_count")
    rows = planned.to_frame().join([_counts(questions), _general(questions), _basket(questions)])
    rows = rows.reset_index()
    rows.insert(0, "plan_date", pd.Series([day] * len(rows), dtype="object"))
    return _with_rates(rows)[_COLUMNS]


def mentions_by_question(
    plan: pd.DataFrame, answers: pd.DataFrame, mentions: pd.DataFrame
) -> pd.DataFrame:
    """Return one row for each row of figures and question with a valid answer.

    It has the columns of `VISIBILITY_GROUP`, `prompt_id`, `answer_count` and
    `question_rate`, the share of the question's valid answers that mention the brand.
    """
    asked = asked_prompts(narrow_plan(plan), VISIBILITY_GROUP)
    served = serving(asked, narrow_queries(answers, "raw_answers"))
    mentioned = counted_mentions(mentions).assign(is_mentioned=1.0)
    found = served.merge(mentioned, on=["query_id", "brand_id"], how="left")
    found["is_mentioned"] = found["is_mentioned"].fillna(0.0)
    by_question = found.groupby([*VISIBILITY_GROUP, "prompt_id"], sort=True)["is_mentioned"]
    return by_question.agg(answer_count="size", question_rate="mean").reset_index()


def _counts(questions: pd.DataFrame) -> pd.DataFrame:
    marked = questions.assign(is_mentioned=questions["question_rate"] > 0)
    return marked.groupby(VISIBILITY_GROUP, sort=True).agg(
        answer_count=("answer_count", "sum"),
        question_count=("prompt_id", "size"),
        mentioned_question_count=("is_mentioned", "sum"),
    )


def _general(questions: pd.DataFrame) -> pd.DataFrame:
    values = questions.assign(numerator=questions["question_rate"], denominator=1.0)
    ratios = clustered_ratios(values, VISIBILITY_GROUP)
    return ratios[["rate", "size"]].set_axis(["mention_rate", "general_size"], axis=1)


def _basket(questions: pd.DataFrame) -> pd.DataFrame:
    """Return each group's effective size as a stratified sample, and the method.

    The variance is that of a mean of independent strata, Σ s² / m / Q² with s² the unbiased
    variance of a question's answers and m their number (Cochran, 1977, section 5.6), and one
    more question: its answers vary as all the group's together do, or as half of one that
    differs, whichever is more. Few repeats that happen to agree are no proof that they
    always would. A question with a single answer shows no variance of its own and is given
    the group's; if all are such, the interval is Wilson's.
    """
    group = questions.groupby(VISIBILITY_GROUP, sort=True)
    rate, count = questions["question_rate"], questions["answer_count"]
    mean = group["question_rate"].transform("mean")
    spread = mean * (1 - mean)
    within = (rate * (1 - rate) * count / (count - 1)).where(count > 1, spread)
    terms = questions[VISIBILITY_GROUP].assign(
        variance=within / count, step=1 / count, is_repeated=count > 1, rate=rate
    )
    sums = terms.groupby(VISIBILITY_GROUP, sort=True).agg(
        variance=("variance", "sum"),
        steps=("step", "sum"),
        is_repeated=("is_repeated", "any"),
        rate=("rate", "mean"),
        size=("rate", "size"),
    )
    return _basket_sizes(sums)


def _basket_sizes(sums: pd.DataFrame) -> pd.DataFrame:
    size = sums["size"].to_numpy(dtype=np.float64)
    steps = sums["steps"].to_numpy(dtype=np.float64)
    rate = sums["rate"].to_numpy(dtype=np.float64)
    is_repeated = sums["is_repeated"].to_numpy(dtype=bool)
    step, spread = steps / size, rate * (1 - rate)
    pseudo = np.where(is_repeated, np.maximum(spread, step / 2), spread) * step
    variance = (sums["variance"].to_numpy(dtype=np.float64) + pseudo) / (size * (size + 1))
    return pd.DataFrame(
        {
            "basket_size": effective_sizes(rate, variance, size**2 / steps),
            "basket_method": np.where(is_repeated, "stratified", "wilson"),
        },
        index=sums.index,
    )


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
        measure_version=pd.Series(MEASURES_VERSION, index=rows.index, dtype="str"),
    )
