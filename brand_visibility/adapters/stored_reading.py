"""Reading a stored day's answers: batches in, a table of each dataset of the reading out.

How a text is read belongs to `reading`, which field of a reading is which column to
`reading_rows`; this module only carries rows to it and back.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from brand_visibility.adapters.lake.files import Lake
from brand_visibility.adapters.lake.schemas import (
    IMPORTED_ANSWERS,
    QUERY_PLAN,
    RAW_ANSWERS,
    Dataset,
)
from brand_visibility.adapters.reading_rows import READ_DATASETS, Row, reading_rows
from brand_visibility.domain.outcomes import Source
from brand_visibility.reading.gazetteer import Gazetteer
from brand_visibility.reading.mentions import AnswerContext
from brand_visibility.reading.reader import read_answer

_COLUMNS = ("plan_date", "query_id", "platform_id", "channel", "prompt_id", "text", "sources")

# A file each, so that an import leaves the files of the API's reading as they are.
_ASKED_FILE = "asked"
_IMPORTED_FILE = "imported"

Tables = dict[str, pa.Table]


@dataclass(frozen=True, slots=True)
class StoredReading:
    """What was read from a platform's day, by the channel that the answers came through.

    Tables by the name of their dataset; `paths` are the files of the asked answers'.
    """

    asked: Tables
    imported: Tables
    paths: Mapping[str, Path]

    def all(self, dataset: Dataset) -> pa.Table:
        """Return a dataset's rows of both channels."""
        return pa.concat_tables([self.asked[dataset.name], self.imported[dataset.name]])


def store_reading(lake: Lake, partition: Mapping[str, str], gazetteer: Gazetteer) -> StoredReading:
    """Read a platform's day, imported answers too, and write its partition of every dataset."""
    asked = read_stored_day(lake, partition, gazetteer)
    imported = read_stored_day(lake, partition, gazetteer, answers=IMPORTED_ANSWERS)
    names = {_ASKED_FILE}
    if lake.files(IMPORTED_ANSWERS, partition):
        names.add(_IMPORTED_FILE)
    paths: dict[str, Path] = {}
    for dataset in READ_DATASETS:
        paths[dataset.name] = lake.write(dataset, partition, asked[dataset.name], name=_ASKED_FILE)
        if _IMPORTED_FILE in names:
            lake.write(dataset, partition, imported[dataset.name], name=_IMPORTED_FILE)
        lake.remove_others(dataset, partition, frozenset(names))
    return StoredReading(asked, imported, paths)


def read_stored_day(
    lake: Lake,
    partition: Mapping[str, str],
    gazetteer: Gazetteer,
    *,
    answers: Dataset = RAW_ANSWERS,
) -> Tables:
    """Return what a platform's day of answers says, a table for each dataset."""
    topics = _topics_of_prompts(lake, partition)
    parts: dict[str, list[pa.Table]] = {
        dataset.name: [dataset.schema.empty_table()] for dataset in READ_DATASETS
    }
    for batch in lake.batches(answers, partition, list(_COLUMNS)):
        rows = _read_batch(batch.to_pylist(), gazetteer, topics)
        for dataset in READ_DATASETS:
            table = pa.Table.from_pylist(rows[dataset.name], schema=dataset.schema)
            parts[dataset.name].append(table)
    return {name: pa.concat_tables(tables) for name, tables in parts.items()}


def _topics_of_prompts(lake: Lake, partition: Mapping[str, str]) -> dict[str, frozenset[str]]:
    plan = lake.read(QUERY_PLAN, partition, ["prompt_id", "topic_id"])
    topics: dict[str, set[str]] = {}
    for prompt_id, topic_id in zip(*plan.to_pydict().values(), strict=True):
        topics.setdefault(prompt_id, set()).add(topic_id)
    return {prompt_id: frozenset(topic_ids) for prompt_id, topic_ids in topics.items()}


def _read_batch(
    answers: list[Row], gazetteer: Gazetteer, topics: Mapping[str, frozenset[str]]
) -> dict[str, list[Row]]:
    rows: dict[str, list[Row]] = {dataset.name: [] for dataset in READ_DATASETS}
    for answer in answers:
        context = AnswerContext(
            topic_ids=topics.get(answer["prompt_id"], frozenset()),
            sources=tuple(_sources(answer["sources"] or ())),
        )
        reading = read_answer(answer["text"], gazetteer, context)
        for name, found in reading_rows(answer, reading, gazetteer).items():
            rows[name].extend(found)
    return rows


def _sources(pages: Any) -> Iterator[Source]:
    for page in pages:
        is_cited = bool(page.get("is_cited"))
        yield Source(page["position"], page["url"], page["title"], is_cited)
