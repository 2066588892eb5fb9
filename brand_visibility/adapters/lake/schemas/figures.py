"""A day's figures."""

import pyarrow as pa

from brand_visibility.adapters.lake.schemas.fields import (
    BRAND_FIELD,
    CHANNEL_FIELD,
    DATE_FIELD,
    KIND_FIELD,
    PER_DAY,
    PLATFORM_FIELD,
    TENANT_FIELD,
    TOPIC_FIELD,
    dataset,
)

OUT_VISIBILITY_DAILY = dataset(
    "out_visibility_daily",
    PER_DAY,
    DATE_FIELD,
    TENANT_FIELD,
    BRAND_FIELD,
    TOPIC_FIELD,
    PLATFORM_FIELD,
    CHANNEL_FIELD,
    KIND_FIELD,
    ("planned_count", pa.int64(), "Answers planned, null for imports, which nobody planned."),
    ("answer_count", pa.int64(), "Valid answers obtained."),
    ("coverage_rate", pa.float64(), "answer_count divided by planned_count, null for imports."),
    ("question_count", pa.int64(), "Questions with at least one valid answer: the sample size."),
    ("mentioned_question_count", pa.int64(), "Questions with a mention in at least one answer."),
    ("mention_rate", pa.float64(), "Mean over questions of the share of answers that mention."),
    ("mention_rate_low", pa.float64(), "Lower bound of the 95 % Wilson interval over questions."),
    ("mention_rate_high", pa.float64(), "Upper bound of the 95 % Wilson interval over questions."),
    ("is_small_sample", pa.bool_(), "Fewer than 30 questions: read the rate with care."),
)

OUT_SHARE_OF_VOICE_DAILY = dataset(
    "out_share_of_voice_daily",
    PER_DAY,
    DATE_FIELD,
    TENANT_FIELD,
    BRAND_FIELD,
    TOPIC_FIELD,
    PLATFORM_FIELD,
    CHANNEL_FIELD,
    ("answer_count", pa.int64(), "Valid answers to non-brand questions naming a tracked brand."),
    ("share_by_answers", pa.float64(), "Mean over those answers of 1/(tracked brands named)."),
    ("mentioning_answer_count", pa.int64(), "Valid answers that mention this brand."),
    ("share_by_counts", pa.float64(), "mentioning_answer_count over its sum for all brands."),
)

# What a task of an imported answer consists of, as far as figures need it.
