"""Which stored answers serve which promises, and which mentions count.

Every measure starts from these tables, so that a measure cannot have its own idea of a
valid answer. An answer that failed is absent here: absence is never a "no".
"""

from collections.abc import Sequence

import pandas as pd

from brand_visibility.measures.frames import narrow, require_unique

_PROMPT_KEYS = ["platform_id", "channel", "prompt_id"]


def narrow_plan(plan: pd.DataFrame) -> pd.DataFrame:
    """Return the columns of the plan that measures use. One row is one task."""
    text = ("tenant_id", "brand_id", "topic_id", "platform_id", "channel", "question_kind")
    dtypes = dict.fromkeys((*text, "prompt_id"), "str") | {"repeats": "int64"}
    return narrow(plan, "query_plan", dtypes)


def narrow_queries(frame: pd.DataFrame, dataset: str) -> pd.DataFrame:
    """Return which query, prompt and repeat each row of answers or failures is of."""
    dtypes = dict.fromkeys(("query_id", *_PROMPT_KEYS), "str") | {"repeat": "int64"}
    kept = narrow(frame, dataset, dtypes)
    require_unique(kept, dataset, "query_id")
    return kept


def asked_prompts(tasks: pd.DataFrame, group: Sequence[str]) -> pd.DataFrame:
    """Return one row for each prompt of a group, with the `repeats` promised for it.

    Two tasks of one group that ask the same prompt are served by the same answers: the
    prompt counts once, with the larger number of repeats.
    """
    keys = list(dict.fromkeys([*group, *_PROMPT_KEYS]))
    return tasks.groupby(keys, as_index=False, sort=True)[["repeats"]].max()


def serving(asked: pd.DataFrame, queries: pd.DataFrame) -> pd.DataFrame:
    """Return one row for each asked prompt and each query that serves it.

    Repeats beyond those promised to the group were bought for somebody else's question
    of the same text and are left out: they would lift the coverage above 1.
    """
    joined = asked.merge(queries, on=_PROMPT_KEYS, how="inner")
    return joined[joined["repeat"] < joined["repeats"]]


def counted_mentions(mentions: pd.DataFrame) -> pd.DataFrame:
    """Return the distinct (query_id, brand_id) with at least one unsuppressed mention."""
    dtypes = {"query_id": "str", "brand_id": "str", "is_suppressed": "bool"}
    kept = narrow(mentions, "core_mentions", dtypes)
    return kept.loc[~kept["is_suppressed"], ["query_id", "brand_id"]].drop_duplicates()
