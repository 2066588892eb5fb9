"""A day's figures of the collection itself: what was planned, how it ended, what it cost."""

import pyarrow as pa

from brand_visibility.adapters.lake.schemas.fields import (
    BRAND_FIELD,
    CHANNEL_FIELD,
    DATE_FIELD,
    DAY_STATE_FIELD,
    DOLLARS,
    MEASURE_VERSION_FIELD,
    PER_DAY,
    PLATFORM_FIELD,
    TENANT_FIELD,
    dataset,
)

_PLACE = (
    DATE_FIELD,
    PLATFORM_FIELD,
    CHANNEL_FIELD,
    ("account_id", pa.string(), "Account of a query's last call; - for queries without a call."),
)
_FIGURES = (
    ("planned_count", pa.int64(), "Queries planned, by the account that they ended with."),
    ("answer_count", pa.int64(), "Queries that were answered."),
    ("refused_or_blocked_count", pa.int64(), "Queries whose result is that there is no answer."),
    ("failed_count", pa.int64(), "Queries given up without a result; see out_failure_daily."),
    ("open_count", pa.int64(), "Queries without any outcome yet."),
    ("no_retry_count", pa.int64(), "Queries with an outcome after one call."),
    ("one_retry_count", pa.int64(), "Queries with an outcome after two calls."),
    ("two_retries_count", pa.int64(), "Queries with an outcome after three calls."),
    ("more_retries_count", pa.int64(), "Queries with an outcome after four calls or more."),
    ("latency_ms_p50", pa.float64(), "Median time of the answered calls."),
    ("latency_ms_p95", pa.float64(), "Time within which 95 % of the answered calls ended."),
    ("latency_ms_p99", pa.float64(), "Time within which 99 % of the answered calls ended."),
    ("searched_answer_count", pa.int64(), "Answers for which the platform says it searched."),
    ("search_known_answer_count", pa.int64(), "Answers for which it says whether it did."),
    ("searched_rate", pa.float64(), "searched_answer_count over search_known_answer_count."),
    ("call_count", pa.int64(), "Calls that this account made, whichever ended the query."),
)
_SHARED = (
    ("cost_usd", DOLLARS, "Cost of those calls, failed ones too; null without a price."),
    ("prompt_tokens", pa.int64(), "Tokens of the answered calls' prompts, as reported."),
    ("completion_tokens", pa.int64(), "Tokens of the answers, as reported."),
)

OUT_ACCOUNT_DAILY = dataset(
    "out_account_daily",
    PER_DAY,
    *_PLACE,
    *_FIGURES,
    *_SHARED,
    DAY_STATE_FIELD,
    MEASURE_VERSION_FIELD,
)

OUT_COLLECTION_DAILY = dataset(
    "out_collection_daily",
    PER_DAY,
    *_PLACE,
    TENANT_FIELD,
    BRAND_FIELD,
    *_FIGURES,
    *(
        (name, kind, f"{meaning[:-1]}; the brand's part where several share a query.")
        for name, kind, meaning in _SHARED
    ),
    DAY_STATE_FIELD,
    MEASURE_VERSION_FIELD,
)

OUT_FAILURE_DAILY = dataset(
    "out_failure_daily",
    PER_DAY,
    *_PLACE,
    TENANT_FIELD,
    BRAND_FIELD,
    ("reason", pa.string(), "Why there is no answer; refused and blocked are results."),
    ("failure_count", pa.int64(), "Queries of the brand that have no answer for this reason."),
    DAY_STATE_FIELD,
    MEASURE_VERSION_FIELD,
)
