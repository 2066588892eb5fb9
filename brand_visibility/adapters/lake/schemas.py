"""The datasets of the lake: columns, types and what each column means.

Add a dataset here with a description for every field. How files are written and read
belongs to `files`; how a column's value is computed belongs to `measures` or `reading`.
"""

from dataclasses import dataclass

import pyarrow as pa

SCHEMA_VERSION = "2"

_TIMESTAMP = pa.timestamp("us", tz="UTC")
# As the ledger keeps amounts, so that any sum of them is the same in both.
_DOLLARS = pa.decimal128(18, 9)
_SOURCES = pa.list_(
    pa.struct([("position", pa.int64()), ("url", pa.string()), ("title", pa.string())])
)


@dataclass(frozen=True, slots=True)
class Dataset:
    """A dataset: its name, its hive partition keys and its columns."""

    name: str
    partition_keys: tuple[str, ...]
    schema: pa.Schema


def _dataset(
    name: str, partition_keys: tuple[str, ...], *columns: tuple[str, pa.DataType, str]
) -> Dataset:
    fields = [
        pa.field(column, kind, metadata={"description": description})
        for column, kind, description in columns
    ]
    metadata = {"schema_version": SCHEMA_VERSION, "dataset": name}
    return Dataset(name, partition_keys, pa.schema(fields, metadata=metadata))


_DATE = ("plan_date", pa.date32(), "Day the question was planned for, in the plan's timezone.")
_PLATFORM = ("platform_id", pa.string(), "Assistant product that was asked.")
_CHANNEL = ("channel", pa.string(), "How the platform was reached: api or import.")
_QUERY = ("query_id", pa.string(), "The thing sent: day, platform, channel, prompt and repeat.")
_PROMPT_ID = ("prompt_id", pa.string(), "Identity of the exact text sent.")
_PROMPT = ("prompt", pa.string(), "The exact text sent.")
_REPEAT = ("repeat", pa.int16(), "Which repeat of the prompt this is, from 0.")
_TENANT = ("tenant_id", pa.string(), "Customer whose brand is watched.")
_BRAND = ("brand_id", pa.string(), "The watched brand.")
_TOPIC = ("topic_id", pa.string(), "Category of buyers' questions.")
_KIND = ("question_kind", pa.string(), "non_brand, brand or comparison; never pooled.")
_ACCOUNT = ("account_id", pa.string(), "Account of the platform that asked.")

DATE = "date"
PLATFORM = "platform"

_PER_PLATFORM = (DATE, PLATFORM)
_PER_DAY = (DATE,)

QUERY_PLAN = _dataset(
    "query_plan",
    _PER_PLATFORM,
    _DATE,
    ("task_id", pa.string(), "The promise: brand, question, platform and day."),
    _TENANT,
    _BRAND,
    ("question_id", pa.string(), "The question asked."),
    _TOPIC,
    _KIND,
    _PLATFORM,
    _CHANNEL,
    _PROMPT_ID,
    _PROMPT,
    ("repeats", pa.int16(), "How often the prompt is asked on the day."),
    ("catalog_version", pa.string(), "Hash of the catalog that the plan was made from."),
)

PLAN_FORECASTS = _dataset(
    "plan_forecasts",
    _PER_PLATFORM,
    _DATE,
    _PLATFORM,
    _ACCOUNT,
    ("catalog_version", pa.string(), "Hash of the catalog that the plan was made from."),
    ("planned_at", _TIMESTAMP, "When the plan was frozen."),
    ("task_count", pa.int64(), "Tasks of the platform's whole plan."),
    ("platform_query_count", pa.int64(), "Distinct queries of the platform's whole plan."),
    ("expected_cost_usd", pa.float64(), "Of the platform's whole plan, null without a price."),
    ("query_count", pa.int64(), "The account's share of the queries."),
    ("needed_s", pa.float64(), "Seconds that the account is expected to need for its share."),
    ("available_s", pa.float64(), "Seconds that were left when the plan was frozen."),
    ("bound_by", pa.string(), "The limit that decides: rate, concurrency, tokens or daily."),
    ("is_feasible", pa.bool_(), "Whether the account is expected to end in time."),
    ("price_id", pa.string(), "Hash of the price that costs are counted by, null without one."),
    ("price_currency", pa.string(), "Currency of the price's figures."),
    ("price_prompt_per_million", pa.float64(), "For a million tokens of prompts."),
    ("price_completion_per_million", pa.float64(), "For a million tokens of answers."),
    ("price_cached_prompt_per_million", pa.float64(), "For cached ones, null if as the others."),
    ("price_search_each", pa.float64(), "For a search, null where none has a price of its own."),
    ("price_request_each", pa.float64(), "For a call, null where none has a price of its own."),
    ("price_usd", pa.float64(), "US dollars for one unit of the currency."),
    ("price_usd_source", pa.string(), "Who says so, empty for the dollar itself."),
    ("price_valid_from", pa.date32(), "First day of the price, null for one looked up."),
    ("price_source", pa.string(), "Who says what it costs."),
)

