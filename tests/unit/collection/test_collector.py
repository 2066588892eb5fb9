"""What becomes of the queries: outcomes, retries, order, limits."""

import asyncio
from collections import Counter
from zlib import crc32

import pytest
from engine_world import (
    SPACING,
    Reply,
    Script,
    Send,
    World,
    a_query,
    after,
    always,
    an_account,
    busiest,
    failing,
    first_then,
    queries,
)
from hypothesis import given, settings
from hypothesis import strategies as st

from brand_visibility.collection.ports import Pending
from brand_visibility.collection.summary import Summary
from brand_visibility.domain.catalog import RetrySettings
from brand_visibility.domain.outcomes import Answer, Failure, QueryState, Reason
from tests.virtual_time import MIDNIGHT, run_virtually


def test_every_query_is_answered_and_committed() -> None:
    async def main() -> None:
        world = World()
        summary = await world.collector.run(queries(30))
        assert summary == Summary(asked=30, answered=30, failed={}, attempts=30)
        assert set(world.journal.states.values()) == {QueryState.ANSWERED}
        assert sorted(world.sent_ids()) == sorted(f"q{number}" for number in range(30))

    run_virtually(main())


def test_without_queries_nothing_happens() -> None:
    async def main() -> None:
        world = World()
        assert await world.collector.run([]) == Summary(0, 0, {}, 0)
        assert world.journal.states == {}
        assert world.elapsed == 0.0

    run_virtually(main())


def test_a_query_handed_over_twice_is_asked_once() -> None:
    async def main() -> None:
        world = World()
        summary = await world.collector.run([*queries(2), *queries(2)])
        assert summary.asked == summary.answered == 2
        assert len(world.sender.sends) == 2

    run_virtually(main())


def test_an_attempt_tells_what_happened() -> None:
    async def main() -> None:
        world = World(first_then(failing(Reason.RATE_LIMITED, retry_after_s=3.0)))
        await world.collector.run(queries(1))
        first, second = world.journal.attempts
        assert (first.number, first.wait_s, first.latency_ms) == (1, 3.0, 200)
        assert (second.number, second.wait_s, second.outcome) == (2, None, Answer("fine"))
        assert (first.account_id, first.sent_at.tzinfo) == ("main", MIDNIGHT.tzinfo)
        # The wait starts when the failed attempt ended.
        assert (second.sent_at - first.sent_at).total_seconds() == pytest.approx(3.2, abs=0.01)

    run_virtually(main())


@pytest.mark.parametrize(
    ("reason", "attempts"),
    [
        (Reason.RATE_LIMITED, 4),
        (Reason.TIMED_OUT, 4),
        (Reason.SERVER_FAULT, 4),
        (Reason.UNREACHABLE, 4),
        (Reason.CONNECTION_LOST, 2),
        (Reason.EMPTY, 2),
        (Reason.MALFORMED, 2),
        (Reason.REJECTED, 1),
        (Reason.REFUSED, 1),
        (Reason.TRUNCATED, 1),
    ],
)
def test_a_query_that_keeps_failing_fails_with_its_reason(reason: Reason, attempts: int) -> None:
    async def main() -> None:
        world = World(always(failing(reason)))
        summary = await world.collector.run(queries(2))
        assert summary.failed == {reason: 2}
        assert summary.attempts == len(world.sender.sends) == 2 * attempts
        assert set(world.journal.states.values()) == {QueryState.FAILED}

    run_virtually(main())


def test_calls_of_an_earlier_process_count_against_the_retries() -> None:
    async def main() -> None:
        world = World(always(failing(Reason.TIMED_OUT)))
        await world.collector.run([Pending(a_query("q"), attempts_made=2, retries_made=2)])
        assert [attempt.number for attempt in world.journal.attempts] == [3, 4]

    run_virtually(main())


def test_a_query_asked_again_after_failing_for_good_has_all_its_retries() -> None:
    async def main() -> None:
        world = World(always(failing(Reason.TIMED_OUT)))
        await world.collector.run([Pending(a_query("q"), attempts_made=4, retries_made=0)])
        assert [attempt.number for attempt in world.journal.attempts] == [5, 6, 7, 8]

    run_virtually(main())


