"""How the engine keeps to an account's adaptive limits, in nights of virtual time."""

import asyncio
import itertools
import math
import random
from collections import Counter
from collections.abc import Callable, Sequence

import pytest
from engine_world import (
    SPACING,
    Reply,
    Send,
    World,
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

from brand_visibility.collection.adaptive import RateSettings
from brand_visibility.collection.breaker import BreakerState
from brand_visibility.collection.engine_settings import EngineSettings
from brand_visibility.collection.lane import LaneSettings
from brand_visibility.collection.pacing import LocalPace
from brand_visibility.collection.summary import Summary
from brand_visibility.domain.outcomes import Answer, QueryState, Reason, Usage
from tests.virtual_time import VirtualClock, run_virtually

FAILING = always(failing(Reason.SERVER_FAULT))


def in_seconds(seconds: float) -> float:
    return VirtualClock().monotonic() + seconds


def up_between(down_s: float, up_s: float) -> Callable[[Send], Reply]:
    """Return a platform that fails for some seconds from its start, then works."""
    start = 1000.0

    def script(send: Send) -> Reply:
        return failing(Reason.SERVER_FAULT) if down_s <= send.at - start < up_s else Reply()

    return script


def test_a_platform_that_fails_gets_only_probes_once_the_breaker_is_open() -> None:
    async def main() -> None:
        world = World(FAILING, deadline=in_seconds(3600))
        await world.collector.run(queries(2000))
        opened = world.started + 30
        probes = [at for at in world.times() if at >= opened]
        # 30 + 60 + 120 + 240 + 480 + 600 …: an hour holds ten probes.
        assert 5 <= len(probes) <= 10
        assert len(world.times()) - len(probes) <= 20 + 50
        waits = [later - earlier for earlier, later in itertools.pairwise(probes)]
        assert waits == sorted(waits)
        assert min(waits) >= 60

    run_virtually(main())


def test_a_platform_that_is_down_for_good_ends_the_collection_without_any_deadline() -> None:
    async def main() -> None:
        world = World(FAILING)
        summary = await world.collector.run(queries(2000))
        assert 900 <= VirtualClock().monotonic() - world.started <= 1_100
        assert summary.failed == {Reason.SERVER_FAULT: 2000}
        assert set(world.journal.states.values()) == {QueryState.FAILED}

    run_virtually(main())


def test_a_platform_that_comes_back_within_that_time_is_asked_everything() -> None:
    async def main() -> None:
        world = World(up_between(0, 700))
        summary = await world.collector.run(queries(400))
        assert summary.answered >= 400 - 60

    run_virtually(main())


def test_only_probes_use_up_retries_while_the_breaker_is_open() -> None:
    async def main() -> None:
        world = World(up_between(0, 1000.0), deadline=in_seconds(7200))
        summary = await world.collector.run(queries(500))
        # A query is the first probe, and again, until its retries are used up.
        assert summary.failed_count <= 1
        assert summary.answered + summary.failed_count == 500
        assert summary.attempts < 500 + 30

    run_virtually(main())


def test_other_accounts_go_on_at_their_full_rate() -> None:
    async def main() -> None:
        def script(send: Send) -> Reply:
            return failing(Reason.TIMED_OUT) if send.account_id == "down" else Reply()

        accounts = [an_account("down", rate=20), an_account("up", rate=20)]
        world = World(script, accounts=accounts)
        summary = await world.collector.run(queries(1000))
        assert summary.answered == 1000
        times = world.times("up")
        # What was staged for the account that is down is asked by the other one.
        assert len(times) >= 1000 - len(world.times("down")) - 1
        gaps = [later - earlier for earlier, later in itertools.pairwise(times[:900])]
        assert max(gaps) < 0.2

    run_virtually(main())


@settings(max_examples=25, deadline=None)
@given(
    accounts=st.integers(1, 3),
    latency_s=st.sampled_from([0.05, 3.0, 45.0]),
    seed=st.integers(0, 2**32),
    bad_share=st.sampled_from([0.6, 0.9, 1.0]),
)
def test_calls_after_opening_are_probes_and_one_at_a_time(
    accounts: int, latency_s: float, seed: int, bad_share: float
) -> None:
    rng = random.Random(seed)

    def script(send: Send) -> Reply:
        state = next(lane for lane in world.collector.lanes() if lane.account_id == send.account_id)
        assert state.breaker is not BreakerState.OPEN
        if state.breaker is BreakerState.HALF_OPEN:
            probing[send.account_id].append(send.at)
        bad = rng.random() < bad_share
        return Reply(failing(Reason.TIMED_OUT).outcome if bad else Answer("fine"), latency_s)

    probing: dict[str, list[float]] = {f"account-{number}": [] for number in range(accounts)}
    world: World

    async def main() -> None:
        nonlocal world
        names = [an_account(name) for name in probing]
        world = World(script, accounts=names, deadline=in_seconds(4000))
        await world.collector.run(queries(400))
        for probes in probing.values():
            gaps = [later - earlier for earlier, later in itertools.pairwise(probes)]
            # The next probe goes after the last one ended, and not before another 30 s.
            assert all(gap >= latency_s + 30 for gap in gaps)

    run_virtually(main())


def test_a_breaker_that_is_open_is_told_with_the_progress() -> None:
    async def main() -> None:
        seen: list[Summary] = []
        world = World(up_between(5.0, 60.0), on_progress=seen.append)
        await world.collector.run(queries(300))
        states = [state for state, _ in itertools.groupby(one.lanes[0].breaker for one in seen)]
        assert states[:2] == [BreakerState.CLOSED, BreakerState.OPEN]
        assert states[-1] is BreakerState.CLOSED
        opened = next(one.lanes[0] for one in seen if one.lanes[0].breaker is BreakerState.OPEN)
        assert opened.held_until is not None
        assert world.collector.lanes()[0].is_stopped

    run_virtually(main())


def strict(rate: float) -> Callable[[Send], Reply]:
    """Return a platform that refuses what exceeds its rate, without naming a time."""
    taken: list[float] = []

    def script(send: Send) -> Reply:
        taken[:] = [at for at in taken if at > send.at - 1]
        if len(taken) >= rate:
            return Reply(failing(Reason.RATE_LIMITED).outcome, 0.05)
        taken.append(send.at)
        return Reply()

    return script


def test_a_platform_that_takes_half_the_rate_is_asked_at_about_half() -> None:
    async def main() -> None:
        account = an_account(rate=40, concurrency=200)
        world = World(strict(20), accounts=[account], deadline=in_seconds(300))
        summary = await world.collector.run(queries(20_000))
        refused = sum(not isinstance(one.outcome, Answer) for one in world.journal.attempts)
        assert summary.answered >= 0.85 * 20 * 300
        # Without a cut half of all calls would be refused.
        assert refused <= 0.12 * summary.attempts
        assert busiest(world.times()) <= 40

    run_virtually(main())


def test_a_long_time_named_by_the_platform_pauses_the_account_only() -> None:
    async def main() -> None:
        def script(send: Send) -> Reply:
            asked[send.account_id] += 1
            is_named = send.account_id == "tired" and asked["tired"] == 10
            return failing(Reason.RATE_LIMITED, retry_after_s=60.0) if is_named else Reply()

        asked: Counter[str] = Counter()
        accounts = [an_account("tired"), an_account("fresh")]
        world = World(script, accounts=accounts)
        await world.collector.run(queries(3000))
        times = world.times("tired")
        pause = max(later - earlier for earlier, later in itertools.pairwise(times))
        assert pause == pytest.approx(60, abs=0.5)
        gaps = [later - earlier for earlier, later in itertools.pairwise(world.times("fresh"))]
        assert max(gaps) < 0.2

    run_virtually(main())


def test_refusals_without_a_time_are_retried_as_before() -> None:
    async def main() -> None:
        world = World(first_then(failing(Reason.RATE_LIMITED)))
        summary = await world.collector.run(queries(4))
        assert (summary.answered, summary.attempts) == (4, 8)

    run_virtually(main())


def test_a_lane_that_ramps_up_starts_at_half_its_rate() -> None:
    async def main() -> None:
        lane = LaneSettings(rate=RateSettings(ramp_up_s=60))
        world = World(accounts=[an_account(rate=20)], settings=EngineSettings(lane=lane))
        await world.collector.run(queries(1700))
        seconds = Counter(math.floor(at - world.started) for at in world.times())
        assert sum(seconds[second] for second in range(5)) == pytest.approx(5 * 10.4, abs=3)
        assert sum(seconds[second] for second in range(30, 35)) == pytest.approx(5 * 15.4, abs=4)
        assert sum(seconds[second] for second in range(65, 75)) == pytest.approx(196, abs=3)

    run_virtually(main())


def test_tokens_of_a_minute_hold_dispatch_back_and_lose_no_query() -> None:
    async def main() -> None:
        answer = Answer("fine", usage=Usage(prompt_tokens=10, completion_tokens=490))
        account = an_account(rate=20, tokens_per_minute=30_000)
        world = World(always(Reply(answer)), accounts=[account])
        summary = await world.collector.run(queries(200))
        assert (summary.answered, summary.attempts) == (200, 200)
        assert busiest(world.times(), 60.0) <= 60
        # 200 × 500 tokens are three minutes and a bit, at 30,000 a minute.
        assert 180 <= world.elapsed <= 260

    run_virtually(main())


def test_an_account_without_tokens_leaves_the_work_to_the_others() -> None:
    async def main() -> None:
        accounts = [an_account("small", tokens_per_minute=1000), an_account("big")]
        world = World(accounts=accounts)
        await world.collector.run(queries(200))
        assert len(world.times("small")) == 1
        assert world.elapsed < 12

    run_virtually(main())


@pytest.mark.parametrize(("sent_today", "sends"), [(0, 30), (10, 20), (30, 0), (99, 0)])
def test_an_account_stops_when_its_day_is_used_up(sent_today: int, sends: int) -> None:
    async def main() -> None:
        account = an_account(queries_per_day=30)
        world = World(accounts=[account], sent_today={"main": sent_today})
        summary = await world.collector.run(queries(100))
        assert summary.answered == summary.attempts == len(world.times()) == sends
        assert summary.failed == {Reason.QUOTA_EXHAUSTED: 100 - sends}
        assert Counter(world.journal.given_up.values()) == summary.failed
        assert summary.lanes[0].is_stopped

    run_virtually(main())


def test_a_day_that_is_just_enough_leaves_nothing_over() -> None:
    async def main() -> None:
        world = World(accounts=[an_account(queries_per_day=30)])
        summary = await world.collector.run(queries(30))
        assert (summary.answered, summary.failed) == (30, {})

    run_virtually(main())


def test_a_day_that_is_used_up_leaves_the_work_to_other_accounts() -> None:
    async def main() -> None:
        accounts = [an_account("small", queries_per_day=5), an_account("big")]
        world = World(accounts=accounts)
        summary = await world.collector.run(queries(100))
        assert summary.answered == 100
        assert len(world.times("small")) == 5

    run_virtually(main())


def test_queries_over_budget_are_given_up_at_once_and_never_sent() -> None:
    async def main() -> None:
        seen: list[Summary] = []
        world = World(on_progress=seen.append)
        world.journal.over_budget = lambda query_id: query_id.endswith("7")
        summary = await world.collector.run(queries(100))
        assert (summary.answered, summary.failed) == (90, {Reason.OVER_BUDGET: 10})
        assert not any(query_id.endswith("7") for query_id in world.sent_ids())
        assert set(world.journal.given_up.values()) == {Reason.OVER_BUDGET}
        assert seen[0].failed == {Reason.OVER_BUDGET: 1}

    run_virtually(main())


def test_a_collection_whose_every_query_is_over_budget_ends() -> None:
    async def main() -> None:
        world = World(accounts=[an_account(concurrency=3)])
        world.journal.over_budget = lambda query_id: True
        summary = await world.collector.run(queries(100))
        assert summary.failed == {Reason.OVER_BUDGET: 100}
        assert world.sender.sends == []
        assert set(world.journal.states.values()) == {QueryState.FAILED}

    run_virtually(main())


def test_an_account_without_places_takes_no_slots_that_others_could_use() -> None:
    class CountedPace(LocalPace):
        async def reserve(self, count: int) -> Sequence[float]:
            given.append(count)
            return await super().reserve(count)

    given: list[int] = []

    async def main() -> None:
        accounts = [an_account(rate=100, concurrency=3)]
        pace = CountedPace(100, VirtualClock())
        world = World(always(Reply(latency_s=10.0)), accounts=accounts, pace=lambda account: pace)
        await world.collector.run(queries(60))
        assert sum(given) <= len(world.times()) + 5

    run_virtually(main())


def test_a_stop_while_the_breaker_is_open_ends_at_once() -> None:
    async def main() -> None:
        world = World(FAILING)
        stopping = asyncio.create_task(after(200.0, world.collector.request_stop))
        summary = await world.collector.run(queries(100))
        await stopping
        assert summary.was_stopped
        assert world.elapsed == pytest.approx(200, abs=1)

    run_virtually(main())


def test_a_platform_that_hangs_holds_few_calls_and_not_all_that_the_account_allows() -> None:
    async def main() -> None:
        def script(send: Send) -> Reply:
            hangs = send.at - world.started > 30
            return Reply(failing(Reason.TIMED_OUT).outcome, 60.0) if hangs else Reply()

        world = World(
            script, accounts=[an_account(rate=20, concurrency=2000)], deadline=in_seconds(100)
        )
        await world.collector.run(queries(5000))
        assert world.sender.peak["main"] <= 20
        # All of them time out, and then the breaker is open.
        assert world.collector.lanes()[0].breaker is not BreakerState.CLOSED
        assert len([at for at in world.times() if at > world.started + 31]) <= 20

    run_virtually(main())


def benchmark_reply(send: Send, rng: random.Random) -> Reply:
    """Answer like the strict platform of the benchmark: 0.2 s, one in a hundred 2 s."""
    chance, latency_s = rng.random(), rng.lognormvariate(math.log(0.2), math.log(10) / 2.326)
    if send.number > 1 or chance >= 0.035:
        return Reply(latency_s=latency_s)
    if chance < 0.02:
        return Reply(failing(Reason.RATE_LIMITED, retry_after_s=1.0).outcome, latency_s)
    if chance < 0.03:
        return Reply(failing(Reason.EMPTY).outcome, latency_s)
    return Reply(latency_s=5.0)


@pytest.mark.parametrize("seed", range(5))
def test_adaptive_limits_cost_a_healthy_platform_nothing(seed: int) -> None:
    async def main() -> None:
        rng = random.Random(seed)
        world = World(
            lambda send: benchmark_reply(send, rng),
            accounts=[an_account(rate=200, concurrency=400)],
        )
        summary = await world.collector.run(queries(3000))
        assert summary.answered == 3000
        sends = len(world.times())
        firsts = sorted(send.at for send in world.sender.sends if send.number == 1)
        retries = sends - 3000
        assert firsts[-1] - firsts[0] <= (3000 + retries) * SPACING / 200 + 0.05
        assert busiest(world.times()) <= 200
        assert world.elapsed <= 21.5

    run_virtually(main())
