"""What each tenant's day costs: reserved, settled and released in the ledger.

Every change is made in the transaction that changes the queries it is for, with the
tenants' rows locked in one order, so that any number of processes never spend the same
dollar twice. The rules belong to `domain.budget`.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import Any

import psycopg

from brand_visibility.adapters.ledger.connection import connect
from brand_visibility.adapters.ledger.costs import Charges, read_tariff
from brand_visibility.domain.budget import (
    Charge,
    Claim,
    Reservation,
    charge_of,
    reserve,
    split,
    usd,
)
from brand_visibility.domain.outcomes import Attempt
from brand_visibility.domain.planning import Plan


@dataclass(frozen=True, slots=True)
class Spend:
    """One tenant's day in US dollars, over all platforms.

    `reserved_usd` is kept back for queries that are being asked. `estimated_usd` is the
    part of `settled_usd` for which no usage was known. `budget_usd` is None for a tenant
    without a bound.
    """

    tenant_id: str
    budget_usd: Decimal | None
    reserved_usd: Decimal
    settled_usd: Decimal
    estimated_usd: Decimal

    @property
    def left_usd(self) -> Decimal | None:
        """What may still be reserved, None without a bound."""
        if self.budget_usd is None:
            return None
        return self.budget_usd - self.reserved_usd - self.settled_usd


def read_spends(database_url: str, plan_date: date) -> list[Spend]:
    """Return what the day cost each tenant so far, none when nothing is counted."""
    with connect(database_url) as session:
        rows = session.execute(_READ_SPENDS, (plan_date,)).fetchall()
    return [Spend(*row) for row in rows]


def open_spends(session: psycopg.Connection, plan: Plan) -> None:
    """Freeze the budgets of a plan's tenants. The day's first plan decides them."""
    if not plan.is_budgeted:
        return
    budgets = [tenant.daily_budget_usd for tenant in plan.tenants]
    session.execute(
        _OPEN_SPENDS,
        (
            plan.plan_date,
            [tenant.tenant_id for tenant in plan.tenants],
            [None if budget is None else usd(budget) for budget in budgets],
        ),
    )


class ShardBudget:
    """The costs of one shard's queries. Call its methods within the shard's transaction."""

    def __init__(
        self, session: psycopg.AsyncConnection, plan_date: date, tariff: Mapping[str, Any]
    ) -> None:
        self._session = session
        self._plan_date = plan_date
        self._tariff = read_tariff(tariff)

    async def mark_running(self, query_ids: Sequence[str], account_id: str) -> Sequence[str]:
        """Mark pending queries running and reserve what they may cost.

        Returns the ids of those that nobody can pay for: they stay pending.
        """
        claims = await self._claims(query_ids)
        left = await self._lock({name for claim in claims for name in claim.tenant_ids})
        reservations, refused = reserve(claims, left)
        entries = _Entries()
        for reservation in reservations:
            entries.reserve(reservation)
        await self._add(entries)
        await self._session.execute(
            _MARK_RESERVED,
            (
                account_id,
                [reservation.query_id for reservation in reservations],
                [",".join(reservation.payer_ids) for reservation in reservations],
                self._plan_date,
            ),
        )
        return refused

    async def settle(self, attempts: Sequence[Attempt]) -> "Settlement":
        """Return what the attempts cost and whom. It counts once it is booked.

        Attempts of a query that has no reservation any more were settled before.
        """
        reservations = await self._reservations([attempt.query_id for attempt in attempts])
        entries = _Entries()
        for reservation in reservations.values():
            entries.release(reservation)
        charges: dict[tuple[str, int], Charge] = {}
        for attempt in attempts:
            if (held := reservations.get(attempt.query_id)) is not None:
                charge = charge_of(attempt.outcome, self._tariff, held.worst_cost_usd)
                charges[attempt.query_id, attempt.number] = charge
                entries.settle(held, charge)
        return Settlement(charges, entries)

    async def book(self, settlement: "Settlement") -> None:
        """Book a settlement. Last in its transaction: others wait for the tenants' rows."""
        if settlement.entries.tenant_ids:
            await self._lock(settlement.entries.tenant_ids)
            await self._add(settlement.entries)

    async def release(self, query_ids: Sequence[str]) -> None:
        """Give back what is reserved for queries that will not be sent."""
        entries = _Entries()
        for reservation in (await self._reservations(query_ids)).values():
            entries.release(reservation)
        await self.book(Settlement({}, entries))

    async def settle_interrupted(self, scope: tuple[object, ...]) -> None:
        """Settle a dead owner's reservations: what it was asking may have been billed."""
        cursor = await self._session.execute(_INTERRUPTED, scope)
        entries = _Entries()
        for row in await cursor.fetchall():
            reservation = _reservation(row)
            entries.release(reservation)
            entries.settle(reservation, Charge(reservation.worst_cost_usd, is_estimated=True))
        await self.book(Settlement({}, entries))

    async def _claims(self, query_ids: Sequence[str]) -> list[Claim]:
        cursor = await self._session.execute(_CLAIMS, (self._plan_date, list(query_ids)))
        found = {row[0]: row for row in await cursor.fetchall()}
        rows = [found[query_id] for query_id in query_ids if query_id in found]
        return [Claim(row[0], tuple(row[1]), row[2]) for row in rows]

    async def _reservations(self, query_ids: Sequence[str]) -> dict[str, Reservation]:
        cursor = await self._session.execute(_RESERVATIONS, (self._plan_date, list(query_ids)))
        return {row[0]: _reservation(row) for row in await cursor.fetchall()}

    async def _lock(self, tenant_ids: Iterable[str]) -> dict[str, Decimal | None]:
        """Lock the tenants' rows until the transaction ends; return what each has left."""
        cursor = await self._session.execute(_LOCK_SPENDS, (self._plan_date, list(tenant_ids)))
        spends = [Spend(*row) for row in await cursor.fetchall()]
        return {spend.tenant_id: spend.left_usd for spend in spends}

    async def _add(self, entries: "_Entries") -> None:
        await self._session.execute(_BOOK, (*entries.columns(), self._plan_date))


