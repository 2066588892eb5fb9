"""Reading a stored day's answers: batches in, a table of mentions out.

How a text is read belongs to `reading`; this module only carries rows to it and back.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from brand_visibility.adapters.lake.files import Lake
from brand_visibility.adapters.lake.schemas import (
    CORE_MENTIONS,
    IMPORTED_ANSWERS,
    RAW_ANSWERS,
    Dataset,
)
from brand_visibility.reading.gazetteer import Gazetteer
from brand_visibility.reading.reader import read_answer
from brand_visibility.reading.version import READER_VERSION

_KEYS = ("plan_date", "query_id", "platform_id", "channel")


# A file each, so that an import leaves the file of the API's mentions as it is.
_ASKED_FILE = "mentions"
_IMPORTED_FILE = "imported"


@dataclass(frozen=True, slots=True)
class StoredMentions:
    """The mentions of a platform's day, by the channel that their answers came through."""

    asked: pa.Table
    imported: pa.Table
    path: Path

    def all(self) -> pa.Table:
        """Return the mentions of both channels."""
        return pa.concat_tables([self.asked, self.imported])


def store_mentions(
    lake: Lake, partition: Mapping[str, str], gazetteer: Gazetteer
) -> StoredMentions:
    """Read a platform's day, imported answers too, and write its partition of mentions.

    `path` of the result is the file of the asked answers' mentions.
    """
    asked = read_stored_day(lake, partition, gazetteer)
    imported = read_stored_day(lake, partition, gazetteer, answers=IMPORTED_ANSWERS)
    path = lake.write(CORE_MENTIONS, partition, asked, name=_ASKED_FILE)
    if lake.files(IMPORTED_ANSWERS, partition):
        lake.write(CORE_MENTIONS, partition, imported, name=_IMPORTED_FILE)
    else:
        lake.remove_others(CORE_MENTIONS, partition, frozenset({_ASKED_FILE}))
    return StoredMentions(asked, imported, path)


def read_stored_day(
    lake: Lake,
    partition: Mapping[str, str],
    gazetteer: Gazetteer,
    *,
    answers: Dataset = RAW_ANSWERS,
) -> pa.Table:
    """Return the mentions in a platform's day of answers as a table of `CORE_MENTIONS`."""
    tables = [
        pa.Table.from_pylist(list(_mentions(batch, gazetteer)), schema=CORE_MENTIONS.schema)
        for batch in lake.batches(answers, partition, [*_KEYS, "text"])
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
