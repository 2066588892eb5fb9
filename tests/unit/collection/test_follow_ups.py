"""Attempts of more than one call: each call takes a slot of its account's rate."""

import asyncio

import pytest
from engine_world import (
    SPACING,
    Reply,
    Script,
    Send,
    World,
    after,
    always,
    an_account,
    busiest,
    queries,
)

from brand_visibility.collection.engine_settings import EngineSettings
from brand_visibility.domain.catalog import RetrySettings
from brand_visibility.domain.outcomes import QueryState, Reason
from tests.virtual_time import VirtualClock, run_virtually

TWO_CALLS = always(Reply(calls=2))


def for_one(query_id: str, reply: Reply) -> Script:
    return lambda send: reply if send.query_id == query_id else Reply()


def test_a_follow_up_takes_its_slot_before_queries_that_wait() -> None:
    async def main() -> None:
        world = World(for_one("q0", Reply(calls=3)), accounts=[an_account(rate=1)])
        summary = await world.collector.run(queries(5))
        assert summary.answered == 5
        names = [call.query_id for call in world.calls()]
        assert names == ["q0", "q0", "q0", "q1", "q2", "q3", "q4"]

    run_virtually(main())


def test_follow_ups_are_let_go_in_the_order_in_which_they_came() -> None:
    async def main() -> None:
        def script(send: Send) -> Reply:
            return Reply(latency_s=3.0 if send.query_id == "q0" else 0.5, calls=2)

        world = World(script, accounts=[an_account(rate=2)])
        await world.collector.run(queries(3))
        assert [send.query_id for send in world.sender.follow_ups] == ["q1", "q2", "q0"]

    run_virtually(main())


@pytest.mark.parametrize("rate", [0.5, 7.5, 40.0])
def test_first_and_further_calls_together_hold_the_rate_and_use_it(rate: float) -> None:
    async def main() -> None:
        world = World(always(Reply(calls=3)), accounts=[an_account(rate=rate, concurrency=60)])
        summary = await world.collector.run(queries(40))
        times = [call.at for call in world.calls()]
        assert (summary.answered, len(times)) == (40, 120)
        whole = max(1, int(rate))
        assert busiest(times, whole / rate) <= whole
        assert times[-1] - times[0] <= 119 * SPACING / rate + 0.5

    run_virtually(main())


@pytest.mark.parametrize("ending", ["stop", "deadline"])
def test_what_is_in_flight_at_the_end_still_gets_its_slots(ending: str) -> None:
    async def main() -> None:
        ends_at = VirtualClock().monotonic() + 5.05
        world = World(
            always(Reply(latency_s=2.0, calls=2)),
            accounts=[an_account(rate=10, concurrency=100)],
            deadline=ends_at if ending == "deadline" else None,
        )
        stop = world.collector.request_stop if ending == "stop" else lambda: None
        stopping = asyncio.create_task(after(5.05, stop))
        summary = await world.collector.run(queries(200))
        await stopping
        assert all(send.at < ends_at for send in world.sender.sends)
        assert len([call for call in world.sender.follow_ups if call.at > ends_at]) >= 10
        assert summary.answered == len(world.sender.sends) == len(world.sender.follow_ups)
        assert summary.left + summary.cut_off == 200 - summary.answered

    run_virtually(main())


def test_a_follow_up_that_waits_beyond_the_drain_time_is_broken_off() -> None:
    async def main() -> None:
        world = World(
            always(Reply(latency_s=1.0, calls=2)),
            accounts=[an_account(rate=0.1)],
            settings=EngineSettings(drain_s=5.0),
        )
        stopping = asyncio.create_task(after(2.0, world.collector.request_stop))
        summary = await world.collector.run(queries(3))
        await stopping
        assert (summary.answered, summary.left) == (0, 3)
        assert world.elapsed == pytest.approx(7.0, abs=0.1)
        assert asyncio.all_tasks() == {asyncio.current_task()}

    run_virtually(main())


def test_a_call_broken_off_while_it_waits_leaves_its_slot_to_the_next_query() -> None:
    async def main() -> None:
        world = World(
            for_one("q0", Reply(calls=2, limit_s=0.5)),
            accounts=[an_account(rate=1)],
            retry=RetrySettings(max_retries=0),
        )
        summary = await world.collector.run(queries(4))
        assert (summary.answered, summary.failed) == (3, {Reason.TIMED_OUT: 1})
        assert world.sender.follow_ups == []
        first, *others = world.times()
        assert [at - first for at in others] == pytest.approx([SPACING, 2 * SPACING, 3 * SPACING])
        assert asyncio.all_tasks() == {asyncio.current_task()}

    run_virtually(main())


def test_a_call_broken_off_while_it_waits_alone_ends_the_collection() -> None:
    async def main() -> None:
        world = World(
            always(Reply(calls=2, limit_s=0.5)),
            accounts=[an_account(rate=0.01)],
            retry=RetrySettings(max_retries=0),
        )
        summary = await world.collector.run(queries(1))
        assert summary.failed == {Reason.TIMED_OUT: 1}
        assert world.journal.states == {"q0": QueryState.FAILED}
        # Its slot would have come after more than a minute and a half.
        assert world.elapsed < 1.0

    run_virtually(main())


@pytest.mark.parametrize(("cap", "answered", "calls"), [(4, 2, 4), (5, 3, 6)])
def test_further_calls_count_against_the_day_and_what_is_in_flight_may_end(
    cap: int, answered: int, calls: int
) -> None:
    async def main() -> None:
        account = an_account(concurrency=1, queries_per_day=cap)
        world = World(TWO_CALLS, accounts=[account])
        summary = await world.collector.run(queries(10))
        assert (summary.answered, len(world.calls())) == (answered, calls)
        assert summary.failed == {Reason.QUOTA_EXHAUSTED: 10 - answered}

    run_virtually(main())