def test_a_waiting_retry_holds_no_place_in_flight() -> None:
    async def main() -> None:
        faulty = failing(Reason.SERVER_FAULT, retry_after_s=60.0)
        seen: list[int] = []

        def script(send: Send) -> Reply:
            seen.append(world.sender.in_flight)
            return faulty if send.number == 1 and send.query_id in {"q0", "q1"} else Reply()

        world = World(script, accounts=[an_account(rate=10, concurrency=2)])
        await world.collector.run(queries(40))
        others = [send for send in world.sender.sends if send.number == 1]
        # Two waiting retries would fill both places for a minute if they held them.
        assert others[-1].at - world.started < 5
        assert max(seen) <= 2

    run_virtually(main())


def test_a_waiting_retry_holds_no_slot() -> None:
    async def main() -> None:
        script = first_then(failing(Reason.SERVER_FAULT, retry_after_s=5.0))
        world = World(script, accounts=[an_account(rate=10)])
        # Few enough for the breaker to stay closed.
        await world.collector.run(queries(9))
        times = world.times()
        # All first attempts leave at the full pace, then all retries do.
        assert times[8] - times[0] == pytest.approx(8 * 0.1 * SPACING)
        assert times[17] - times[9] == pytest.approx(8 * 0.1 * SPACING, rel=0.02)

    run_virtually(main())


def test_the_more_urgent_queries_are_sent_first() -> None:
    async def main() -> None:
        world = World()
        mixed = [*queries(10), *queries(10, priority=5, prefix="core")]
        await world.collector.run(mixed)
        assert [name[:4] for name in world.sent_ids()[:10]] == ["core"] * 10

    run_virtually(main())


def test_a_late_urgent_query_overtakes() -> None:
    async def main() -> None:
        world = World(accounts=[an_account(rate=1)])
        urgent = Pending(a_query("urgent", priority=9))
        adding = asyncio.create_task(after(4.5, lambda: world.collector.add(urgent)))
        await world.collector.run(queries(20))
        await adding
        assert world.sent_ids().index("urgent") == 5

    run_virtually(main())


def test_a_query_is_marked_running_before_it_is_sent() -> None:
    async def main() -> None:
        def script(send: Send) -> Reply:
            assert world.journal.state(send.query_id) is QueryState.RUNNING
            return Reply() if send.number == 2 else failing(Reason.EMPTY)

        world = World(script)
        summary = await world.collector.run(queries(40))
        assert summary.answered == 40

    run_virtually(main())


def test_queries_are_marked_and_recorded_in_groups() -> None:
    async def main() -> None:
        world = World(accounts=[an_account(rate=200, concurrency=400)])
        await world.collector.run(queries(1000))
        seconds = world.elapsed
        assert len(world.journal.marks) <= 8 * seconds
        assert len(world.journal.groups) <= 3 * seconds
        assert max(len(ids) for _, ids, _ in world.journal.marks) <= 50

    run_virtually(main())


def test_the_last_results_are_committed_at_once() -> None:
    async def main() -> None:
        world = World(accounts=[an_account(rate=10)])
        await world.collector.run(queries(3))
        # Two slots, an answer's time and two calls of the journal; no half second more.
        assert world.elapsed == pytest.approx(2 * 0.1 * SPACING + 0.2, abs=0.01)

    run_virtually(main())


def test_no_more_is_marked_running_than_may_be_in_flight() -> None:
    async def main() -> None:
        running: list[int] = []

        def look(summary: Summary) -> None:
            states = Counter(world.journal.states.values())
            running.append(states[QueryState.RUNNING])

        slow = always(Reply(latency_s=30.0))
        accounts = [an_account(rate=200, concurrency=7)]
        world = World(slow, accounts=accounts, on_progress=look)
        await world.collector.run(queries(50))
        assert max(running) <= 7

    run_virtually(main())


def test_concurrency_bounds_the_calls_in_flight() -> None:
    async def main() -> None:
        world = World(always(Reply(latency_s=10.0)), accounts=[an_account(rate=100, concurrency=5)])
        await world.collector.run(queries(50))
        assert world.sender.peak == {"main": 5}
        # Ten rounds of five: places are used again as soon as they are free.
        assert world.elapsed == pytest.approx(100, rel=0.02)

    run_virtually(main())


def test_the_whole_rate_is_used() -> None:
    async def main() -> None:
        world = World(accounts=[an_account(rate=200, concurrency=400)])
        await world.collector.run(queries(2000))
        times = world.times()
        assert times[-1] - times[0] == pytest.approx(1999 / 200 * SPACING, rel=0.002)
        assert busiest(times) <= 200

    run_virtually(main())


