"""How the attention of answers divides among the brands a tenant watches in a topic.

Only questions that name no brand count. How often one brand is mentioned, whatever the
others do, belongs to `visibility`.
"""

import numpy as np
import pandas as pd

from brand_visibility.measures.clusters import clustered_ratios
from brand_visibility.measures.frames import require_one_day
from brand_visibility.measures.intervals import wilson_bounds
from brand_visibility.measures.questions import dated
from brand_visibility.measures.voices import VOICE_KEYS, tracked_brands, voices_by_question

_COLUMNS = [
    "plan_date",
    *VOICE_KEYS,
    "answer_count",
    "share_by_answers",
    "share_by_answers_low",
    "share_by_answers_high",
    "mentioning_answer_count",
    "share_by_counts",
    "share_by_counts_low",
    "share_by_counts_high",
    "measure_version",
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
    names any. Their intervals are those of ratios, with the answers of a question taken
    together: about all questions of this sort, as the `general` interval of a mention rate.

    The order of input rows changes nothing in the result.

    Raises IncompleteError when a column is missing or holds nulls, when days are mixed,
    or when a query has two answers.
    """
    day = require_one_day({"query_plan": plan, "raw_answers": answers, "core_mentions": mentions})
    voices = voices_by_question(plan, answers, mentions)
    counts = voices.groupby(VOICE_KEYS, sort=True).agg(
        answer_count=("named_count", "sum"), mentioning_answer_count=("mentioning_count", "sum")
    )
    by_answers = _shares(voices, "share_by_answers", "weight", "named_count")
    by_counts = _shares(voices, "share_by_counts", "mentioning_count", "mention_total")
    rows = tracked_brands(plan).set_index(VOICE_KEYS).join([counts, by_answers, by_counts])
    rows = rows.reset_index()
    whole = ["answer_count", "mentioning_answer_count"]
    rows[whole] = rows[whole].fillna(0).astype("int64")
    return dated(rows, day)[_COLUMNS]


def _shares(voices: pd.DataFrame, name: str, numerator: str, denominator: str) -> pd.DataFrame:
    values = voices.assign(numerator=voices[numerator], denominator=voices[denominator])
    ratios = clustered_ratios(values, VOICE_KEYS)
    rate = ratios["rate"].to_numpy(dtype=np.float64)
    low, high = wilson_bounds(rate, ratios["size"].to_numpy(dtype=np.float64))
    bounds = {name: rate, f"{name}_low": low, f"{name}_high": high}
    return pd.DataFrame(bounds, index=ratios.index)
