"""Send slots and lanes that several processes share through a real ledger."""

import asyncio
import time
from datetime import UTC, datetime

import pytest

from brand_visibility.adapters.ledger.lanes import shard_lane
from brand_visibility.adapters.ledger.pace import PACE_MARGIN, LedgerPace, pace_session


class WallClock:
    def monotonic(self) -> float:
        return time.monotonic()

    def now(self) -> datetime:
        return datetime.now(UTC)

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


async def reserve(database_url: str, blocks: list[int], *, rate: float) -> list[float]:
    async with pace_session(database_url) as session:
        pace = LedgerPace(
            session,
            WallClock(),
            platform_id="deepseek",
            account_id="main",
            rate_per_second=rate,
        )
        return [slot for block in blocks for slot in await pace.reserve(block)]


@pytest.mark.parametrize("rate", [0.5, 20, 2_000])
def test_slots_of_several_processes_never_come_closer_than_the_rate(
    database_url: str, rate: float
) -> None:
    async def run() -> list[float]:
        holders = [reserve(database_url, [3, 5, 4], rate=rate) for _ in range(3)]
        return sorted(slot for slots in await asyncio.gather(*holders) for slot in slots)

    slots = asyncio.run(run())

    assert len(slots) == 36
    needed_s = 35 * (1 + PACE_MARGIN) / rate
    # Each process knows how far the clocks are apart to some milliseconds.
    assert slots[-1] - slots[0] >= needed_s - 0.05


def test_time_in_which_nobody_asked_is_not_caught_up(database_url: str) -> None:
    async def run() -> tuple[float, float]:
        await reserve(database_url, [1], rate=20)
        await asyncio.sleep(0.3)
        now = time.monotonic()
        return now, (await reserve(database_url, [1], rate=20))[0]

    now, slot = asyncio.run(run())
    assert slot >= now


def test_no_more_shards_than_lanes_work_at_once(database_url: str) -> None:
    at_work: list[int] = []
    most = 0

    async def shard() -> None:
        nonlocal most
        async with shard_lane(database_url, WallClock(), platform_id="gpt", lanes=2) as lane:
            at_work.append(lane)
            most = max(most, len(at_work))
            await asyncio.sleep(0.1)
            at_work.remove(lane)

    async def run() -> None:
        await asyncio.gather(*(shard() for _ in range(5)))

    asyncio.run(run())
    assert most == 2


def test_lanes_of_one_platform_do_not_hold_up_another(database_url: str) -> None:
    async def run() -> list[int]:
        lanes = []
        for platform_id in ("gpt", "deepseek", "hunyuan"):
            holder = shard_lane(database_url, WallClock(), platform_id=platform_id, lanes=1)
            lanes.append(await asyncio.wait_for(holder.__aenter__(), timeout=5))
        return lanes

    assert asyncio.run(run()) == [0, 0, 0]
