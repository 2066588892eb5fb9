"""What the engine needs from outside, as small protocols.

Their implementations live in `adapters` (HTTP, ledger) and in tests (fakes).
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from brand_visibility.domain.catalog import Account
from brand_visibility.domain.outcomes import Attempt, Outcome, Reason
from brand_visibility.domain.planning import Query


@dataclass(frozen=True, slots=True)
class Pending:
    """A query still without an outcome, and the calls already made for it.

    `retries_made` counts those that use up its retries: a query that failed for good in an
    earlier run of the day and is asked again begins anew. `tenant_weights` are those of
    the query's `tenant_ids`, in their order; none means that all weigh 1.
    """

    query: Query
    attempts_made: int = 0
    retries_made: int = 0
    tenant_weights: tuple[float, ...] = ()


class Clock(Protocol):
    """Time. `monotonic` in seconds from any origin, `now` aware, in UTC."""

    def monotonic(self) -> float: ...

    def now(self) -> datetime: ...

    async def sleep(self, seconds: float) -> None: ...


NextSlot = Callable[[], Awaitable[None]]


class Sender(Protocol):
    """One exchange with a platform within its wall-clock limit. Never raises for an outcome.

    It is called in the moment of a send slot. A platform that needs another call for the
    same answer gets it after `next_slot`, which returns when that one may be sent.
    """

    async def send(self, query: Query, account: Account, next_slot: NextSlot) -> Outcome: ...


class PaceSource(Protocol):
    """Hands out send slots of one account so that its rate is never exceeded.

    Returns monotonic times in increasing order, at least one.
    """

    async def reserve(self, count: int) -> Sequence[float]: ...


class Journal(Protocol):
    """The durable record. Every call returns after the commit; calls never overlap.

    `mark_running` comes before the queries are sent and returns the ids of those that must
    not be, since no tenant they serve has budget left: they stay pending until they are
    given up as over budget. `record` comes after an attempt ended:
    an attempt with an answer makes its query answered, one with a `wait_s` makes it
    pending again, any other failed. `give_up` fails queries that were never answered,
    without a further attempt. `release` makes queries pending again that were marked
    running and never sent. After an error the same attempts may be recorded once
    more, so (query, attempt number) must make `record` idempotent.
    """

    async def mark_running(self, query_ids: Sequence[str], account_id: str) -> Sequence[str]: ...

    async def record(self, attempts: Sequence[Attempt]) -> None: ...

    async def give_up(self, query_ids: Sequence[str], reason: Reason) -> None: ...

    async def release(self, query_ids: Sequence[str]) -> None: ...