RAW_ANSWERS = _dataset(
    "raw_answers",
    _PER_PLATFORM,
    _DATE,
    _QUERY,
    _PLATFORM,
    _CHANNEL,
    _ACCOUNT,
    _PROMPT_ID,
    _PROMPT,
    _REPEAT,
    ("text", pa.string(), "What the platform said, unchanged."),
    ("model", pa.string(), "Model as the platform reported it."),
    ("finish_reason", pa.string(), "Why the platform stopped, in its own word."),
    ("prompt_tokens", pa.int64(), "Tokens of the prompt as reported, null when not reported."),
    ("completion_tokens", pa.int64(), "Tokens of the answer as reported, null if not reported."),
    ("reasoning_tokens", pa.int64(), "Those of completion_tokens spent on reasoning, or null."),
    ("cached_tokens", pa.int64(), "Those of prompt_tokens that came from a cache, or null."),
    ("search_count", pa.int64(), "Searches made for the answer as reported, or null."),
    ("search", pa.string(), "searched, not_searched or unknown, as far as the platform said."),
    ("sources", _SOURCES, "Pages that the platform named, by its own numbering from 1."),
    ("cost_usd", _DOLLARS, "Cost of the answered call, null where the price is unknown."),
    ("is_cost_estimated", pa.bool_(), "Usage was not reported in full: the most it may cost."),
    ("request_id", pa.string(), "The platform's own id of the call."),
    ("attempt_count", pa.int16(), "Calls made for this query, the answered one included."),
    ("sent_at", _TIMESTAMP, "When the answered call was sent."),
    ("answered_at", _TIMESTAMP, "When the answer was complete."),
    ("latency_ms", pa.int64(), "Time from sending to the complete answer."),
    ("is_late", pa.bool_(), "Asked on a later day than it was planned for."),
    ("raw_body", pa.binary(), "Body of the response that the text was read from, unchanged."),
)

FAILURES = _dataset(
    "failures",
    _PER_PLATFORM,
    _DATE,
    _QUERY,
    _PLATFORM,
    _CHANNEL,
    _PROMPT_ID,
    _PROMPT,
    _REPEAT,
    ("reason", pa.string(), "Why there is no answer; refused and blocked are results."),
    ("detail", pa.string(), "What the platform or the network said, shortened."),
    ("http_status", pa.int32(), "HTTP status of the last response, null when there was none."),
    ("attempt_count", pa.int16(), "Calls made for this query."),
    ("failed_at", _TIMESTAMP, "When it was given up."),
)

ATTEMPTS = _dataset(
    "attempts",
    _PER_PLATFORM,
    _DATE,
    _QUERY,
    _PLATFORM,
    _ACCOUNT,
    ("attempt_number", pa.int16(), "Which call for the query this was, from 1."),
    ("sent_at", _TIMESTAMP, "When the call was sent."),
    ("latency_ms", pa.int64(), "Time from sending to the outcome."),
    ("is_answered", pa.bool_(), "Whether the call brought an answer."),
    ("reason", pa.string(), "Why it brought none, null when answered."),
    ("http_status", pa.int32(), "HTTP status, null when there was no response."),
    ("wait_s", pa.float64(), "Wait decided before the next call, null when none follows."),
    ("cost_usd", _DOLLARS, "Cost of the call, null where the price is unknown."),
    ("is_cost_estimated", pa.bool_(), "Usage was not reported in full: the most it may cost."),
)