def test_accounts_share_the_work_each_at_its_own_pace() -> None:
    async def main() -> None:
        accounts = [an_account("fast", rate=30), an_account("slow", rate=10)]
        world = World(accounts=accounts)
        summary = await world.collector.run(queries(400))
        assert summary.answered == 400
        assert len(world.times("fast")) == pytest.approx(300, abs=10)
        assert busiest(world.times("fast")) <= 30
        assert busiest(world.times("slow")) <= 10

    run_virtually(main())


def test_progress_is_told_after_each_commit() -> None:
    async def main() -> None:
        seen: list[Summary] = []
        world = World(on_progress=seen.append)
        summary = await world.collector.run(queries(60))
        assert len(seen) == len(world.journal.groups) > 3
        assert [one.answered for one in seen] == sorted(one.answered for one in seen)
        assert seen[-1] == summary

    run_virtually(main())


REPLIES = st.one_of(
    st.builds(Reply, st.just(Answer("fine")), st.floats(0, 20)),
    st.builds(
        Reply,
        st.builds(
            Failure,
            st.sampled_from(sorted(set(Reason) - {Reason.QUOTA_EXHAUSTED, Reason.UNAUTHORIZED})),
            retry_after_s=st.none() | st.floats(0, 1000),
        ),
        st.floats(0, 60),
    ),
)


@settings(max_examples=60, deadline=None)
@given(
    replies=st.lists(REPLIES, min_size=1, max_size=40),
    count=st.integers(1, 80),
    rate=st.sampled_from([0.5, 3.0, 7.5, 40.0]),
    concurrency=st.integers(1, 12),
    max_retries=st.integers(0, 4),
    priorities=st.lists(st.integers(0, 3), min_size=1, max_size=5),
)
def test_whatever_fails_every_query_gets_one_outcome_within_the_limits(
    replies: list[Reply],
    count: int,
    rate: float,
    concurrency: int,
    max_retries: int,
    priorities: list[int],
) -> None:
    def script(send: Send) -> Reply:
        return replies[(int(send.query_id) * 7 + send.number * 3) % len(replies)]

    async def main() -> None:
        world = World(
            script,
            accounts=[an_account(rate=rate, concurrency=concurrency)],
            retry=RetrySettings(max_retries=max_retries),
        )
        pending = [
            Pending(a_query(str(number), priority=priorities[number % len(priorities)]))
            for number in range(count)
        ]
        summary = await world.collector.run(pending)
        assert summary.answered + summary.failed_count == summary.asked == count
        assert summary.left == 0
        states = Counter(world.journal.states.values())
        assert states[QueryState.ANSWERED] == summary.answered
        assert states[QueryState.FAILED] == summary.failed_count
        assert summary.attempts == len(world.sender.sends) == len(world.journal.attempts)
        assert max(Counter(world.sent_ids()).values()) <= 1 + max_retries
        assert world.sender.peak["main"] <= concurrency
        whole = max(1, int(rate))
        assert busiest(world.times(), whole / rate) <= whole

    run_virtually(main())


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10_000), rates=st.lists(st.sampled_from([2.0, 9.0]), min_size=2))
def test_accounts_that_stop_at_any_time_lose_no_query(seed: int, rates: list[float]) -> None:
    def script(send: Send) -> Reply:
        chance = crc32(f"{seed} {send.query_id} {send.number} {send.account_id}".encode()) % 100
        if chance < 4:
            return failing(Reason.QUOTA_EXHAUSTED)
        return failing(Reason.TIMED_OUT) if chance < 20 else Reply(latency_s=chance / 20)

    async def main() -> None:
        accounts = [an_account(f"account-{number}", rate=rate) for number, rate in enumerate(rates)]
        world = World(script, accounts=accounts)
        summary = await world.collector.run(queries(60))
        assert summary.answered + summary.failed_count == 60
        assert set(world.journal.states.values()) <= {QueryState.ANSWERED, QueryState.FAILED}
        assert len(world.journal.states) == 60

    run_virtually(main())


def test_the_engine_is_deterministic_in_virtual_time() -> None:
    async def main() -> list[Send]:
        world = World(script)
        await world.collector.run(queries(100))
        return world.sender.sends

    script: Script = first_then(failing(Reason.SERVER_FAULT))
    assert run_virtually(main()) == run_virtually(main())
