"""One shard's part of the ledger, written through its owner's session.

Who the owner is belongs to `ownership`.
"""

import asyncio
import contextlib
import zlib
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

import psycopg
import pyarrow as pa

from brand_visibility.adapters.ledger.connection import translated_errors
from brand_visibility.collection.ports import Pending
from brand_visibility.domain.outcomes import Answer, Attempt, Failure, Reason
from brand_visibility.domain.planning import Query

# A failure that asking again on the same day cannot mend; everything else counts as
# missing when the shard is collected again.
FINAL_REASONS = (Reason.REJECTED, Reason.REFUSED)

_DETAIL_LENGTH = 300


@dataclass(frozen=True, slots=True)
class Shard:
    """The queries of a platform's day whose `shard_key % count == index`."""

    plan_date: date
    platform_id: str
    index: int
    count: int

    @property
    def lock_key(self) -> int:
        """Key of the advisory lock that makes a process its owner."""
        name = f"shard {self.plan_date} {self.platform_id} {self.index}/{self.count}"
        return zlib.crc32(name.encode()) + 2**32


@dataclass(frozen=True, slots=True)
class Recovered:
    """What an owner finds when it takes a shard.

    `maybe_paid` queries were being asked when an earlier owner died: the platform may
    have answered them, and they are asked again.
    """

    pending: tuple[Pending, ...]
    maybe_paid: int


class ShardJournal:
    """The durable record of one shard: a `Journal` for the collector."""

    def __init__(self, session: psycopg.AsyncConnection, shard: Shard) -> None:
        self._session = session
        self._shard = shard
        # One session serves several tasks; a transaction must not interleave with another.
        self._turn = asyncio.Lock()

    async def recover(self) -> Recovered:
        """Make everything without an answer pending again, and return it."""
        shard = self._shard
        scope = (shard.plan_date, shard.platform_id, shard.count, shard.index)
        async with self._transaction():
            interrupted = await self._session.execute(_RECOVER_RUNNING, scope)
            final = [reason.value for reason in FINAL_REASONS]
            await self._session.execute(_REOPEN_FAILED, (*scope, final))
            rows = await (await self._session.execute(_PENDING, scope)).fetchall()
        pending = tuple(Pending(Query(*row[:-2]), *row[-2:]) for row in rows)
        return Recovered(pending, maybe_paid=interrupted.rowcount)

    async def mark_running(self, query_ids: Sequence[str], account_id: str) -> None:
        """Record that these queries are about to be sent."""
        async with self._transaction():
            await self._session.execute(
                _MARK_RUNNING, (account_id, self._shard.plan_date, list(query_ids))
            )

    async def record(self, attempts: Sequence[Attempt]) -> None:
        """Record attempts, answers and the queries' new states in one transaction."""
        answered = [a for a in attempts if isinstance(a.outcome, Answer)]
        async with self._transaction():
            await self._session.execute(_INSERT_ATTEMPTS, self._attempt_columns(attempts))
            if answered:
                await self._session.execute(_INSERT_ANSWERS, self._answer_columns(answered))
            # One statement would apply an arbitrary one of two attempts of the same query.
            for batch in _one_per_query(attempts):
                await self._session.execute(_UPDATE_QUERIES, self._state_columns(batch))

    async def give_up(self, query_ids: Sequence[str], reason: Reason) -> None:
        """Fail queries that will not be sent any more tonight."""
        async with self._transaction():
            await self._session.execute(
                _GIVE_UP, (reason.value, self._shard.plan_date, list(query_ids))
            )

    @contextlib.asynccontextmanager
    async def _transaction(self) -> AsyncIterator[None]:
        with translated_errors():
            async with self._turn, self._session.transaction():
                yield

    def _attempt_columns(self, attempts: Sequence[Attempt]) -> tuple[object, ...]:
        failures = [_failure(attempt) for attempt in attempts]
        return (
            self._shard.plan_date,
            [attempt.query_id for attempt in attempts],
            [attempt.number for attempt in attempts],
            [attempt.account_id for attempt in attempts],
            [attempt.sent_at for attempt in attempts],
            [attempt.latency_ms for attempt in attempts],
            [failure.reason.value if failure else None for failure in failures],
            [failure.http_status if failure else 200 for failure in failures],
            [attempt.wait_s for attempt in attempts],
        )

    def _answer_columns(self, attempts: Sequence[Attempt]) -> tuple[object, ...]:
        answers = [a.outcome for a in attempts if isinstance(a.outcome, Answer)]
        encoded = [answer.text.encode("utf-8", "surrogatepass") for answer in answers]
        return (
            self._shard.plan_date,
            [attempt.query_id for attempt in attempts],
            [attempt.account_id for attempt in attempts],
            [pa.compress(text, codec="zstd", asbytes=True) for text in encoded],
            [len(text) for text in encoded],
            [_storable(answer.model) for answer in answers],
            [_storable(answer.finish_reason) for answer in answers],
            [answer.usage.prompt_tokens for answer in answers],
            [answer.usage.completion_tokens for answer in answers],
            [_storable(answer.request_id) for answer in answers],
            [attempt.sent_at for attempt in attempts],
            [attempt.latency_ms for attempt in attempts],
        )

    def _state_columns(self, attempts: Sequence[Attempt]) -> tuple[object, ...]:
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
            self._shard.plan_date,
        )


