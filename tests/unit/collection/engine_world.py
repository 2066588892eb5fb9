"""A small world for the engine: scripted platforms and a journal that knows the rules."""

import asyncio
import random
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

from brand_visibility.collection.collector import Collector
from brand_visibility.collection.pacing import DEFAULT_JITTER, LocalPace
from brand_visibility.collection.ports import NextSlot, PaceSource, Pending
from brand_visibility.domain.catalog import Account, AccountLimits, RetrySettings
from brand_visibility.domain.outcomes import (
    Answer,
    Attempt,
    Failure,
    Outcome,
    QueryState,
    Reason,
)
from brand_visibility.domain.planning import Query
from brand_visibility.domain.retry import RetryRules
from tests.virtual_time import VirtualClock


@dataclass(frozen=True)
class Reply:
    """What an attempt comes to. It takes `calls` of `latency_s` each, `limit_s` in all."""

    outcome: Outcome | Exception = field(default_factory=lambda: Answer("fine"))
    latency_s: float = 0.2
    calls: int = 1
    limit_s: float | None = None


@dataclass(frozen=True)
class Send:
    at: float
    query_id: str
    number: int
    account_id: str


# How much wider than their limit slots are spaced.
SPACING = 1 + DEFAULT_JITTER

Script = Callable[[Send], Reply]


def failing(reason: Reason, retry_after_s: float | None = None) -> Reply:
    return Reply(Failure(reason, retry_after_s=retry_after_s))


def always(reply: Reply) -> Script:
    return lambda send: reply


def first_then(first: Reply, then: Reply | None = None) -> Script:
    return lambda send: first if send.number == 1 else then or Reply()


class ScriptedSender:
    """Answers by a script and remembers every call."""

    def __init__(self, script: Script, clock: VirtualClock) -> None:
        self._script = script
        self._clock = clock
        self._calls: Counter[str] = Counter()
        self._in_flight: Counter[str] = Counter()
        self.sends: list[Send] = []
        self.follow_ups: list[Send] = []
        self.peak: Counter[str] = Counter()

    @property
    def in_flight(self) -> int:
        return self._in_flight.total()

    async def send(self, query: Query, account: Account, next_slot: NextSlot) -> Outcome:
        name = account.account_id
        self._calls[query.query_id] += 1
        send = Send(self._clock.monotonic(), query.query_id, self._calls[query.query_id], name)
        self.sends.append(send)
        self._in_flight[name] += 1
        self.peak[name] = max(self.peak[name], self._in_flight[name])
        try:
            reply = self._script(send)
            async with asyncio.timeout(reply.limit_s):
                await self._converse(send, reply, next_slot)
        except TimeoutError:
            return Failure(Reason.TIMED_OUT)
        finally:
            self._in_flight[name] -= 1
        if isinstance(reply.outcome, Exception):
            raise reply.outcome
        return reply.outcome

    async def _converse(self, send: Send, reply: Reply, next_slot: NextSlot) -> None:
        await self._clock.sleep(reply.latency_s)
        for _ in range(reply.calls - 1):
            await next_slot()
            self.follow_ups.append(replace(send, at=self._clock.monotonic()))
            await self._clock.sleep(reply.latency_s)


