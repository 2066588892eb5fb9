"""Stored days of any size, as the reader leaves them: drawn, with the same seed the same.

A brand has 25 questions of its own and shares 25 with the ten of its topic, on three
platforms; an answer names three brands and leans on four pages.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Any

import numpy as np
import pyarrow as pa

from brand_visibility.adapters.lake.files import Lake
from brand_visibility.adapters.lake.schemas import (
    ATTEMPTS,
    CORE_CITATIONS,
    CORE_MENTIONS,
    CORE_RANKS,
    CORE_STANCES,
    DATE,
    FAILURES,
    PLATFORM,
    QUERY_PLAN,
    RAW_ANSWERS,
    Dataset,
)

PLATFORMS = ("deepseek", "doubao", "qwen")
_BRANDS_OF_A_TOPIC = 10
_QUESTIONS = 25
_NAMED = 3
_PAGES = 4
_DOMAINS = 2_000
# As long as real answers are in the mean; that nobody measures it is what shows.
_TEXT = "A" * 1_643

Column = list[Any] | np.ndarray[Any, Any]


@dataclass(frozen=True)
class _Platform:
    """The distinct prompts of a platform's day, and the topic that each belongs to."""

    plan_date: date
    platform_id: str
    topics: np.ndarray[Any, np.dtype[np.int64]]
    random: np.random.Generator