@dataclass(slots=True)
class _Entries:
    """Changes to tenants' days that are booked in one statement."""

    reserved: dict[str, Decimal] = field(default_factory=lambda: defaultdict(Decimal))
    settled: dict[str, Decimal] = field(default_factory=lambda: defaultdict(Decimal))
    estimated: dict[str, Decimal] = field(default_factory=lambda: defaultdict(Decimal))

    @property
    def tenant_ids(self) -> list[str]:
        return sorted({*self.reserved, *self.settled})

    def reserve(self, reservation: Reservation) -> None:
        for payer_id, part in reservation.parts.items():
            self.reserved[payer_id] += part

    def release(self, reservation: Reservation) -> None:
        for payer_id, part in reservation.parts.items():
            self.reserved[payer_id] -= part

    def settle(self, reservation: Reservation, charge: Charge) -> None:
        for payer_id, part in split(charge.cost_usd, reservation.payer_ids).items():
            self.settled[payer_id] += part
            if charge.is_estimated:
                self.estimated[payer_id] += part

    def columns(self) -> tuple[object, ...]:
        names = self.tenant_ids
        amounts = (self.reserved, self.settled, self.estimated)
        return (names, *([column.get(name, Decimal(0)) for name in names] for column in amounts))


@dataclass(frozen=True, slots=True)
class Settlement:
    """What attempts cost, by query and attempt number, and the entries that book it."""

    charges: Charges
    entries: _Entries


def _reservation(row: tuple[Any, ...]) -> Reservation:
    query_id, payer_ids, worst_cost_usd = row
    return Reservation(query_id, tuple(payer_ids), worst_cost_usd)


_READ_SPENDS = """
SELECT tenant_id, budget_usd, reserved_usd, settled_usd, estimated_usd
FROM ledger.spend WHERE plan_date = %s ORDER BY tenant_id
"""

_OPEN_SPENDS = """
INSERT INTO ledger.spend (plan_date, tenant_id, budget_usd)
SELECT %s, new.* FROM unnest(%s::text[], %s::numeric[]) AS new (tenant_id, budget_usd)
ORDER BY tenant_id
ON CONFLICT DO NOTHING
"""

# In one order for everybody: two shards that want the same rows take turns.
_LOCK_SPENDS = """
SELECT tenant_id, budget_usd, reserved_usd, settled_usd, estimated_usd
FROM ledger.spend WHERE plan_date = %s AND tenant_id = ANY(%s)
ORDER BY tenant_id FOR UPDATE
"""

_BOOK = """
UPDATE ledger.spend
SET reserved_usd = spend.reserved_usd + new.reserved_usd,
    settled_usd = spend.settled_usd + new.settled_usd,
    estimated_usd = spend.estimated_usd + new.estimated_usd
FROM unnest(%s::text[], %s::numeric[], %s::numeric[], %s::numeric[])
     AS new (tenant_id, reserved_usd, settled_usd, estimated_usd)
WHERE spend.plan_date = %s AND spend.tenant_id = new.tenant_id
"""

_CLAIMS = """
SELECT query_id, tenant_ids, worst_cost_usd FROM ledger.query
WHERE plan_date = %s AND query_id = ANY(%s) AND state = 'pending'
"""

_RESERVATIONS = """
SELECT query_id, payer_ids, worst_cost_usd FROM ledger.query
WHERE plan_date = %s AND query_id = ANY(%s) AND payer_ids IS NOT NULL
"""

_INTERRUPTED = """
SELECT query_id, payer_ids, worst_cost_usd FROM ledger.query
WHERE plan_date = %s AND platform_id = %s AND shard_key %% %s = %s AND payer_ids IS NOT NULL
"""

# A list in a list has no column type of its own; ids hold no comma.
_MARK_RESERVED = """
UPDATE ledger.query
SET state = 'running', account_id = %s, payer_ids = string_to_array(new.payer_ids, ','),
    next_attempt_at = NULL, updated_at = clock_timestamp()
FROM unnest(%s::text[], %s::text[]) AS new (query_id, payer_ids)
WHERE query.plan_date = %s AND query.query_id = new.query_id
"""
