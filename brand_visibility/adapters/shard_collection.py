"""Collecting one shard for real: the engine joined to the ledger, the network and the lake.

What the engine decides belongs to `collection`; what Dagster is told belongs to `assets`.
"""

import asyncio
import gc
import random
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from datetime import datetime

from brand_visibility.adapters.lake.files import Lake
from brand_visibility.adapters.ledger.connection import LedgerUnavailableError
from brand_visibility.adapters.ledger.heartbeat import DEFAULT_HEARTBEAT, Heartbeat
from brand_visibility.adapters.ledger.lanes import shard_lane
from brand_visibility.adapters.ledger.outcomes import OutcomeStore
from brand_visibility.adapters.ledger.ownership import (
    OwnedShard,
    ShardTakenError,
    Tenure,
    own_shard,
)
from brand_visibility.adapters.ledger.pace import LedgerPace, pace_session
from brand_visibility.adapters.ledger.shards import Shard
from brand_visibility.adapters.outages import Outages
from brand_visibility.adapters.platforms.http import HttpSender
from brand_visibility.adapters.publication import Publish, publish_shard
from brand_visibility.adapters.shard_report import ShardReport
from brand_visibility.adapters.shard_watching import (
    Deliveries,
    Pulse,
    beside,
    call_when_orphaned,
    call_when_set,
    log_notice,
    stopped_by_signals,
)
from brand_visibility.collection.clock import AsyncioClock
from brand_visibility.collection.collector import Collector
from brand_visibility.collection.engine_settings import EngineSettings
from brand_visibility.collection.in_flight import InFlightSettings
from brand_visibility.collection.lane import LaneSettings
from brand_visibility.collection.notices import Notice, NoticeBoard
from brand_visibility.collection.ports import Clock, Pending
from brand_visibility.collection.shares import lane_count, share_of, with_daily_limit
from brand_visibility.collection.summary import Summary
from brand_visibility.domain.catalog import Account, Platform
from brand_visibility.domain.retry import RetryRules

# An orphan of a killed run stops by itself within about a second; its successor waits, and
# longer than it takes a silent owner's heartbeat to grow stale.
OWNER_PATIENCE_S = 120.0


@dataclass(frozen=True)
class ShardCollector:
    """Collects shards of one platform. `keys` are secrets by account id.

    `publish` makes a collected shard's files, at a time at which nobody else may.
    """

    database_url: str
    lake: Lake
    outcomes: OutcomeStore
    platform: Platform
    keys: Mapping[str, str]
    base_url: str
    run_id: str = ""
    publish: Publish = publish_shard
    owner_heartbeat: Heartbeat = DEFAULT_HEARTBEAT
    clock: Clock = field(default_factory=AsyncioClock)
    # Jitter is no secret.
    rng: random.Random = field(default_factory=random.Random)

    def __repr__(self) -> str:
        return f"ShardCollector({self.platform.platform_id})"

    def collect(
        self,
        shard: Shard,
        *,
        cut_off: datetime | None,
        heartbeat: Callable[[str], None],
        notice: Callable[[Notice], None] = log_notice,
    ) -> ShardReport:
        """Ask what the shard is missing and publish its files.

        `notice` is told what people must know, in a thread of its own; what it raises is
        logged. Outlives outages of the database that come after some progress each.
        Raises ShardBusyError when another process keeps the shard too long,
        ShardTakenError when one took it over, and LedgerUnavailableError when the
        database stays away: what was answered is kept.
        """
        _tune_garbage_collection()
        return asyncio.run(self._collect(shard, cut_off, heartbeat, notice))

    async def _collect(
        self,
        shard: Shard,
        cut_off: datetime | None,
        say: Callable[[str], None],
        notice: Callable[[Notice], None],
    ) -> ShardReport:
        deliveries = Deliveries(notice)
        board = NoticeBoard(self.platform.platform_id, deliveries.begin)
        try:
            return await self._collect_in_rounds(
                lambda tenure: _Round(shard, cut_off, tenure, Pulse(say), board)
            )
        finally:
            await deliveries.finish()

    async def _collect_in_rounds(self, new_round: Callable[[Tenure], "_Round"]) -> ShardReport:
        """Begin again after each outage, unless someone else took the shard or it must stop."""
        outages, tenure, maybe_paid = Outages(self.clock, self.rng), Tenure(), 0
        while True:
            turn = new_round(tenure)
            try:
                summary = await self._go_round(turn)
            except LedgerUnavailableError as error:
                if turn.is_told_to_stop or isinstance(error, ShardTakenError):
                    raise
                maybe_paid += turn.maybe_paid
                await outages.outlive(error, got_on=turn.pulse.has_committed)
            else:
                maybe_paid += turn.maybe_paid
                return ShardReport(turn.shard, summary, maybe_paid, outages.count)

    async def _go_round(self, turn: "_Round") -> Summary:
        async with self._lane(turn.lost) as lane, self._owned(turn) as owned:
            recovered = await owned.recover()
            turn.maybe_paid = recovered.maybe_paid
            shares = await self._shares(owned, lane, len(recovered.pending))
            summary = await self._ask(recovered.pending, shares, owned, turn)
            if turn.lost.is_set():
                raise LedgerUnavailableError("lost the hold on the shard, or on its lane")
            await self._publish(owned, turn.shard)
        return summary

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

    def _owned(self, turn: "_Round") -> AbstractAsyncContextManager[OwnedShard]:
        return own_shard(
            self.database_url,
            turn.shard,
            patience_s=OWNER_PATIENCE_S,
            heartbeat=self.owner_heartbeat,
            run_id=self.run_id,
            clock=self.clock,
            lost=turn.lost,
            tenure=turn.tenure,
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
        turn: "_Round",
    ) -> Summary:
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
                rng=self.rng,
                deadline=_monotonic(self.clock, turn.cut_off),
                on_progress=turn.hear,
                settings=EngineSettings(lane=_lane_settings(self.platform)),
            )

            def stop() -> None:
                turn.is_told_to_stop = True
                collector.request_stop()

            with stopped_by_signals(stop):
                async with beside(
                    turn.pulse.beat(),
                    call_when_orphaned(stop),
                    call_when_set(turn.lost, collector.request_stop),
                ):
                    return await collector.run(pending)

    async def _publish(self, owned: OwnedShard, shard: Shard) -> None:
        """Write the shard's files in a thread: the owner's heart must go on beating."""
        loop = asyncio.get_running_loop()

        def confirm_owner() -> None:
            asyncio.run_coroutine_threadsafe(owned.confirm(), loop).result()

        try:
            await asyncio.to_thread(
                self.publish, self.lake, self.outcomes, shard, confirm_owner=confirm_owner
            )
        except FileNotFoundError:
            # A new owner removes what an earlier one was about to publish.
            await owned.confirm()
            raise


@dataclass(slots=True)
class _Round:
    """One go at a shard, from owning it to its files or to an outage of the database."""

    shard: Shard
    cut_off: datetime | None
    tenure: Tenure
    pulse: Pulse
    board: NoticeBoard
    lost: asyncio.Event = field(default_factory=asyncio.Event)
    maybe_paid: int = 0
    is_told_to_stop: bool = False

    def hear(self, summary: Summary) -> None:
        self.pulse.hear(summary)
        self.board.hear(summary)


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
