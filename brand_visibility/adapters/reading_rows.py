"""A reading as rows of the lake: one function a dataset.

Where answers come from and rows go to belongs to `stored_reading`.
"""

from collections.abc import Iterator
from typing import Any

from brand_visibility.adapters.lake.schemas import (
    CORE_CITATIONS,
    CORE_MENTIONS,
    CORE_RANKS,
    CORE_STANCES,
    Dataset,
)
from brand_visibility.reading.gazetteer import Gazetteer
from brand_visibility.reading.ranks import Rank, Ranking
from brand_visibility.reading.reader import Reading
from brand_visibility.reading.version import READER_VERSION

Row = dict[str, Any]

READ_DATASETS: tuple[Dataset, ...] = (CORE_MENTIONS, CORE_RANKS, CORE_STANCES, CORE_CITATIONS)

_KEYS = ("plan_date", "query_id", "platform_id", "channel")


def reading_rows(answer: Row, reading: Reading, gazetteer: Gazetteer) -> dict[str, list[Row]]:
    """Return the rows of an answer's reading, by the name of their dataset."""
    shared = {
        **{key: answer[key] for key in _KEYS},
        "reader_version": READER_VERSION,
        "gazetteer_hash": gazetteer.hash,
    }
    found = {
        CORE_MENTIONS.name: _mentions(reading),
        CORE_RANKS.name: _ranks(answer["text"], reading),
        CORE_STANCES.name: _stances(reading, gazetteer),
        CORE_CITATIONS.name: _citations(reading),
    }
    return {name: [{**shared, **row} for row in rows] for name, rows in found.items()}


def _mentions(reading: Reading) -> Iterator[Row]:
    found = sorted((*reading.mentions, *reading.suppressed), key=lambda one: one.start_offset)
    for mention in found:
        yield {
            "brand_id": mention.brand_id,
            "alias": mention.alias,
            "alias_policy": mention.alias_policy.value,
            "surface": mention.surface,
            "start_offset": mention.start_offset,
            "end_offset": mention.end_offset,
            "zone": mention.zone.value,
            "is_suppressed": mention.is_suppressed,
            "suppressed_reason": mention.suppressed_reason,
        }


def _ranks(text: str, reading: Reading) -> Iterator[Row]:
    first_offsets: dict[str, int] = {}
    for mention in reading.mentions:
        first_offsets.setdefault(mention.brand_id, mention.start_offset)
    for tenant_id, ranking in reading.rankings.items():
        for order, brand_id in enumerate(ranking.order_of_mention, start=1):
            for rank in _ranks_of(ranking, brand_id):
                yield {
                    "tenant_id": tenant_id,
                    "brand_id": brand_id,
                    "order_of_mention": order,
                    "first_offset": first_offsets[brand_id],
                    "text_length": len(text),
                    **_place(rank),
                }


def _ranks_of(ranking: Ranking, brand_id: str) -> list[Rank] | list[None]:
    """Return a brand's ranks, or one that is missing: every mentioned brand has a row."""
    return [rank for rank in ranking.ranks if rank.brand_id == brand_id] or [None]


def _place(rank: Rank | None) -> Row:
    if rank is None:
        return {}
    return {
        "list_index": rank.list_index,
        "rank": rank.rank,
        "list_length": rank.list_length,
        "printed_number": rank.printed_number,
        "rank_source": rank.rank_source.value,
        "item_offset": rank.start_offset,
    }


def _stances(reading: Reading, gazetteer: Gazetteer) -> Iterator[Row]:
    for one in reading.stances:
        cues = [
            {
                "text": cue.text,
                "start_offset": cue.start_offset,
                "end_offset": cue.end_offset,
                "weight": cue.weight,
                "rule": cue.rule.value,
            }
            for cue in one.cues
        ]
        yield {
            "tenant_id": gazetteer.tenant_of(one.brand_id),
            "brand_id": one.brand_id,
            "stance": one.stance.value,
            "cue": cues[0]["text"] if cues else None,
            "rule": cues[0]["rule"] if cues else None,
            "cues": cues,
        }


def _citations(reading: Reading) -> Iterator[Row]:
    for citation in reading.citations:
        yield {
            "url": citation.url,
            "host": citation.host,
            "registrable_domain": citation.registrable_domain,
            "role": citation.role.value,
            "owner_brand_ids": list(citation.owner_brand_ids),
            "title": citation.title,
            "position": citation.position,
            "marker_count": citation.marker_count,
            "start_offset": citation.start_offset,
            "end_offset": citation.end_offset,
        }
