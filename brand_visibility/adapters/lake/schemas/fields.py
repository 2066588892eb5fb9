"""What datasets are made of: columns that several share, types and partition keys."""

from dataclasses import dataclass

import pyarrow as pa

SCHEMA_VERSION = "2"

TIMESTAMP = pa.timestamp("us", tz="UTC")
# As the ledger keeps amounts, so that any sum of them is the same in both.
DOLLARS = pa.decimal128(18, 9)
SOURCES = pa.list_(
    pa.struct(
        [
            ("position", pa.int64()),
            ("url", pa.string()),
            ("title", pa.string()),
            ("is_cited", pa.bool_()),
        ]
    )
)


@dataclass(frozen=True, slots=True)
class Dataset:
    """A dataset: its name, its hive partition keys and its columns."""

    name: str
    partition_keys: tuple[str, ...]
    schema: pa.Schema


def dataset(
    name: str, partition_keys: tuple[str, ...], *columns: tuple[str, pa.DataType, str]
) -> Dataset:
    """Return a dataset of columns, each with its type and what it means."""
    fields = [
        pa.field(column, kind, metadata={"description": description})
        for column, kind, description in columns
    ]
    metadata = {"schema_version": SCHEMA_VERSION, "dataset": name}
    return Dataset(name, partition_keys, pa.schema(fields, metadata=metadata))


DATE_FIELD = ("plan_date", pa.date32(), "Day the question was planned for, in the plan's timezone.")
PLATFORM_FIELD = ("platform_id", pa.string(), "Assistant product that was asked.")
CHANNEL_FIELD = ("channel", pa.string(), "How the platform was reached: api or import.")
QUERY_FIELD = (
    "query_id",
    pa.string(),
    "The thing sent: day, platform, channel, prompt and repeat.",
)
PROMPT_ID_FIELD = ("prompt_id", pa.string(), "Identity of the exact text sent.")
PROMPT_FIELD = ("prompt", pa.string(), "The exact text sent.")
REPEAT_FIELD = ("repeat", pa.int16(), "Which repeat of the prompt this is, from 0.")
TENANT_FIELD = ("tenant_id", pa.string(), "Customer whose brand is watched.")
BRAND_FIELD = ("brand_id", pa.string(), "The watched brand.")
TOPIC_FIELD = ("topic_id", pa.string(), "Category of buyers' questions.")
KIND_FIELD = ("question_kind", pa.string(), "non_brand, brand or comparison; never pooled.")
MEASURE_VERSION_FIELD = ("measure_version", pa.string(), "Version of the measures' definitions.")
DAY_STATE_FIELD = (
    "day_state",
    pa.string(),
    "provisional while outcomes of the day may still come, else final.",
)
ACCOUNT_FIELD = ("account_id", pa.string(), "Account of the platform that asked.")

DATE = "date"
PLATFORM = "platform"

PER_PLATFORM = (DATE, PLATFORM)
PER_DAY = (DATE,)
