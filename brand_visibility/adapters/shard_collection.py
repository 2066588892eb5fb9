"""Collecting one shard for real: the engine joined to the ledger, the network and the lake.

What the engine decides belongs to `collection`; what Dagster is told belongs to `assets`.
"""

import asyncio
import contextlib
import gc
import os
import random
import signal
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from datetime import datetime

from brand_visibility.adapters.lake.files import Lake
from brand_visibility.adapters.ledger.connection import LedgerUnavailableError
from brand_visibility.adapters.ledger.heartbeat import DEFAULT_HEARTBEAT, Heartbeat
from brand_visibility.adapters.ledger.lanes import shard_lane
from brand_visibility.adapters.ledger.outcomes import OutcomeStore
from brand_visibility.adapters.ledger.ownership import OwnedShard, own_shard
from brand_visibility.adapters.ledger.pace import LedgerPace, pace_session
from brand_visibility.adapters.ledger.shards import Shard
from brand_visibility.adapters.platforms.http import HttpSender
from brand_visibility.adapters.publication import publish_shard
from brand_visibility.collection.clock import AsyncioClock
from brand_visibility.collection.collector import Collector
from brand_visibility.collection.engine_settings import EngineSettings
from brand_visibility.collection.in_flight import InFlightSettings
from brand_visibility.collection.lane import LaneSettings
from brand_visibility.collection.ports import Clock, Pending
from brand_visibility.collection.shares import lane_count, share_of, with_daily_limit
from brand_visibility.collection.summary import Summary
from brand_visibility.domain.catalog import Account, Platform
from brand_visibility.domain.retry import RetryRules

# An orphan of a killed run stops by itself within about a second; its successor waits, and
# longer than it takes a silent owner's heartbeat to grow stale.
OWNER_PATIENCE_S = 120.0

_PULSE_S = 30.0
_PARENT_CHECK_S = 1.0


@dataclass(frozen=True, slots=True)
class ShardReport:
    """What collecting a shard came to."""

    shard: Shard
    summary: Summary
    maybe_paid: int

    @property
    def was_stopped(self) -> bool:
        """Whether it ended by request, with queries left to ask."""
        return self.summary.was_stopped

    def sentence(self) -> str:
        """Return the report in words."""
        summary = self.summary
        failed = ", ".join(f"{count} {reason}" for reason, count in sorted(summary.failed.items()))
        return (
            f"shard {self.shard.index + 1} of {self.shard.count}: asked {summary.asked},"
            f" answered {summary.answered}, failed {summary.failed_count}"
            f"{f' ({failed})' if failed else ''}, left {summary.left},"
            f" {summary.attempts} calls, {self.maybe_paid} asked again after a crash"
        )


@dataclass(frozen=True)
class ShardCollector:
    """Collects shards of one platform. `keys` are secrets by account id."""

    database_url: str
    lake: Lake
    outcomes: OutcomeStore
    platform: Platform
    keys: Mapping[str, str]
    base_url: str
    run_id: str = ""
    owner_heartbeat: Heartbeat = DEFAULT_HEARTBEAT
    clock: Clock = field(default_factory=AsyncioClock)

    def __repr__(self) -> str:
        return f"ShardCollector({self.platform.platform_id})"

    def collect(
        self, shard: Shard, *, cut_off: datetime | None, heartbeat: Callable[[str], None]
    ) -> ShardReport:
        """Ask what the shard is missing and publish its files.

        Raises ShardBusyError when another process keeps the shard too long, and
        LedgerUnavailableError when the database is away or another process took the shard
        over: what was answered is kept.
        """
        _tune_garbage_collection()
        return asyncio.run(self._collect(shard, cut_off, heartbeat))

    async def _collect(
        self, shard: Shard, cut_off: datetime | None, say: Callable[[str], None]
    ) -> ShardReport:
        lost = asyncio.Event()
        async with self._lane(lost) as lane, self._owned(shard, lost) as owned:
            recovered = await owned.recover()
            shares = await self._shares(owned, lane, len(recovered.pending))
            summary = await self._ask(recovered.pending, shares, owned, cut_off, say, lost)
            if lost.is_set():
                raise LedgerUnavailableError("lost the hold on the shard, or on its lane")
            await self._publish(owned, shard)
        return ShardReport(shard, summary, recovered.maybe_paid)

    @property
    def _lanes(self) -> int:
        return lane_count(self.platform)

    def _lane(self, lost: asyncio.Event) -> AbstractAsyncContextManager[int]:
        return shard_lane(
            self.database_url,
            self.clock,
            platform_id=self.platform.platform_id,
            lanes=self._lanes,
            heartbeat=self.owner_heartbeat,
            lost=lost,
        )

    def _owned(self, shard: Shard, lost: asyncio.Event) -> AbstractAsyncContextManager[OwnedShard]:
        return own_shard(
            self.database_url,
            shard,
            patience_s=OWNER_PATIENCE_S,
            heartbeat=self.owner_heartbeat,
            run_id=self.run_id,
            clock=self.clock,
            lost=lost,
        )

    async def _shares(self, owned: OwnedShard, lane: int, pending: int) -> "_Shares":
        """Return what the shard may use of the accounts, and what it has sent today."""
        accounts, sent_today = [], {}
        lanes, wanted = self._lanes, pending * (1 + self.platform.retry.max_retries)
        for account in self.platform.accounts:
            share, cap = share_of(account, lane, lanes), account.limits.queries_per_day
            if cap is not None:
                grant = await owned.grant_day(
                    account.account_id, cap=cap, lanes=lanes, wanted=wanted
                )
                share = with_daily_limit(share, grant.limit)
                sent_today[account.account_id] = grant.sent
            accounts.append(share)
        return _Shares(accounts, sent_today)

    async def _ask(
        self,
        pending: Sequence[Pending],
        shares: "_Shares",
        owned: OwnedShard,
        cut_off: datetime | None,
        say: Callable[[str], None],
        lost: asyncio.Event,
    ) -> Summary:
        pulse = _Pulse(say)
        async with (
            pace_session(self.database_url) as pacing,
            HttpSender(self.platform, self.keys, self.base_url) as sender,
        ):
            collector = Collector(
                accounts=shares.accounts,
                sent_today=shares.sent_today,
                pace=lambda account: LedgerPace(
                    pacing,
                    self.clock,
                    platform_id=self.platform.platform_id,
                    account_id=account.account_id,
                    rate_per_second=account.limits.rate_per_second,
                ),
                sender=sender,
                journal=owned,
                rules=RetryRules(self.platform.retry),
                clock=self.clock,
                rng=random.Random(),  # noqa: S311 - jitter is no secret
                deadline=_monotonic(self.clock, cut_off),
                on_progress=pulse.hear,
                settings=EngineSettings(lane=_lane_settings(self.platform)),
            )
            with _stopped_by_signals(collector.request_stop):
                async with _watched(collector, pulse, lost):
                    return await collector.run(pending)

    async def _publish(self, owned: OwnedShard, shard: Shard) -> None:
        """Write the shard's files in a thread: the owner's heart must go on beating."""
        loop = asyncio.get_running_loop()

        def confirm_owner() -> None:
            asyncio.run_coroutine_threadsafe(owned.confirm(), loop).result()

        try:
            await asyncio.to_thread(
                publish_shard, self.lake, self.outcomes, shard, confirm_owner=confirm_owner
            )
        except FileNotFoundError:
            # A new owner removes what an earlier one was about to publish.
            await owned.confirm()
            raise


