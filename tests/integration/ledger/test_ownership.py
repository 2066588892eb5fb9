"""Who owns a shard of a real ledger: living, silent and former owners."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from datetime import timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import psycopg
import pyarrow.parquet as pq
import pytest

from brand_visibility.adapters.lake.files import Lake
from brand_visibility.adapters.lake.schemas import RAW_ANSWERS
from brand_visibility.adapters.ledger.connection import LedgerUnavailableError
from brand_visibility.adapters.ledger.heartbeat import Heartbeat
from brand_visibility.adapters.ledger.lanes import shard_lane
from brand_visibility.adapters.ledger.outcomes import OutcomeStore
from brand_visibility.adapters.ledger.ownership import own_shard
from brand_visibility.adapters.ledger.plans import PlanStore
from brand_visibility.adapters.ledger.shards import Shard
from brand_visibility.adapters.publication import publish_shard
from brand_visibility.collection.clock import AsyncioClock
from brand_visibility.domain.errors import ShardBusyError
from tests.builders import DAY, a_plan, an_attempt

SHARD = Shard(DAY, "deepseek", index=0, count=1)
PARTITION = {"date": DAY.isoformat(), "platform": "deepseek"}
BEATS = Heartbeat(every_s=0.1, stale_after_s=1.0)
# Never beats within a test: what its owner shows is what a stopped process would.
SILENT = Heartbeat(every_s=100, stale_after_s=200)


def rows(database_url: str, statement: str) -> list[tuple[object, ...]]:
    with psycopg.connect(database_url, autocommit=True) as session:
        return session.execute(statement).fetchall()


def heartbeats(database_url: str) -> list[object]:
    return [row[0] for row in rows(database_url, "SELECT heartbeat_at FROM ledger.shard_owner")]


def end_sessions(database_url: str) -> None:
    rows(
        database_url,
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
        " WHERE datname = current_database() AND pid <> pg_backend_pid()",
    )


def test_an_owner_beats_while_it_owns_and_leaves_no_row_behind(database_url: str) -> None:
    async def run() -> list[object]:
        async with own_shard(database_url, SHARD, heartbeat=BEATS, run_id="run-7"):
            first = heartbeats(database_url)
            await asyncio.sleep(0.5)
            who = rows(database_url, "SELECT run_id, pid > 0, host <> '' FROM ledger.shard_owner")
            assert who == [("run-7", True, True)]
            return [*first, *heartbeats(database_url)]

    first, later = asyncio.run(run())

    assert first < later  # type: ignore[operator]
    assert heartbeats(database_url) == []


def test_a_silent_owner_is_ended_and_writes_nothing_more(database_url: str) -> None:
    plan = a_plan()
    PlanStore(database_url).freeze(plan, [], None)

    async def run() -> int:
        async with (
            own_shard(database_url, SHARD, heartbeat=SILENT) as former,
            own_shard(database_url, SHARD, patience_s=30, heartbeat=BEATS) as owned,
        ):
            for write in (
                former.confirm(),
                former.mark_running([plan.queries[0].query_id], "main"),
                former.record([an_attempt(plan.queries[0].query_id)]),
            ):
                with pytest.raises(LedgerUnavailableError):
                    await write
            return len((await owned.recover()).pending)

    assert asyncio.run(run()) == len(plan.queries)
    assert rows(database_url, "SELECT count(*) FROM ledger.attempt") == [(0,)]


def test_a_living_owner_is_waited_for_and_not_ended(database_url: str) -> None:
    async def run() -> None:
        async with own_shard(database_url, SHARD, heartbeat=BEATS) as owned:
            with pytest.raises(ShardBusyError, match="shard 1 of 1 of deepseek"):
                async with own_shard(database_url, SHARD, patience_s=2.5, heartbeat=BEATS):
                    pytest.fail("two owners at once")
            await owned.confirm()

    asyncio.run(run())


def test_nobody_is_ended_for_the_row_of_another_who_had_its_number(database_url: str) -> None:
    key = {"key": SHARD.lock_key}

    async def run() -> None:
        with (
            psycopg.connect(database_url, autocommit=True) as holder,
            psycopg.connect(database_url, autocommit=True) as bystander,
        ):
            holder.execute("SELECT pg_advisory_lock(%(key)s)", key)
            bystander.execute(
                "INSERT INTO ledger.shard_owner VALUES (%s, %s, 0, 1, 'host', 1,"
                " pg_backend_pid(), '', now(), now() - interval '1 day')",
                (DAY, "deepseek"),
            )
            with pytest.raises(ShardBusyError):
                async with own_shard(database_url, SHARD, patience_s=1.5, heartbeat=BEATS):
                    pytest.fail("two owners at once")
            assert holder.execute("SELECT 1").fetchone() == (1,)
            assert bystander.execute("SELECT 1").fetchone() == (1,)

    asyncio.run(run())


def test_shards_of_one_count_are_owned_side_by_side(database_url: str) -> None:
    async def run() -> list[tuple[object, ...]]:
        async with (
            own_shard(database_url, Shard(DAY, "deepseek", 0, 2), heartbeat=BEATS),
            own_shard(database_url, Shard(DAY, "deepseek", 1, 2), heartbeat=BEATS),
        ):
            return rows(database_url, "SELECT count(*) FROM ledger.shard_owner")

    assert asyncio.run(run()) == [(2,)]


@pytest.mark.parametrize("other", [Shard(DAY, "deepseek", 1, 3), Shard(DAY, "deepseek", 0, 1)])
def test_a_shard_of_another_count_is_refused_until_the_last_owner_left(
    database_url: str, other: Shard
) -> None:
    async def run() -> None:
        async with contextlib.AsyncExitStack() as stack:
            for index in (0, 1):
                shard = Shard(DAY, "deepseek", index, 2)
                await stack.enter_async_context(own_shard(database_url, shard, heartbeat=BEATS))
            with pytest.raises(ShardBusyError, match=f"in 2 shards .* as here, {other.count}"):
                async with own_shard(database_url, other, patience_s=0.5, heartbeat=BEATS):
                    pytest.fail("shards of two counts at once")
        async with own_shard(database_url, other, heartbeat=BEATS) as owned:
            await owned.confirm()

    asyncio.run(run())


def test_of_two_counts_that_start_together_one_is_refused(database_url: str) -> None:
    async def take(count: int, together: asyncio.Barrier) -> bool:
        await together.wait()
        try:
            async with own_shard(database_url, Shard(DAY, "deepseek", 0, count)):
                await together.wait()
                return True
        except ShardBusyError:
            await together.wait()
            return False

    async def run() -> list[int]:
        taken = []
        for _ in range(10):
            barrier = asyncio.Barrier(2)
            taken.append(sum(await asyncio.gather(take(2, barrier), take(3, barrier))))
        return taken

    assert asyncio.run(run()) == [1] * 10


def test_other_days_and_platforms_have_counts_of_their_own(database_url: str) -> None:
    async def run() -> list[tuple[object, ...]]:
        async with (
            own_shard(database_url, Shard(DAY, "deepseek", 0, 2)),
            own_shard(database_url, Shard(DAY, "gpt", 0, 3)),
            own_shard(database_url, Shard(DAY + timedelta(days=1), "deepseek", 0, 4)),
        ):
            return rows(database_url, "SELECT count(*) FROM ledger.shard_owner")

    assert asyncio.run(run()) == [(3,)]


def test_a_silent_owner_of_another_count_is_ended(database_url: str) -> None:
    async def run() -> None:
        async with (
            own_shard(database_url, Shard(DAY, "deepseek", 0, 2), heartbeat=SILENT) as former,
            own_shard(database_url, SHARD, patience_s=30, heartbeat=BEATS) as owned,
        ):
            await owned.confirm()
            with pytest.raises(LedgerUnavailableError):
                await former.confirm()

    asyncio.run(run())


@contextlib.asynccontextmanager
async def shard_of(database_url: str, lost: asyncio.Event) -> AsyncIterator[None]:
    async with own_shard(database_url, SHARD, heartbeat=BEATS, lost=lost):
        yield


@contextlib.asynccontextmanager
async def lane_of(database_url: str, lost: asyncio.Event) -> AsyncIterator[None]:
    async with shard_lane(
        database_url, AsyncioClock(), platform_id="gpt", lanes=1, heartbeat=BEATS, lost=lost
    ):
        yield


@pytest.mark.parametrize("hold", [shard_of, lane_of], ids=["shard", "lane"])
def test_a_holder_hears_soon_that_it_holds_no_more(
    database_url: str,
    hold: Callable[[str, asyncio.Event], contextlib.AbstractAsyncContextManager[None]],
) -> None:
    async def run() -> bool:
        lost = asyncio.Event()
        async with hold(database_url, lost):
            assert not lost.is_set()
            end_sessions(database_url)
            await asyncio.wait_for(lost.wait(), timeout=10)
        return lost.is_set()

    assert asyncio.run(run())


def test_a_lane_whose_holder_fell_silent_is_given_to_the_next(database_url: str) -> None:
    def lane(heartbeat: Heartbeat) -> contextlib.AbstractAsyncContextManager[int]:
        return shard_lane(
            database_url, AsyncioClock(), platform_id="gpt", lanes=1, heartbeat=heartbeat
        )

    async def run() -> None:
        async with lane(SILENT), lane(BEATS), contextlib.AsyncExitStack() as stack:
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(stack.enter_async_context(lane(BEATS)), timeout=2.5)

    asyncio.run(run())


def test_a_file_whose_owner_was_replaced_before_it_appeared_never_appears(
    database_url: str, tmp_path: Path
) -> None:
    plan = a_plan()
    PlanStore(database_url).freeze(plan, [], None)
    lake, outcomes = Lake(tmp_path), OutcomeStore(database_url, ZoneInfo("Asia/Shanghai"))

    async def answer(position: int) -> None:
        async with own_shard(database_url, SHARD) as owned:
            await owned.record([an_attempt(plan.queries[position].query_id)])

    def stopped_while_another_publishes() -> None:
        # It has confirmed, and is stopped before it renames.
        asyncio.run(answer(1))
        publish_shard(lake, outcomes, SHARD, confirm_owner=lambda: None)

    asyncio.run(answer(0))
    with pytest.raises(FileNotFoundError):
        publish_shard(lake, outcomes, SHARD, confirm_owner=stopped_while_another_publishes)

    (path,) = lake.files(RAW_ANSWERS, PARTITION)
    assert pq.read_metadata(path).num_rows == 2
    assert list(path.parent.iterdir()) == [path]


def test_a_file_does_not_appear_when_its_writer_is_no_owner(
    database_url: str, tmp_path: Path
) -> None:
    def refuse() -> None:
        raise LedgerUnavailableError("as scripted")

    lake, outcomes = Lake(tmp_path), OutcomeStore(database_url, ZoneInfo("Asia/Shanghai"))
    PlanStore(database_url).freeze(a_plan(), [], None)

    with pytest.raises(LedgerUnavailableError):
        publish_shard(lake, outcomes, SHARD, confirm_owner=refuse)

    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []
