"""How a night stands, read from the ledger alone: nothing here changes a row.

Rates and paces are those of the last minute on the database's clock. What people are
shown of it belongs to the commands.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import TypeVar

import psycopg
from psycopg.rows import class_row

from brand_visibility.adapters.ledger.connection import connect
from brand_visibility.adapters.ledger.plans import IS_OF_THE_NIGHT
from brand_visibility.domain.errors import PlanError
from brand_visibility.domain.outcomes import RESULTS
from brand_visibility.domain.planning import JUDGE_CHANNEL

Row = TypeVar("Row")
Key = TypeVar("Key")

WINDOW_S = 60
RETRY_BUCKETS = ("0", "1", "2", "3+")

# Not yet sent by any account.
_NO_ACCOUNT = ""


@dataclass(frozen=True, slots=True)
class Counts:
    """Queries by state. `waiting` ones are pending with a time for their next attempt.

    `withheld` are those that the platform refused or blocked, a result of theirs, and
    `failed` those without any, both by reason. `retries` counts the queries that were
    asked, by their calls after the first.
    """

    planned: int
    pending: int
    waiting: int
    running: int
    answered: int
    withheld: Mapping[str, int]
    failed: Mapping[str, int]
    retries: Mapping[str, int]
    maybe_paid: int
    next_attempt_at: datetime | None

    @property
    def left(self) -> int:
        """Queries without an outcome."""
        return self.pending + self.waiting + self.running


@dataclass(frozen=True, slots=True)
class PlatformStatus:
    """A platform's day. `projected_end` is None when nothing is left, or nothing moves."""

    platform_id: str
    counts: Counts
    outcomes_per_second: float
    projected_end: datetime | None


@dataclass(frozen=True, slots=True)
class AccountStatus:
    """An account's day; "" stands for queries that no account was asked yet."""

    platform_id: str
    account_id: str
    counts: Counts
    sends_per_second: float
    limit_per_second: float | None


@dataclass(frozen=True, slots=True)
class TenantStatus:
    """The queries that serve a tenant. A query that serves several counts for each."""

    tenant_id: str
    counts: Counts


@dataclass(frozen=True, slots=True)
class OwnerStatus:
    """A process that owns a shard, or died owning it."""

    platform_id: str
    shard_index: int
    shard_count: int
    host: str
    pid: int
    run_id: str
    heartbeat_age_s: float


@dataclass(frozen=True, slots=True)
class NightStatus:
    """A day of all platforms at one moment."""

    plan_date: date
    read_at: datetime
    platforms: tuple[PlatformStatus, ...]
    accounts: tuple[AccountStatus, ...]
    tenants: tuple[TenantStatus, ...]
    owners: tuple[OwnerStatus, ...]

    @property
    def is_over(self) -> bool:
        """Whether every query has an outcome."""
        return all(platform.counts.left == 0 for platform in self.platforms)

    @property
    def projected_end(self) -> datetime | None:
        """When the last platform ends at the present pace, None when one stands still."""
        unended = [platform for platform in self.platforms if platform.counts.left]
        ends = [platform.projected_end for platform in unended]
        known = [end for end in ends if end is not None]
        return max(known) if known and len(known) == len(ends) else None


@dataclass(frozen=True, slots=True)
class _Group:
    """Queries that agree in everything that is counted apart."""

    platform_id: str
    account_id: str
    tenant_ids: list[str]
    stage: str
    reason: str | None
    retries: int | None
    query_count: int
    maybe_paid: int
    ended_lately: int
    sent_lately: int
    next_attempt_at: datetime | None


def read_night(database_url: str, plan_date: date) -> NightStatus:
    """Return how a day stands. Raises PlanError when it was not planned."""
    with connect(database_url) as session, session.transaction():
        # One snapshot, so that the tables agree with each other.
        session.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        row = session.execute("SELECT clock_timestamp()").fetchone()
        planned = session.execute(_PLATFORMS, (plan_date,)).fetchall()
        if row is None or not planned:
            raise PlanError(f"no plan of {plan_date}; materialise query_plan first")
        scope = {"plan_date": plan_date, "window_s": WINDOW_S}
        groups = _read(session, _Group, _GROUPS, scope)
        owners = _read(session, OwnerStatus, _OWNERS, scope)
        calls = {(platform, account): n for platform, account, n in session.execute(_CALLS, scope)}
        limits = {(platform, account): n for platform, account, n in session.execute(_LIMITS)}
    return NightStatus(
        plan_date=plan_date,
        read_at=row[0],
        platforms=tuple(_platform(name, groups, row[0]) for (name,) in planned),
        accounts=tuple(_accounts(groups, calls, limits)),
        tenants=tuple(_tenants(groups)),
        owners=tuple(owners),
    )