def store_day(lake: Lake, plan_date: date, answer_count: int) -> None:
    """Write a day of about so many answers."""
    per_topic = _QUESTIONS * (1 + _BRANDS_OF_A_TOPIC)
    topics = np.repeat(np.arange(max(1, answer_count // len(PLATFORMS) // per_topic)), per_topic)
    for number, platform_id in enumerate(PLATFORMS):
        random = np.random.default_rng((number, plan_date.toordinal()))
        day = _Platform(plan_date, platform_id, topics, random)
        partition = {DATE: plan_date.isoformat(), PLATFORM: platform_id}
        for dataset, columns in _tables(day):
            lake.write(dataset, partition, _table(dataset, day, columns), name="shard-00-of-01")


def _tables(day: _Platform) -> Iterator[tuple[Dataset, dict[str, Column]]]:
    queries = np.arange(len(day.topics))
    yield QUERY_PLAN, _plan(day)
    yield RAW_ANSWERS, _answers(day, queries)
    yield FAILURES, {"query_id": []}
    yield ATTEMPTS, _attempts(day, queries)
    named = np.repeat(queries, _NAMED)
    brands = _brands(day, named)
    yield CORE_MENTIONS, _mentions(day, named, brands)
    yield CORE_RANKS, _ranks(day, named, brands)
    yield CORE_STANCES, _stances(day, named, brands)
    yield CORE_CITATIONS, _citations(day, np.repeat(queries, _PAGES))


def _table(dataset: Dataset, day: _Platform, columns: dict[str, Column]) -> pa.Table:
    size = len(next(iter(columns.values())))
    shared = {"plan_date": day.plan_date, "platform_id": day.platform_id, "channel": "api"}
    arrays = []
    for field in dataset.schema:
        if field.name in columns:
            arrays.append(pa.array(columns[field.name], type=field.type))
        elif field.name in shared:
            arrays.append(pa.repeat(pa.scalar(shared[field.name], field.type), size))
        else:
            arrays.append(pa.nulls(size, field.type))
    return pa.Table.from_arrays(arrays, schema=dataset.schema)


def _ids(prefix: str, numbers: Column) -> list[str]:
    # As long as the ids of the plan are.
    return [f"{prefix}{number:031d}" for number in numbers]


def _plan(day: _Platform) -> dict[str, Column]:
    """Return the tasks: shared questions once for each brand of the topic, own ones once."""
    place = np.arange(len(day.topics)) % (_QUESTIONS * (1 + _BRANDS_OF_A_TOPIC))
    is_shared = place < _QUESTIONS
    prompts = np.repeat(np.arange(len(day.topics)), np.where(is_shared, _BRANDS_OF_A_TOPIC, 1))
    first = np.flatnonzero(np.r_[True, prompts[1:] != prompts[:-1]])
    turn = np.arange(len(prompts)) - np.repeat(first, np.diff(np.r_[first, len(prompts)]))
    own = place[prompts] // _QUESTIONS - 1
    brand = day.topics[prompts] * _BRANDS_OF_A_TOPIC + np.where(is_shared[prompts], turn, own)
    return {
        "task_id": _ids("t", np.arange(len(prompts))),
        "tenant_id": [f"tenant{topic}" for topic in day.topics[prompts]],
        "brand_id": [f"brand{number}" for number in brand],
        "topic_id": [f"topic{topic}" for topic in day.topics[prompts]],
        "question_kind": ["non_brand" if shared else "brand" for shared in is_shared[prompts]],
        "prompt_id": _ids("p", prompts),
        "repeats": np.ones(len(prompts), dtype=np.int16),
        "catalog_version": ["c"] * len(prompts),
    }


def _answers(day: _Platform, queries: Column) -> dict[str, Column]:
    size = len(queries)
    return {
        "query_id": _ids(f"{day.platform_id[:4]}-", queries),
        "account_id": ["main"] * size,
        "prompt_id": _ids("p", queries),
        "prompt": ["Which one is best?"] * size,
        "repeat": np.zeros(size, dtype=np.int16),
        "text": [_TEXT] * size,
        "model": ["m"] * size,
        "search": ["searched"] * size,
        "prompt_tokens": day.random.integers(10, 50, size),
        "completion_tokens": day.random.integers(200, 900, size),
        "latency_ms": day.random.integers(2_000, 20_000, size),
    }


def _attempts(day: _Platform, queries: Column) -> dict[str, Column]:
    return {
        "query_id": _ids(f"{day.platform_id[:4]}-", queries),
        "account_id": ["main"] * len(queries),
        "attempt_number": np.ones(len(queries), dtype=np.int16),
        "cost_usd": pa.repeat(
            pa.scalar("0.000123456").cast(ATTEMPTS.schema.field("cost_usd").type), len(queries)
        ),
    }


def _brands(day: _Platform, named: Any) -> Any:
    start = day.random.integers(0, _BRANDS_OF_A_TOPIC, len(named) // _NAMED)
    turn = np.arange(len(named)) % _NAMED
    chosen = (np.repeat(start, _NAMED) + turn) % _BRANDS_OF_A_TOPIC
    return day.topics[named] * _BRANDS_OF_A_TOPIC + chosen


def _mentions(day: _Platform, named: Any, brands: Any) -> dict[str, Column]:
    return {
        "query_id": _ids(f"{day.platform_id[:4]}-", named),
        "brand_id": [f"brand{number}" for number in brands],
        "start_offset": np.zeros(len(named), dtype=np.int64),
        "end_offset": np.ones(len(named), dtype=np.int64),
        "is_suppressed": np.zeros(len(named), dtype=bool),
    }


def _ranks(day: _Platform, named: Any, brands: Any) -> dict[str, Column]:
    size = len(named)
    return {
        "query_id": _ids(f"{day.platform_id[:4]}-", named),
        "tenant_id": [f"tenant{topic}" for topic in day.topics[named]],
        "brand_id": [f"brand{number}" for number in brands],
        "order_of_mention": np.arange(size, dtype=np.int16) % _NAMED + 1,
        "first_offset": day.random.integers(0, len(_TEXT), size),
        "text_length": np.full(size, len(_TEXT)),
        "list_index": np.zeros(size, dtype=np.int16),
        "rank": (np.arange(size) % _NAMED + 1).astype(np.int16),
        "list_length": np.full(size, 5, dtype=np.int16),
    }


def _stances(day: _Platform, named: Any, brands: Any) -> dict[str, Column]:
    values = day.random.choice(["recommended", "neutral", "negative", "unjudged"], len(named))
    return {
        "query_id": _ids(f"{day.platform_id[:4]}-", named),
        "tenant_id": [f"tenant{topic}" for topic in day.topics[named]],
        "brand_id": [f"brand{number}" for number in brands],
        "stance": values.tolist(),
    }


def _citations(day: _Platform, queries: Any) -> dict[str, Column]:
    domains = day.random.integers(0, _DOMAINS, len(queries))
    is_own = day.random.random(len(queries)) < 0.1
    owner = day.topics[queries] * _BRANDS_OF_A_TOPIC
    return {
        "query_id": _ids(f"{day.platform_id[:4]}-", queries),
        "url": [f"https://site{one}.example/{place}" for place, one in enumerate(domains)],
        "host": [f"site{one}.example" for one in domains],
        "registrable_domain": [f"site{one}.example" for one in domains],
        "role": ["cited"] * len(queries),
        "owner_brand_ids": [
            [f"brand{one}"] if own else [] for one, own in zip(owner, is_own, strict=True)
        ],
    }
