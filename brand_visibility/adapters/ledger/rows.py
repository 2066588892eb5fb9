"""Attempts and answers as columns for the ledger's statements, one list a column.

The statements themselves, and their transactions, belong to `shards`.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta
from functools import cache

import orjson
import pyarrow as pa

from brand_visibility.adapters.ledger.costs import Charges
from brand_visibility.domain.outcomes import Answer, Attempt, Failure, Source

Columns = tuple[object, ...]

_DETAIL_LENGTH = 300


def attempt_columns(plan_date: date, attempts: Sequence[Attempt], charges: Charges) -> Columns:
    """Return the columns of `ledger.attempt`; an attempt without a charge has no cost."""
    failures = [_failure(attempt) for attempt in attempts]
    costs = [charges.get((attempt.query_id, attempt.number)) for attempt in attempts]
    return (
        plan_date,
        [attempt.query_id for attempt in attempts],
        [attempt.number for attempt in attempts],
        [attempt.account_id for attempt in attempts],
        [attempt.sent_at for attempt in attempts],
        [attempt.latency_ms for attempt in attempts],
        [failure.reason.value if failure else None for failure in failures],
        [failure.http_status if failure else 200 for failure in failures],
        [attempt.wait_s for attempt in attempts],
        [charge.cost_usd if charge else None for charge in costs],
        [charge.is_estimated if charge else None for charge in costs],
    )


def answer_columns(plan_date: date, attempts: Sequence[Attempt]) -> Columns:
    """Return the columns of `ledger.answer` for attempts that brought one."""
    answers = [a.outcome for a in attempts if isinstance(a.outcome, Answer)]
    encoded = [answer.text.encode("utf-8", "surrogatepass") for answer in answers]
    return (
        plan_date,
        [attempt.query_id for attempt in attempts],
        [attempt.account_id for attempt in attempts],
        [_packed(text) for text in encoded],
        [len(text) for text in encoded],
        [_storable(answer.model) for answer in answers],
        [_storable(answer.finish_reason) for answer in answers],
        [answer.usage.prompt_tokens for answer in answers],
        [answer.usage.completion_tokens for answer in answers],
        [_storable(answer.request_id) for answer in answers],
        [attempt.sent_at for attempt in attempts],
        [attempt.latency_ms for attempt in attempts],
        [answer.usage.reasoning_tokens for answer in answers],
        [answer.usage.cached_tokens for answer in answers],
        [answer.usage.search_count for answer in answers],
        [answer.search.value for answer in answers],
        [_sources(answer.sources) for answer in answers],
        [_packed(answer.raw_body) if answer.raw_body else None for answer in answers],
        [len(answer.raw_body) if answer.raw_body else None for answer in answers],
    )


def state_columns(plan_date: date, attempts: Sequence[Attempt]) -> Columns:
    """Return what attempts, one a query, make of their queries."""
    failures = [_failure(attempt) for attempt in attempts]
    is_final = [attempt.wait_s is None for attempt in attempts]
    return (
        [attempt.query_id for attempt in attempts],
        [
            "answered" if failure is None else "failed" if final else "pending"
            for failure, final in zip(failures, is_final, strict=True)
        ],
        [
            failure.reason.value if failure and final else None
            for failure, final in zip(failures, is_final, strict=True)
        ],
        [_storable(failure.detail) if failure else None for failure in failures],
        [failure.http_status if failure else 200 for failure in failures],
        [attempt.number for attempt in attempts],
        [_next_attempt_at(attempt) for attempt in attempts],
        plan_date,
    )


def one_per_query(attempts: Sequence[Attempt]) -> list[list[Attempt]]:
    """Return batches in which no query has two attempts, each query's in their order."""
    batches: list[dict[str, Attempt]] = []
    for attempt in attempts:
        for batch in batches:
            if attempt.query_id not in batch:
                batch[attempt.query_id] = attempt
                break
        else:
            batches.append({attempt.query_id: attempt})
    return [list(batch.values()) for batch in batches]


def _failure(attempt: Attempt) -> Failure | None:
    return attempt.outcome if isinstance(attempt.outcome, Failure) else None


def _next_attempt_at(attempt: Attempt) -> object:
    if attempt.wait_s is None:
        return None
    return attempt.sent_at + timedelta(milliseconds=attempt.latency_ms, seconds=attempt.wait_s)


def _storable(text: str | None) -> str | None:
    return None if text is None else _clean(text)[:_DETAIL_LENGTH]


def _clean(text: str) -> str:
    # PostgreSQL's text holds neither U+0000 nor lone surrogates.
    return text.replace("\0", "").encode("utf-8", "replace").decode()


def _packed(content: bytes) -> bytes:
    packed: bytes = _codec().compress(content, asbytes=True)
    return packed


@cache
def _codec() -> pa.Codec:
    # To make one for every answer takes as long as packing it.
    return pa.Codec("zstd")


def _sources(sources: Sequence[Source]) -> str:
    """Return sources as JSON, cleaned where a page's address or title needs it."""
    try:
        written = orjson.dumps(sources)
    except orjson.JSONEncodeError:
        written = None
    if written is None or rb"\u0000" in written:
        written = orjson.dumps([_clean_source(source) for source in sources])
    return written.decode()


def _clean_source(source: Source) -> Source:
    title = None if source.title is None else _clean(source.title)
    return replace(source, url=_clean(source.url), title=title)
