"""One shard's part of the ledger, written through its owner's session.

Who the owner is belongs to `ownership`.
"""

import asyncio
import contextlib
import zlib
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import Any

import psycopg

from brand_visibility.adapters.ledger.budgets import ShardBudget
from brand_visibility.adapters.ledger.connection import translated_errors
from brand_visibility.adapters.ledger.costs import Charges, ShardCosts
from brand_visibility.adapters.ledger.days import keep_day
from brand_visibility.adapters.ledger.rows import (
    answer_columns,
    attempt_columns,
    one_per_query,
    state_columns,
)
from brand_visibility.collection.ports import Pending
from brand_visibility.domain.errors import PlanError
from brand_visibility.domain.outcomes import RESULTS, Answer, Attempt, Reason
from brand_visibility.domain.planning import Query

# A failure that asking again on the same day cannot mend; everything else counts as
# missing when the shard is collected again.
FINAL_REASONS = (Reason.REJECTED, *sorted(RESULTS))


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
        self._terms: _Terms | None = None
        # One session serves several tasks; a transaction must not interleave with another.
        self._turn = asyncio.Lock()

    async def recover(self) -> Recovered:
        """Make everything without an answer pending again, and return it.

        Keeps the day from being dropped as long as the session lives. Raises PlanError
        when it was not planned, or was dropped.
        """
        shard = self._shard
        scope = (shard.plan_date, shard.platform_id, shard.count, shard.index)
        async with self._transaction():
            await keep_day(self._session, shard.plan_date)
            terms = await self._read_terms()
            if terms.budget is not None:
                await terms.budget.settle_interrupted(scope)
            interrupted = await self._session.execute(_RECOVER_RUNNING, scope)
            final = [reason.value for reason in FINAL_REASONS]
            await self._session.execute(_REOPEN_FAILED, (*scope, final))
            rows = await (await self._session.execute(_PENDING, scope)).fetchall()
        pending = tuple(_pending(rows, terms.weights))
        return Recovered(pending, maybe_paid=interrupted.rowcount)

    async def mark_running(self, query_ids: Sequence[str], account_id: str) -> Sequence[str]:
        """Record that these queries are about to be sent, and reserve what they may cost.

        Returns the ids of those that no tenant has budget left for: they stay pending.
        """
        async with self._transaction():
            terms = await self._read_terms()
            if terms.budget is not None:
                return await terms.budget.mark_running(query_ids, account_id)
            await self._session.execute(
                _MARK_RUNNING, (account_id, self._shard.plan_date, list(query_ids))
            )
        return ()

    async def record(self, attempts: Sequence[Attempt]) -> None:
        """Record attempts, answers, new states and costs in one transaction."""
        day = self._shard.plan_date
        answered = [a for a in attempts if isinstance(a.outcome, Answer)]
        async with self._transaction():
            terms = await self._read_terms()
            settlement = await terms.budget.settle(attempts) if terms.budget else None
            charges = settlement.charges if settlement else await terms.charges(attempts)
            await self._session.execute(_INSERT_ATTEMPTS, attempt_columns(day, attempts, charges))
            if answered:
                await self._session.execute(_INSERT_ANSWERS, answer_columns(day, answered))
            # One statement would apply an arbitrary one of two attempts of the same query.
            for batch in one_per_query(attempts):
                await self._session.execute(_UPDATE_QUERIES, state_columns(day, batch))
            if terms.budget and settlement:
                await terms.budget.book(settlement)

    async def give_up(self, query_ids: Sequence[str], reason: Reason) -> None:
        """Fail queries that will not be sent any more tonight."""
        detail = _GIVEN_UP.get(reason, _NOT_SENT)
        async with self._transaction():
            terms = await self._read_terms()
            if terms.budget is not None:
                await terms.budget.release(query_ids)
            await self._session.execute(
                _GIVE_UP, (reason.value, detail, self._shard.plan_date, list(query_ids))
            )

    async def release(self, query_ids: Sequence[str]) -> None:
        """Make queries pending again that were marked running and never sent."""
        async with self._transaction():
            terms = await self._read_terms()
            if terms.budget is not None:
                await terms.budget.release(query_ids)
            await self._session.execute(_RELEASE, (self._shard.plan_date, list(query_ids)))

    @contextlib.asynccontextmanager
    async def _transaction(self) -> AsyncIterator[None]:
        with translated_errors():
            async with self._turn, self._session.transaction():
                yield

    async def _read_terms(self) -> "_Terms":
        """Return what the plan froze; it is read once."""
        if self._terms is None:
            shard = self._shard
            cursor = await self._session.execute(_TERMS, (shard.plan_date, shard.platform_id))
            row = await cursor.fetchone()
            if row is None:
                raise PlanError(f"no plan of {shard.plan_date} for platform {shard.platform_id}")
            weights, tariff, is_budgeted = row
            kind: type[ShardBudget | ShardCosts] = ShardBudget if is_budgeted else ShardCosts
            counted = kind(self._session, shard.plan_date, tariff) if tariff else None
            self._terms = _Terms(weights, counted)
        return self._terms