@dataclass(frozen=True, slots=True)
class _Shares:
    accounts: Sequence[Account]
    sent_today: Mapping[str, int]


def _lane_settings(platform: Platform) -> LaneSettings:
    return LaneSettings(
        in_flight=InFlightSettings(first_latency_s=platform.latency_s),
        completion_tokens=platform.completion_tokens,
    )


def _monotonic(clock: Clock, moment: datetime | None) -> float | None:
    if moment is None:
        return None
    return clock.monotonic() + (moment.timestamp() - clock.now().timestamp())


def _tune_garbage_collection() -> None:
    # With thousands of calls in flight the collector walks the same long-lived objects
    # again and again: a third of the CPU time of a call, as measured.
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)


@contextlib.contextmanager
def _stopped_by_signals(request_stop: Callable[[], None]) -> Iterator[None]:
    """Let SIGTERM and SIGINT stop the engine gracefully, then restore their handlers."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    numbers = (signal.SIGTERM, signal.SIGINT)
    earlier = {number: signal.getsignal(number) for number in numbers}
    loop = asyncio.get_running_loop()
    for number in numbers:
        loop.add_signal_handler(number, request_stop)
    try:
        yield
    finally:
        for number in numbers:
            loop.remove_signal_handler(number)
            signal.signal(number, earlier[number])


class _Pulse:
    """Says every half minute how far the shard is: a line a query would cost the run more."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
        self._latest: Summary | None = None

    def hear(self, summary: Summary) -> None:
        self._latest = summary

    async def beat(self) -> None:
        while True:
            await asyncio.sleep(_PULSE_S)
            if (latest := self._latest) is not None:
                self._say(
                    f"{latest.answered} of {latest.asked} answered,"
                    f" {latest.failed_count} failed, {latest.attempts} calls"
                )


@contextlib.asynccontextmanager
async def _watched(collector: Collector, pulse: _Pulse, lost: asyncio.Event) -> AsyncIterator[None]:
    watchers = [
        asyncio.create_task(pulse.beat()),
        asyncio.create_task(_stop_when_orphaned(collector)),
        asyncio.create_task(_stop_when_lost(collector, lost)),
    ]
    try:
        yield
    finally:
        for watcher in watchers:
            watcher.cancel()
        await asyncio.gather(*watchers, return_exceptions=True)


async def _stop_when_orphaned(collector: Collector) -> None:
    parent = os.getppid()
    # The system sets no event when a parent dies; asking is the portable way.
    while os.getppid() == parent:  # noqa: ASYNC110
        await asyncio.sleep(_PARENT_CHECK_S)
    collector.request_stop()


async def _stop_when_lost(collector: Collector, lost: asyncio.Event) -> None:
    await lost.wait()
    collector.request_stop()