def _read(
    session: psycopg.Connection, kind: type[Row], statement: str, scope: Mapping[str, object]
) -> list[Row]:
    with session.cursor(row_factory=class_row(kind)) as cursor:
        return cursor.execute(statement, scope).fetchall()


def _platform(name: str, groups: Sequence[_Group], now: datetime) -> PlatformStatus:
    own = [group for group in groups if group.platform_id == name]
    counts = _count(own)
    pace = sum(group.ended_lately for group in own) / WINDOW_S
    end = now + timedelta(seconds=counts.left / pace) if counts.left and pace else None
    return PlatformStatus(name, counts, pace, end)


def _accounts(
    groups: Sequence[_Group],
    calls: Mapping[tuple[str, str], int],
    limits: Mapping[tuple[str, str], float | None],
) -> list[AccountStatus]:
    found = []
    for key, own in _split(groups, lambda group: [(group.platform_id, group.account_id)]):
        # Calls in flight have no record yet.
        sent = calls.get(key, 0) + sum(group.sent_lately for group in own)
        found.append(AccountStatus(*key, _count(own), sent / WINDOW_S, limits.get(key)))
    return found


def _tenants(groups: Sequence[_Group]) -> list[TenantStatus]:
    split = _split(groups, lambda group: group.tenant_ids)
    return [TenantStatus(tenant_id, _count(own)) for tenant_id, own in split]


def _split(
    groups: Sequence[_Group], keys: Callable[[_Group], Iterable[Key]]
) -> list[tuple[Key, list[_Group]]]:
    parts: dict[Key, list[_Group]] = {}
    for group in groups:
        for key in keys(group):
            parts.setdefault(key, []).append(group)
    return sorted(parts.items(), key=lambda part: str(part[0]))


def _count(groups: Sequence[_Group]) -> Counts:
    stages: Counter[str] = Counter()
    failed: Counter[str] = Counter()
    retries: Counter[int] = Counter()
    for group in groups:
        stages[group.stage] += group.query_count
        if group.reason is not None:
            failed[group.reason] += group.query_count
        if group.retries is not None:
            retries[group.retries] += group.query_count
    times = [group.next_attempt_at for group in groups if group.next_attempt_at is not None]
    return Counts(
        planned=stages.total(),
        pending=stages["pending"],
        waiting=stages["waiting"],
        running=stages["running"],
        answered=stages["answered"],
        withheld={reason: n for reason, n in failed.most_common() if reason in RESULTS},
        failed={reason: n for reason, n in failed.most_common() if reason not in RESULTS},
        retries={name: retries[number] for number, name in enumerate(RETRY_BUCKETS)},
        maybe_paid=sum(group.maybe_paid for group in groups),
        next_attempt_at=min(times, default=None),
    )


_PLATFORMS = f"""
SELECT platform_id FROM ledger.plan WHERE plan_date = %s AND {IS_OF_THE_NIGHT}
ORDER BY platform_id
"""  # noqa: S608 - constant text

_GROUPS = f"""
SELECT platform_id, coalesce(account_id, '{_NO_ACCOUNT}') AS account_id, tenant_ids,
       CASE WHEN state = 'pending' AND next_attempt_at IS NOT NULL THEN 'waiting'
            ELSE state END AS stage,
       reason,
       CASE WHEN attempt_count > 0 THEN least(attempt_count - 1, 3) END AS retries,
       count(*) AS query_count,
       sum(maybe_paid_count) AS maybe_paid,
       count(*) FILTER (WHERE state IN ('answered', 'failed') AND is_recent) AS ended_lately,
       count(*) FILTER (WHERE state = 'running' AND is_recent) AS sent_lately,
       min(next_attempt_at) AS next_attempt_at
FROM ledger.query,
     LATERAL (SELECT updated_at > now() - make_interval(secs => %(window_s)s) AS is_recent) AS age
WHERE plan_date = %(plan_date)s AND channel <> '{JUDGE_CHANNEL}'
GROUP BY 1, 2, 3, 4, 5, 6
"""  # noqa: S608 - constant text

_CALLS = """
SELECT platform_id, attempt.account_id, count(*)
FROM ledger.attempt JOIN ledger.query USING (plan_date, query_id)
WHERE plan_date = %(plan_date)s AND sent_at > now() - make_interval(secs => %(window_s)s)
GROUP BY 1, 2
"""

_LIMITS = "SELECT platform_id, account_id, rate_per_second FROM ledger.account_pace"

_OWNERS = """
SELECT platform_id, shard_index, shard_count, host, pid, run_id,
       extract(epoch FROM clock_timestamp() - heartbeat_at)::double precision AS heartbeat_age_s
FROM ledger.shard_owner
WHERE plan_date = %(plan_date)s
ORDER BY platform_id, shard_count, shard_index
"""
