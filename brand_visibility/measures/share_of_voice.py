"""How the attention of answers divides among the brands a tenant watches in a topic.

Only questions that name no brand count. How often one brand is mentioned, whatever the
others do, belongs to `visibility`.
"""

import pandas as pd

from brand_visibility.domain.catalog import QuestionKind
from brand_visibility.measures.frames import require_one_day
from brand_visibility.measures.matching import (
    asked_prompts,
    counted_mentions,
    narrow_plan,
    narrow_queries,
    serving,
)

_SCOPE = ["tenant_id", "topic_id", "platform_id", "channel"]
_KEYS = ["tenant_id", "brand_id", "topic_id", "platform_id", "channel"]
_COLUMNS = [
    "plan_date",
    *_KEYS,
    "answer_count",
    "share_by_answers",
    "mentioning_answer_count",
    "share_by_counts",
]


def share_of_voice_daily(
    plan: pd.DataFrame, answers: pd.DataFrame, mentions: pd.DataFrame
) -> pd.DataFrame:
    """Return the columns of `out_share_of_voice_daily` for one day and any platforms.

    The tracked brands are those of the tenant that are planned for the topic; each has
    one row for each platform and channel. `share_by_answers` is the mean, over valid
    answers that name a tracked brand, of 1 / (tracked brands named) where this brand is
    one of them. `share_by_counts` is the brand's mentioning answers over their sum for
    all tracked brands. Both sum to 1 over the brands, and both are NaN when no answer
    names any.

    The order of input rows changes nothing in the result.

    Raises IncompleteError when a column is missing or holds nulls, when days are mixed,
    or when a query has two answers.
    """
    day = require_one_day({"query_plan": plan, "raw_answers": answers, "core_mentions": mentions})
    tasks = narrow_plan(plan)
    tracked = tasks[_KEYS].drop_duplicates().sort_values(_KEYS, ignore_index=True)
    named = _named_brands(tasks, tracked, answers, mentions)
    rows = tracked.merge(_brand_totals(named), on=_KEYS, how="left")
    rows = rows.merge(_scope_totals(named), on=_SCOPE, how="left")
    rows.insert(0, "plan_date", pd.Series([day] * len(rows), dtype="object"))
    return _with_shares(rows)[_COLUMNS]


def _named_brands(
    tasks: pd.DataFrame, tracked: pd.DataFrame, answers: pd.DataFrame, mentions: pd.DataFrame
) -> pd.DataFrame:
    """Return one row for each valid answer and tracked brand it names, with its weight."""
    asked = asked_prompts(tasks[tasks["question_kind"] == QuestionKind.NON_BRAND.value], _SCOPE)
    served = serving(asked, narrow_queries(answers, "raw_answers"))
    found = served.merge(counted_mentions(mentions), on="query_id").merge(tracked, on=_KEYS)
    # Sorted, because the sum of the weights depends on their order in the last place.
    found = found.sort_values([*_KEYS, "query_id"], ignore_index=True)
    named_count = found.groupby([*_SCOPE, "query_id"])["brand_id"].transform("size")
    return found.assign(weight=1.0 / named_count)


def _brand_totals(named: pd.DataFrame) -> pd.DataFrame:
    by_brand = named.groupby(_KEYS)["weight"]
    return by_brand.agg(mentioning_answer_count="size", weight_sum="sum").reset_index()


def _scope_totals(named: pd.DataFrame) -> pd.DataFrame:
    by_scope = named.groupby(_SCOPE)["query_id"]
    return by_scope.agg(answer_count="nunique", mention_total="size").reset_index()


def _with_shares(rows: pd.DataFrame) -> pd.DataFrame:
    # 0 / NaN is NaN: a topic where no brand was named has no shares.
    weights = rows["weight_sum"].fillna(0.0)
    mentioning = rows["mentioning_answer_count"].fillna(0)
    return rows.assign(
        answer_count=rows["answer_count"].fillna(0).astype("int64"),
        share_by_answers=(weights / rows["answer_count"]).astype("float64"),
        mentioning_answer_count=mentioning.astype("int64"),
        share_by_counts=(mentioning / rows["mention_total"]).astype("float64"),
    )