CORE_MENTIONS = _dataset(
    "core_mentions",
    _PER_PLATFORM,
    _DATE,
    _QUERY,
    _PLATFORM,
    _CHANNEL,
    _BRAND,
    ("alias", pa.string(), "Alias of the catalog that was found."),
    ("alias_policy", pa.string(), "safe, guarded or compound_only."),
    ("surface", pa.string(), "The characters of the answer, unchanged."),
    ("start_offset", pa.int64(), "First character in the raw answer, counted in code points."),
    ("end_offset", pa.int64(), "One past the last character in the raw answer."),
    ("zone", pa.string(), "text, link_text, heading, list_head or table_cell."),
    ("is_suppressed", pa.bool_(), "Found but not counted as a mention."),
    ("suppressed_reason", pa.string(), "Why it is not counted, null when it is."),
    ("reader_version", pa.string(), "Version of the reading rules."),
    ("gazetteer_hash", pa.string(), "Hash of the brands, aliases and decoys read for."),
)

OUT_VISIBILITY_DAILY = _dataset(
    "out_visibility_daily",
    _PER_DAY,
    _DATE,
    _TENANT,
    _BRAND,
    _TOPIC,
    _PLATFORM,
    _CHANNEL,
    _KIND,
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

OUT_SHARE_OF_VOICE_DAILY = _dataset(
    "out_share_of_voice_daily",
    _PER_DAY,
    _DATE,
    _TENANT,
    _BRAND,
    _TOPIC,
    _PLATFORM,
    _CHANNEL,
    ("answer_count", pa.int64(), "Valid answers to non-brand questions naming a tracked brand."),
    ("share_by_answers", pa.float64(), "Mean over those answers of 1/(tracked brands named)."),
    ("mentioning_answer_count", pa.int64(), "Valid answers that mention this brand."),
    ("share_by_counts", pa.float64(), "mentioning_answer_count over its sum for all brands."),
)

# What a task of an imported answer consists of, as far as figures need it.
IMPORTED_TASK_FIELDS = (
    "task_id",
    "tenant_id",
    "brand_id",
    "question_id",
    "topic_id",
    "question_kind",
)

IMPORTED_ANSWERS = _dataset(
    "imported_answers",
    _PER_PLATFORM,
    ("plan_date", pa.date32(), "Day of the answer, in the plan's timezone."),
    _QUERY,
    _PLATFORM,
    _CHANNEL,
    _PROMPT_ID,
    _PROMPT,
    _REPEAT,
    ("text", pa.string(), "What the app showed as its answer, unchanged."),
    ("model", pa.string(), "Model as the app named it, null when it named none."),
    ("search", pa.string(), "searched, not_searched or unknown, as the capture says."),
    ("sources", _SOURCES, "Pages that the app named, by their order from 1."),
    ("captured_at", _TIMESTAMP, "When the answer was captured, null when not said."),
    ("captured_by", pa.string(), "Who or what captured it, null when not said."),
    ("app_version", pa.string(), "Version of the app, null when not said."),
    (
        "tasks",
        pa.list_(pa.struct([(name, pa.string()) for name in IMPORTED_TASK_FIELDS])),
        "Brands and questions of the day that the answer serves, as they were at the import.",
    ),
    ("catalog_version", pa.string(), "Hash of the catalog that the tasks are from."),
    ("source_file", pa.string(), "Name of the file that it was imported from."),
    ("source_line", pa.int64(), "Line of that file, in a Parquet file the row, from 1."),
    ("imported_at", _TIMESTAMP, "When it was imported."),
)

DATASETS: tuple[Dataset, ...] = (
    QUERY_PLAN,
    PLAN_FORECASTS,
    RAW_ANSWERS,
    FAILURES,
    ATTEMPTS,
    CORE_MENTIONS,
    OUT_VISIBILITY_DAILY,
    OUT_SHARE_OF_VOICE_DAILY,
    IMPORTED_ANSWERS,
)