@dataclass
class StrictJournal:
    """Refuses every call that tells a query's story in the wrong order."""

    clock: VirtualClock
    latency_s: float = 0.002
    breaks_when: Callable[["StrictJournal", str], bool] = lambda journal, call: False
    states: dict[str, QueryState] = field(default_factory=dict)
    attempts: list[Attempt] = field(default_factory=list)
    given_up: dict[str, Reason] = field(default_factory=dict)
    released: list[str] = field(default_factory=list)
    over_budget: Callable[[str], bool] = lambda query_id: False
    marks: list[tuple[float, tuple[str, ...], str]] = field(default_factory=list)
    groups: list[tuple[float, int]] = field(default_factory=list)
    _is_busy: bool = False

    async def mark_running(self, query_ids: Sequence[str], account_id: str) -> Sequence[str]:
        await self._commit("mark_running")
        assert query_ids
        refused = [query_id for query_id in query_ids if self.over_budget(query_id)]
        for query_id in query_ids:
            assert self.state(query_id) in {QueryState.PENDING, QueryState.RUNNING}
            if query_id not in refused:
                self.states[query_id] = QueryState.RUNNING
        self.marks.append((self.clock.monotonic(), tuple(query_ids), account_id))
        return refused

    async def record(self, attempts: Sequence[Attempt]) -> None:
        await self._commit("record")
        assert attempts
        for attempt in attempts:
            assert self.state(attempt.query_id) is QueryState.RUNNING
            self.states[attempt.query_id] = _state_after(attempt)
        self.attempts.extend(attempts)
        self.groups.append((self.clock.monotonic(), len(attempts)))

    async def give_up(self, query_ids: Sequence[str], reason: Reason) -> None:
        await self._commit("give_up")
        for query_id in query_ids:
            assert self.state(query_id) in {QueryState.PENDING, QueryState.RUNNING}
            self.states[query_id] = QueryState.FAILED
            self.given_up[query_id] = reason

    async def release(self, query_ids: Sequence[str]) -> None:
        await self._commit("release")
        assert query_ids
        for query_id in query_ids:
            assert self.state(query_id) in {QueryState.PENDING, QueryState.RUNNING}
            self.states[query_id] = QueryState.PENDING
        self.released.extend(query_ids)

    def state(self, query_id: str) -> QueryState:
        return self.states.get(query_id, QueryState.PENDING)

    async def _commit(self, call: str) -> None:
        assert not self._is_busy, "calls of the journal overlap"
        self._is_busy = True
        try:
            await self.clock.sleep(self.latency_s)
            if self.breaks_when(self, call):
                raise ConnectionError("the database went away")
        finally:
            self._is_busy = False


def _state_after(attempt: Attempt) -> QueryState:
    if isinstance(attempt.outcome, Answer):
        return QueryState.ANSWERED
    return QueryState.FAILED if attempt.wait_s is None else QueryState.PENDING


class World:
    """A collector, the platform it asks and the journal it keeps. Build it in a loop."""

    def __init__(
        self,
        script: Script = always(Reply()),  # noqa: B008 - a constant
        *,
        accounts: Sequence[Account] | None = None,
        retry: RetrySettings | None = None,
        journal: StrictJournal | None = None,
        pace: Callable[[Account], PaceSource] | None = None,
        **options: Any,
    ) -> None:
        self.clock = VirtualClock()
        self.started = self.clock.monotonic()
        self.sender = ScriptedSender(script, self.clock)
        self.journal = journal or StrictJournal(self.clock)
        self.collector = Collector(
            accounts=[an_account()] if accounts is None else accounts,
            pace=pace or self._local_pace,
            sender=self.sender,
            journal=self.journal,
            rules=RetryRules(retry or RetrySettings()),
            clock=self.clock,
            rng=random.Random(7),
            **options,
        )

    def _local_pace(self, account: Account) -> PaceSource:
        return LocalPace(account.limits.rate_per_second, self.clock)

    @property
    def elapsed(self) -> float:
        return self.clock.monotonic() - self.started

    def sent_ids(self) -> list[str]:
        return [send.query_id for send in self.sender.sends]

    def calls(self) -> list[Send]:
        """Return first and further calls in the order in which they were made."""
        return sorted([*self.sender.sends, *self.sender.follow_ups], key=lambda send: send.at)

    def times(self, account_id: str = "main") -> list[float]:
        return [send.at for send in self.sender.sends if send.account_id == account_id]


def an_account(
    account_id: str = "main",
    *,
    rate: float = 20,
    concurrency: int = 50,
    tokens_per_minute: int | None = None,
    queries_per_day: int | None = None,
) -> Account:
    limits = AccountLimits(rate, concurrency, tokens_per_minute, queries_per_day)
    return Account(account_id, limits)


def queries(count: int, *, priority: int = 0, prefix: str = "q") -> list[Pending]:
    return [Pending(a_query(f"{prefix}{number}", priority=priority)) for number in range(count)]


def a_query(query_id: str, *, priority: int = 0) -> Query:
    return Query(
        query_id=query_id,
        plan_date=date(2026, 11, 30),
        platform_id="deepseek",
        channel="api",
        prompt_id=query_id,
        prompt=f"Which is best? {query_id}",
        repeat=0,
        priority=priority,
        shard_key=0,
    )


def busiest(times: Sequence[float], seconds: float = 1.0) -> int:
    """Return the most events in any half-open window of so many seconds."""
    ordered = sorted(times)
    return max(
        (bisect_left(ordered, start + seconds) - index for index, start in enumerate(ordered)),
        default=0,
    )


async def after(seconds: float, action: Callable[[], None]) -> None:
    await asyncio.sleep(seconds)
    action()