def _failure(attempt: Attempt) -> Failure | None:
    return attempt.outcome if isinstance(attempt.outcome, Failure) else None


def _next_attempt_at(attempt: Attempt) -> object:
    if attempt.wait_s is None:
        return None
    return attempt.sent_at + timedelta(milliseconds=attempt.latency_ms, seconds=attempt.wait_s)


def _storable(text: str | None) -> str | None:
    # PostgreSQL's text holds neither U+0000 nor lone surrogates.
    if text is None:
        return None
    clean = text.replace("\0", "").encode("utf-8", "replace").decode()
    return clean[:_DETAIL_LENGTH]


def _one_per_query(attempts: Sequence[Attempt]) -> list[list[Attempt]]:
    batches: list[dict[str, Attempt]] = []
    for attempt in attempts:
        for batch in batches:
            if attempt.query_id not in batch:
                batch[attempt.query_id] = attempt
                break
        else:
            batches.append({attempt.query_id: attempt})
    return [list(batch.values()) for batch in batches]


_SCOPE = "plan_date = %s AND platform_id = %s AND shard_key %% %s = %s"

_RECOVER_RUNNING = f"""
UPDATE ledger.query
SET state = 'pending', maybe_paid_count = maybe_paid_count + 1, next_attempt_at = NULL,
    updated_at = clock_timestamp()
WHERE {_SCOPE} AND state = 'running'
"""  # noqa: S608 - constant text

_REOPEN_FAILED = f"""
UPDATE ledger.query
SET state = 'pending', reason = NULL, next_attempt_at = NULL,
    earlier_attempt_count = attempt_count, updated_at = clock_timestamp()
WHERE {_SCOPE} AND state = 'failed' AND reason <> ALL(%s)
"""  # noqa: S608 - constant text

_PENDING = f"""
SELECT query_id, plan_date, platform_id, channel, prompt_id, prompt, repeat, priority,
       shard_key, attempt_count, attempt_count - earlier_attempt_count
FROM ledger.query
WHERE {_SCOPE} AND state = 'pending'
ORDER BY priority DESC, repeat, query_id
"""  # noqa: S608 - constant text

_MARK_RUNNING = """
UPDATE ledger.query
SET state = 'running', account_id = %s, next_attempt_at = NULL, updated_at = clock_timestamp()
WHERE plan_date = %s AND query_id = ANY(%s) AND state = 'pending'
"""

_INSERT_ATTEMPTS = """
INSERT INTO ledger.attempt (plan_date, query_id, attempt_number, account_id, sent_at,
                            latency_ms, reason, http_status, wait_s)
SELECT %s, new.* FROM unnest(
    %s::text[], %s::smallint[], %s::text[], %s::timestamptz[], %s::bigint[], %s::text[],
    %s::integer[], %s::double precision[]) AS new
ON CONFLICT DO NOTHING
"""

_INSERT_ANSWERS = """
INSERT INTO ledger.answer (plan_date, query_id, account_id, text_zstd, text_bytes, model,
                           finish_reason, prompt_tokens, completion_tokens, request_id,
                           sent_at, latency_ms)
SELECT %s, new.* FROM unnest(
    %s::text[], %s::text[], %s::bytea[], %s::integer[], %s::text[], %s::text[], %s::bigint[],
    %s::bigint[], %s::text[], %s::timestamptz[], %s::bigint[]) AS new
ON CONFLICT DO NOTHING
"""

_UPDATE_QUERIES = """
UPDATE ledger.query
SET state = new.state, reason = new.reason, detail = new.detail, http_status = new.http_status,
    attempt_count = new.attempt_number, next_attempt_at = new.next_attempt_at,
    updated_at = clock_timestamp()
FROM unnest(%s::text[], %s::text[], %s::text[], %s::text[], %s::integer[], %s::smallint[],
            %s::timestamptz[])
     AS new (query_id, state, reason, detail, http_status, attempt_number, next_attempt_at)
WHERE query.plan_date = %s AND query.query_id = new.query_id AND query.state <> 'answered'
"""

_GIVE_UP = """
UPDATE ledger.query
SET state = 'failed', reason = %s, detail = 'never sent, or no time for another attempt',
    next_attempt_at = NULL, updated_at = clock_timestamp()
WHERE plan_date = %s AND query_id = ANY(%s) AND state IN ('pending', 'running')
"""
