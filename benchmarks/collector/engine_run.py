"""This project's collector at work, as a process: `python -m benchmarks.collector.engine_run`.

The parts that a shard of a night is collected with: engine, ledger, shared pace and HTTP.
Left out are Dagster and the publication as Parquet. Takes a JSON object as its only
argument and prints one with what it found.
"""

import asyncio
import contextlib
import cProfile
import gc
import json
import random
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass

import psycopg

from benchmarks.collector.engine_call import EngineCall, EngineReport
from benchmarks.collector.scenario import MODEL, PLAN_DATE
from benchmarks.collector.slot_diary import SlotDiary
from benchmarks.common.cpu import cpu_s
from brand_visibility.adapters.ledger.ownership import own_shard
from brand_visibility.adapters.ledger.pace import LedgerPace, pace_session
from brand_visibility.adapters.ledger.shards import Shard
from brand_visibility.adapters.platforms.http import HttpSender
from brand_visibility.collection.clock import AsyncioClock
from brand_visibility.collection.collector import Collector
from brand_visibility.collection.ports import Clock
from brand_visibility.collection.summary import Summary
from brand_visibility.domain.catalog import Account, AccountLimits, Platform, RetrySettings
from brand_visibility.domain.retry import RetryRules


def main() -> None:
    """Collect what the argument describes, and print the report as the last line."""
    call = EngineCall(**json.loads(sys.argv[1]))
    import_cpu_s = cpu_s()
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)
    with _profile(call.profile):
        report = asyncio.run(_collect(call, import_cpu_s))
    print(json.dumps(asdict(report)))


@contextlib.contextmanager
def _profile(path: str | None) -> Iterator[None]:
    if path is None:
        yield
        return
    with cProfile.Profile() as profile:
        yield
    profile.dump_stats(path)


async def _collect(call: EngineCall, import_cpu_s: float) -> EngineReport:
    platform, clock = _platform(call), AsyncioClock()
    diary = SlotDiary(clock)
    async with contextlib.AsyncExitStack() as stack:
        shard = Shard(PLAN_DATE, call.platform_id, call.shard, call.shards)
        journal = await stack.enter_async_context(own_shard(call.database_url, shard))
        pacing = await stack.enter_async_context(pace_session(call.database_url))
        sender = await stack.enter_async_context(HttpSender(platform, {}, call.base_url))
        began = clock.monotonic()
        recovered = await journal.recover()
        recover_s = clock.monotonic() - began
        collector = Collector(
            accounts=platform.accounts,
            pace=lambda account: diary.keep(_ledger_pace(pacing, clock, platform, account)),
            sender=diary.watch(sender),
            journal=journal,
            rules=RetryRules(platform.retry),
            clock=clock,
            rng=random.Random(),
        )
        before = cpu_s()
        summary = await collector.run(recovered.pending)
        asking_cpu_s, wall_s = cpu_s() - before, clock.monotonic() - began
    costs = _Costs(wall_s, import_cpu_s, asking_cpu_s, recover_s)
    return _report(summary, costs, diary)


@dataclass(frozen=True, slots=True)
class _Costs:
    wall_s: float
    import_cpu_s: float
    asking_cpu_s: float
    recover_s: float


def _report(summary: Summary, costs: _Costs, diary: SlotDiary) -> EngineReport:
    return EngineReport(
        asked=summary.asked,
        answered=summary.answered,
        failed={str(reason): count for reason, count in summary.failed.items()},
        attempts=summary.attempts,
        slots=len(diary.slots),
        slot_delay_s=diary.mean_delay_s(),
        **asdict(costs),
    )


def _ledger_pace(
    session: psycopg.AsyncConnection, clock: Clock, platform: Platform, account: Account
) -> LedgerPace:
    return LedgerPace(
        session,
        clock,
        platform_id=platform.platform_id,
        account_id=account.account_id,
        rate_per_second=account.limits.rate_per_second,
    )


def _platform(call: EngineCall) -> Platform:
    limits = AccountLimits(rate_per_second=call.rate, concurrency=call.concurrency)
    return Platform(
        platform_id=call.platform_id,
        adapter="openai_compatible",
        model=MODEL,
        accounts=(Account("main", limits),),
        base_url=call.base_url,
        retry=RetrySettings(**call.retry),  # type: ignore[arg-type]
    )


if __name__ == "__main__":
    main()