@dataclass(frozen=True, slots=True)
class _Terms:
    """What a plan says of tenants and costs; `counted` is None where no price is known."""

    weights: Mapping[str, float]
    counted: ShardBudget | ShardCosts | None

    @property
    def budget(self) -> ShardBudget | None:
        return self.counted if isinstance(self.counted, ShardBudget) else None

    async def charges(self, attempts: Sequence[Attempt]) -> Charges:
        """Return what attempts cost that nothing was reserved for."""
        return await self.counted.count(attempts) if isinstance(self.counted, ShardCosts) else {}


def _pending(rows: Iterable[tuple[Any, ...]], weights: Mapping[str, float]) -> Iterator[Pending]:
    @cache
    def share(tenant_ids: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[float, ...]]:
        # The same few tenants share most queries: one object for all of them.
        return tenant_ids, tuple(weights.get(tenant_id, 1.0) for tenant_id in tenant_ids)

    for *fields, tenant_ids, attempts_made, retries_made in rows:
        names, tenant_weights = share(tuple(tenant_ids))
        yield Pending(Query(*(*fields, names)), attempts_made, retries_made, tenant_weights)


_NOT_SENT = "never sent, or no time for another attempt"
_GIVEN_UP = {Reason.OVER_BUDGET: "the day's budget of every tenant that it serves is used up"}

_TERMS = """
SELECT tenant_weights, tariff, is_budgeted FROM ledger.plan
WHERE plan_date = %s AND platform_id = %s
"""

# Its parameters: plan date, platform, number of shards, index of the shard.
SHARD_SCOPE = "plan_date = %s AND platform_id = %s AND shard_key %% %s = %s"

_RECOVER_RUNNING = f"""
UPDATE ledger.query
SET state = 'pending', maybe_paid_count = maybe_paid_count + 1, next_attempt_at = NULL,
    payer_ids = NULL, updated_at = clock_timestamp()
WHERE {SHARD_SCOPE} AND state = 'running'
"""  # noqa: S608 - constant text

_REOPEN_FAILED = f"""
UPDATE ledger.query
SET state = 'pending', reason = NULL, next_attempt_at = NULL,
    earlier_attempt_count = attempt_count, updated_at = clock_timestamp()
WHERE {SHARD_SCOPE} AND state = 'failed' AND reason <> ALL(%s)
"""  # noqa: S608 - constant text

_PENDING = f"""
SELECT query_id, plan_date, platform_id, channel, prompt_id, prompt, repeat, priority,
       shard_key, tenant_ids, attempt_count, attempt_count - earlier_attempt_count
FROM ledger.query
WHERE {SHARD_SCOPE} AND state = 'pending'
ORDER BY priority DESC, repeat, query_id
"""  # noqa: S608 - constant text

_MARK_RUNNING = """
UPDATE ledger.query
SET state = 'running', account_id = %s, next_attempt_at = NULL, updated_at = clock_timestamp()
WHERE plan_date = %s AND query_id = ANY(%s) AND state = 'pending'
"""

_RELEASE = """
UPDATE ledger.query
SET state = 'pending', payer_ids = NULL, updated_at = clock_timestamp()
WHERE plan_date = %s AND query_id = ANY(%s) AND state = 'running'
"""

_INSERT_ATTEMPTS = """
INSERT INTO ledger.attempt (plan_date, query_id, attempt_number, account_id, sent_at,
                            latency_ms, reason, http_status, wait_s, cost_usd,
                            is_cost_estimated)
SELECT %s, new.* FROM unnest(
    %s::text[], %s::smallint[], %s::text[], %s::timestamptz[], %s::bigint[], %s::text[],
    %s::integer[], %s::double precision[], %s::numeric[], %s::boolean[]) AS new
ON CONFLICT DO NOTHING
"""

# What is large goes as it is (%b): spelled out as text it would be twice the size.
_INSERT_ANSWERS = """
INSERT INTO ledger.answer (plan_date, query_id, account_id, text_zstd, text_bytes, model,
                           finish_reason, prompt_tokens, completion_tokens, request_id,
                           sent_at, latency_ms, reasoning_tokens, cached_tokens,
                           search_count, search, sources, raw_zstd, raw_bytes)
SELECT %s, new.* FROM unnest(
    %s::text[], %s::text[], %b::bytea[], %s::integer[], %s::text[], %s::text[], %s::bigint[],
    %s::bigint[], %s::text[], %s::timestamptz[], %s::bigint[], %s::bigint[], %s::bigint[],
    %s::bigint[], %s::text[], %b::text[]::jsonb[], %b::bytea[], %s::integer[]) AS new
ON CONFLICT DO NOTHING
"""

_UPDATE_QUERIES = """
UPDATE ledger.query
SET state = new.state, reason = new.reason, detail = new.detail, http_status = new.http_status,
    attempt_count = new.attempt_number, next_attempt_at = new.next_attempt_at,
    payer_ids = NULL, updated_at = clock_timestamp()
FROM unnest(%s::text[], %s::text[], %s::text[], %s::text[], %s::integer[], %s::smallint[],
            %s::timestamptz[])
     AS new (query_id, state, reason, detail, http_status, attempt_number, next_attempt_at)
WHERE query.plan_date = %s AND query.query_id = new.query_id AND query.state <> 'answered'
"""

_GIVE_UP = """
UPDATE ledger.query
SET state = 'failed', reason = %s, detail = %s, next_attempt_at = NULL, payer_ids = NULL,
    updated_at = clock_timestamp()
WHERE plan_date = %s AND query_id = ANY(%s) AND state IN ('pending', 'running')
"""
