"""Which answers name which of a tenant's brands in a topic: what shares are counted from.

Only questions that name no brand are here. How the shares of a day follow belongs to
`share_of_voice`.
"""

import pandas as pd

from brand_visibility.domain.catalog import QuestionKind
from brand_visibility.measures.matching import (
    asked_prompts,
    counted_mentions,
    narrow_plan,
    narrow_queries,
    serving,
)

SCOPE = ["tenant_id", "topic_id", "platform_id", "channel"]
VOICE_KEYS = ["tenant_id", "brand_id", "topic_id", "platform_id", "channel"]


def tracked_brands(plan: pd.DataFrame) -> pd.DataFrame:
    """Return the brands that the tenant has planned for each topic, platform and channel."""
    brands = narrow_plan(plan)[VOICE_KEYS].drop_duplicates()
    return brands.sort_values(VOICE_KEYS, ignore_index=True)


def unasked_answers(plan: pd.DataFrame, answers: pd.DataFrame) -> pd.DataFrame:
    """Return the valid answers to each scope's questions that name no brand, in order."""
    tasks = narrow_plan(plan)
    asked = asked_prompts(tasks[tasks["question_kind"] == QuestionKind.NON_BRAND.value], SCOPE)
    served = serving(asked, narrow_queries(answers, "raw_answers"))
    columns = [*SCOPE, "prompt_id", "repeat", "query_id"]
    return served[columns].sort_values(columns, ignore_index=True)


def named_brands(
    tracked: pd.DataFrame, served: pd.DataFrame, mentions: pd.DataFrame
) -> pd.DataFrame:
    """Return one row for each of `served` and brand of `tracked` that it names, in order.

    They are what `tracked_brands` and `unasked_answers` return.
    """
    found = served.merge(counted_mentions(mentions), on="query_id").merge(tracked, on=VOICE_KEYS)
    return found.sort_values([*VOICE_KEYS, "query_id"], ignore_index=True)


def voices_by_question(
    plan: pd.DataFrame, answers: pd.DataFrame, mentions: pd.DataFrame
) -> pd.DataFrame:
    """Return one row for each tracked brand and question with a valid answer.

    Beside `VOICE_KEYS` and `prompt_id`: `answer_count` (valid answers), `named_count` (of
    those, naming a tracked brand), `weight` (the brand's voice in them: 1 over the brands
    named), `mentioning_count` (naming this brand) and `mention_total` (the sum of that over
    the brands).
    """
    tracked, served = tracked_brands(plan), unasked_answers(plan, answers)
    named = named_brands(tracked, served, mentions)
    brand_count = named.groupby([*SCOPE, "query_id"])["brand_id"].transform("size")
    named = named.assign(weight=1 / brand_count)
    question = [*SCOPE, "prompt_id"]
    answered = served.groupby(question, sort=True).agg(answer_count=("query_id", "size"))
    totals = named.groupby(question).agg(
        named_count=("query_id", "nunique"), mention_total=("query_id", "size")
    )
    own = named.groupby([*VOICE_KEYS, "prompt_id"], sort=True).agg(
        weight=("weight", "sum"), mentioning_count=("query_id", "size")
    )
    rows = tracked.merge(answered.join(totals).reset_index(), on=SCOPE)
    rows = rows.merge(own.reset_index(), on=[*VOICE_KEYS, "prompt_id"], how="left")
    counts = ["named_count", "weight", "mentioning_count", "mention_total"]
    rows[counts] = rows[counts].fillna(0.0)
    return rows.sort_values([*VOICE_KEYS, "prompt_id"], ignore_index=True)
