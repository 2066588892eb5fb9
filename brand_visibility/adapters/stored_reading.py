"""Reading a stored day's answers: batches in, a table of mentions out.

How a text is read belongs to `reading`; this module only carries rows to it and back.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import pyarrow as pa

from brand_visibility.adapters.lake.files import Lake
from brand_visibility.adapters.lake.schemas import CORE_MENTIONS, RAW_ANSWERS
from brand_visibility.reading.gazetteer import Gazetteer
from brand_visibility.reading.reader import read_answer
from brand_visibility.reading.version import READER_VERSION

_KEYS = ("plan_date", "query_id", "platform_id", "channel")


def read_stored_day(lake: Lake, partition: Mapping[str, str], gazetteer: Gazetteer) -> pa.Table:
    """Return the mentions of a platform's day as a table of `CORE_MENTIONS`."""
    tables = [
        pa.Table.from_pylist(list(_mentions(batch, gazetteer)), schema=CORE_MENTIONS.schema)
        for batch in lake.batches(RAW_ANSWERS, partition, [*_KEYS, "text"])
    ]
    return pa.concat_tables(tables) if tables else CORE_MENTIONS.schema.empty_table()


def _mentions(batch: pa.RecordBatch, gazetteer: Gazetteer) -> Iterator[dict[str, Any]]:
    for answer in batch.to_pylist():
        reading = read_answer(answer["text"], gazetteer)
        for mention in sorted(
            (*reading.mentions, *reading.suppressed), key=lambda found: found.start_offset
        ):
            yield {
                **{key: answer[key] for key in _KEYS},
                "brand_id": mention.brand_id,
                "alias": mention.alias,
                "alias_policy": str(mention.alias_policy),
                "surface": mention.surface,
                "start_offset": mention.start_offset,
                "end_offset": mention.end_offset,
                "zone": str(mention.zone),
                "is_suppressed": mention.suppressed_reason is not None,
                "suppressed_reason": mention.suppressed_reason,
                "reader_version": READER_VERSION,
                "gazetteer_hash": gazetteer.hash,
            }
