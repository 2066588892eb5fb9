"""What the shards of a day are granted of an account's daily limit, with a real ledger."""

import asyncio
import contextlib
from collections.abc import Iterable

import psycopg
import pytest

from brand_visibility.adapters.ledger.daily_caps import Grant
from brand_visibility.adapters.ledger.ownership import OwnedShard, own_shard
from brand_visibility.adapters.ledger.plans import PlanStore
from brand_visibility.adapters.ledger.shards import Shard
from brand_visibility.domain.planning import Plan
from tests.builders import DAY, a_plan, an_attempt

SHARDS = 4
CAP = 10


@pytest.fixture
def plan(database_url: str) -> Plan:
    plan = a_plan(questions=60)
    PlanStore(database_url).freeze(plan, [], None)
    return plan


def own(database_url: str, index: int) -> contextlib.AbstractAsyncContextManager[OwnedShard]:
    return own_shard(database_url, Shard(DAY, "deepseek", index, SHARDS))


def ids(plan: Plan, index: int, count: int) -> list[str]:
    found = [query.query_id for query in plan.queries if query.shard_key % SHARDS == index]
    assert len(found) >= count
    return found[:count]


async def granted(
    owned: OwnedShard, *, lanes: int = 2, account_id: str = "main", wanted: int = 99
) -> Grant:
    await owned.recover()
    return await owned.grant_day(account_id, cap=CAP, lanes=lanes, wanted=wanted)


async def send(owned: OwnedShard, query_ids: Iterable[str]) -> None:
    await owned.record([an_attempt(query_id) for query_id in query_ids])


@pytest.mark.parametrize(
    ("lanes", "parts"), [(1, [10]), (2, [5, 5]), (3, [4, 3, 3]), (4, [3, 3, 2, 2])]
)
def test_shards_side_by_side_share_the_day(
    database_url: str, plan: Plan, lanes: int, parts: list[int]
) -> None:
    async def run() -> list[Grant]:
        async with contextlib.AsyncExitStack() as stack:
            owners = [
                await stack.enter_async_context(own(database_url, lane)) for lane in range(lanes)
            ]
            return [await granted(owned, lanes=lanes) for owned in owners]

    assert asyncio.run(run()) == [Grant(part, 0) for part in parts]


def test_shards_that_start_together_are_never_granted_more_than_the_cap(
    database_url: str, plan: Plan
) -> None:
    async def run() -> list[Grant]:
        async with contextlib.AsyncExitStack() as stack:
            owners = [
                await stack.enter_async_context(own(database_url, index)) for index in range(SHARDS)
            ]
            return list(await asyncio.gather(*(granted(owned, lanes=2) for owned in owners)))

    assert sum(grant.limit for grant in asyncio.run(run())) == CAP


def test_what_a_shard_left_is_free_for_the_next_and_what_it_sent_is_not(
    database_url: str, plan: Plan
) -> None:
    async def run() -> list[Grant]:
        async with own(database_url, 0) as slow:
            grants = [await granted(slow)]
            async with own(database_url, 1) as quick:
                grants.append(await granted(quick))
                await send(quick, ids(plan, 1, 2))
            await send(slow, ids(plan, 0, 4))
            async with own(database_url, 2) as later:
                grants.append(await granted(later))
        async with own(database_url, 3) as last:
            return [*grants, await granted(last, lanes=1)]

    # Two were sent and five are still the slow one's, of which it left one at last.
    assert asyncio.run(run()) == [Grant(5, 0), Grant(5, 0), Grant(3, 0), Grant(4, 0)]


@pytest.mark.parametrize(("wanted", "first", "second"), [(0, 0, 10), (4, 4, 6), (5, 5, 5)])
def test_a_shard_is_granted_no_more_than_it_wants(
    database_url: str, plan: Plan, wanted: int, first: int, second: int
) -> None:
    async def run() -> list[Grant]:
        async with own(database_url, 0) as modest, own(database_url, 1) as other:
            return [await granted(modest, wanted=wanted), await granted(other)]

    assert asyncio.run(run()) == [Grant(first, 0), Grant(second, 0)]


def test_a_shard_that_is_collected_again_knows_what_it_sent(database_url: str, plan: Plan) -> None:
    async def run() -> Grant:
        async with own(database_url, 0) as first:
            await send(first, ids(plan, 0, 4))
        async with own(database_url, 0) as again:
            return await granted(again)

    assert asyncio.run(run()) == Grant(limit=7, sent=4)


def test_what_a_dead_process_may_have_sent_counts(database_url: str, plan: Plan) -> None:
    async def run() -> list[Grant]:
        async with own(database_url, 0) as dead:
            await dead.mark_running(ids(plan, 0, 4), "main")
        async with own(database_url, 1) as other:
            grants = [await granted(other)]
        async with own(database_url, 0) as again:
            return [*grants, await granted(again)]

    assert asyncio.run(run()) == [Grant(3, 0), Grant(7, 4)]


def test_nothing_is_left_of_a_day_that_is_used_up(database_url: str, plan: Plan) -> None:
    async def run() -> Grant:
        async with own(database_url, 0) as first:
            await send(first, ids(plan, 0, CAP))
        async with own(database_url, 1) as owned:
            return await granted(owned)

    assert asyncio.run(run()) == Grant(0, 0)


def test_each_account_has_a_day_of_its_own(database_url: str, plan: Plan) -> None:
    async def run() -> list[Grant]:
        async with own(database_url, 0) as owned:
            await send(owned, ids(plan, 0, 4))
            return [await granted(owned, account_id=name, lanes=1) for name in ("main", "spare")]

    assert asyncio.run(run()) == [Grant(10, 4), Grant(10, 0)]


def test_a_part_is_free_again_when_its_session_is_ended(database_url: str, plan: Plan) -> None:
    async def run() -> Grant:
        async with own(database_url, 0) as first:
            await granted(first, lanes=1)
            with psycopg.connect(database_url, autocommit=True) as session:
                session.execute(
                    "SELECT pg_terminate_backend(backend_pid, 5000) FROM ledger.shard_owner"
                )
            async with own(database_url, 1) as owned:
                return await granted(owned, lanes=1)

    assert asyncio.run(run()) == Grant(CAP, 0)
