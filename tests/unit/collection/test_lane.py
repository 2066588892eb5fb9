"""What an account may send right now, all its limits together."""

import asyncio
from datetime import datetime, timedelta

import pytest
from engine_world import a_query, an_account
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from brand_visibility.collection.breaker import BreakerState
from brand_visibility.collection.lane import Lane, LaneSettings, LaneState, Permit
from brand_visibility.domain.catalog import Account
from brand_visibility.domain.outcomes import Answer, Failure, Outcome, Reason, Usage
from tests.virtual_time import MIDNIGHT, VirtualClock, run_virtually

GOOD = Answer("fine")
BAD = Failure(Reason.TIMED_OUT)
QUERY = a_query("q")


class SetClock(VirtualClock):
    """A clock that is set, for lanes outside a loop."""

    def __init__(self) -> None:
        self.time = 1000.0

    def monotonic(self) -> float:
        return self.time

    def now(self) -> datetime:
        return MIDNIGHT + timedelta(seconds=self.time)


def a_lane(clock: VirtualClock, account: Account | None = None, sent_today: int = 0) -> Lane:
    return Lane(
        account or an_account(rate=20, concurrency=50),
        settings=LaneSettings(),
        clock=clock,
        sent_today=sent_today,
    )


def send(lane: Lane) -> Permit:
    permit = lane.let_through(QUERY)
    assert permit is not None
    lane.sent(permit)
    return permit


def fail(lane: Lane, calls: int = 20) -> None:
    for permit in [send(lane) for _ in range(calls)]:
        lane.ended(permit, BAD)


def test_places_are_taken_from_the_moment_a_query_is_let_through() -> None:
    clock = SetClock()
    lane = a_lane(clock)
    staged = lane.let_through(QUERY)
    assert staged is not None
    flying = send(lane)
    assert lane.room() == 48
    lane.take_back(staged)
    lane.ended(flying, GOOD)
    assert lane.room() == 50


def test_an_open_breaker_has_no_room_and_then_room_for_one_probe() -> None:
    clock = SetClock()
    lane = a_lane(clock)
    fail(lane)
    assert (lane.room(), lane.is_shut(), lane.next_look_s()) == (0, True, 30.0)
    clock.time += 30
    assert (lane.room(), lane.is_shut()) == (1, False)
    probe = lane.let_through(QUERY)
    assert probe is not None
    assert lane.room() == 0
    lane.sent(probe)
    assert lane.room() == 0
    lane.ended(probe, GOOD)
    assert lane.room() == LaneSettings().in_flight.floor


def test_a_probe_that_is_not_sent_leaves_its_place_to_another() -> None:
    clock = SetClock()
    lane = a_lane(clock)
    fail(lane)
    clock.time += 30
    probe = lane.let_through(QUERY)
    assert probe is not None
    lane.take_back(probe)
    assert lane.room() == 1


@pytest.mark.parametrize("later_s", [0.0, 30.0], ids=["while-open", "when-a-probe-may-go"])
def test_a_query_let_through_before_the_breaker_opened_is_not_sent_any_more(later_s: float) -> None:
    clock = SetClock()
    lane = a_lane(clock)
    staged = lane.let_through(QUERY)
    assert staged is not None
    assert lane.honours(staged)
    fail(lane)
    clock.time += later_s
    assert not lane.honours(staged)


def test_a_paused_account_has_no_room_until_the_named_time() -> None:
    clock = SetClock()
    lane = a_lane(clock)
    lane.ended(send(lane), Failure(Reason.RATE_LIMITED, retry_after_s=42.0))
    assert (lane.room(), lane.next_look_s()) == (0, 42.0)
    clock.time += 42
    assert lane.room() == 50


def test_tokens_that_are_used_up_leave_no_room_until_some_are_allowed_again() -> None:
    clock = SetClock()
    lane = a_lane(clock, an_account(tokens_per_minute=1700))
    first, second = send(lane), send(lane)
    assert lane.let_through(QUERY) is None
    assert (lane.room(), lane.next_look_s()) == (0, 61.0)
    lane.ended(first, Answer("fine", usage=Usage(1, 1)))
    lane.ended(second, Answer("fine", usage=Usage(6, 800)))
    clock.time += 61
    assert lane.room() == 50
    assert lane.let_through(QUERY) is not None


def test_tokens_of_a_query_that_is_taken_back_are_free_again() -> None:
    lane = a_lane(SetClock(), an_account(tokens_per_minute=900))
    for _ in range(10):
        permit = lane.let_through(QUERY)
        assert permit is not None
        lane.take_back(permit)


def test_a_day_ends_with_its_last_send() -> None:
    lane = a_lane(SetClock(), an_account(queries_per_day=10), sent_today=8)
    assert lane.room() == 2
    send(lane)
    assert (lane.room(), lane.is_used_up) == (1, False)
    send(lane)
    assert (lane.room(), lane.is_used_up) == (0, True)


@pytest.mark.parametrize(("further_calls", "is_slowed"), [(0, True), (1, False)])
def test_further_calls_count_as_sends_of_which_few_were_refused(
    further_calls: int, is_slowed: bool
) -> None:
    clock = SetClock()
    lane = a_lane(clock, an_account(rate=20, concurrency=500))
    flying = [send(lane) for _ in range(40)]
    for permit in flying * further_calls:
        lane.sent_again(permit)
    clock.time += 2
    for permit in flying[:8]:
        lane.ended(permit, Failure(Reason.RATE_LIMITED))
    assert (lane.thinned_rate() is not None) is is_slowed
    assert lane.state().in_flight == 32


def test_a_further_call_uses_up_the_day_and_holds_no_other_place() -> None:
    lane = a_lane(SetClock(), an_account(queries_per_day=2))
    permit = send(lane)
    lane.sent_again(permit)
    assert (lane.is_used_up, lane.state().in_flight) == (True, 1)


def test_the_refusal_of_a_further_call_is_one_of_the_rate_at_that_time() -> None:
    clock = SetClock()
    lane = a_lane(clock, an_account(rate=20, concurrency=500))
    flying = [send(lane) for _ in range(40)]
    clock.time += 2
    for permit in flying[:10]:
        lane.ended(permit, Failure(Reason.RATE_LIMITED))
    cut = lane.state().rate
    clock.time += 2
    for permit in flying[10:]:
        lane.sent_again(permit)
        lane.ended(permit, Failure(Reason.RATE_LIMITED))
    assert lane.state().rate < cut


def test_a_full_lane_is_looked_at_again_while_its_bound_may_rise() -> None:
    clock = SetClock()
    lane = a_lane(clock, an_account(rate=20, concurrency=500))
    for permit in [send(lane) for _ in range(40)]:
        clock.time += 0.01
        lane.ended(permit, GOOD)
    clock.time += 1
    while lane.room():
        send(lane)
    assert lane.next_look_s() == LaneSettings().in_flight.renewed_s
    full = lane.state().in_flight
    clock.time += 5
    # What hangs grows old, and an older call asks for more places beside it.
    assert lane.state().in_flight_bound > full
    assert lane.room() > 0


def test_a_lane_that_is_full_by_the_account_s_limit_only_waits_for_a_call_to_end() -> None:
    lane = a_lane(SetClock(), an_account(rate=20, concurrency=2))
    send(lane)
    send(lane)
    assert (lane.room(), lane.next_look_s()) == (0, None)


def test_a_lane_shows_how_it_stands() -> None:
    async def main() -> None:
        clock = VirtualClock()
        lane = a_lane(clock)
        assert lane.state() == LaneState(
            account_id="main",
            breaker=BreakerState.CLOSED,
            rate=20,
            rate_limit=20,
            in_flight=0,
            in_flight_bound=50,
        )
        fail(lane)
        await asyncio.sleep(10)
        state = lane.state(is_stopped=True)
        assert (state.breaker, state.is_stopped) == (BreakerState.OPEN, True)
        assert state.held_until == clock.now() + timedelta(seconds=20)

    run_virtually(main())


class ProbingLane(RuleBasedStateMachine):
    """Whatever ends in whatever order, an open breaker lets nothing through but probes."""

    def __init__(self) -> None:
        super().__init__()
        self.clock = SetClock()
        self.lane = a_lane(self.clock)
        self.staged: list[Permit] = []
        self.flying: dict[Permit, BreakerState] = {}

    @property
    def breaker(self) -> BreakerState:
        return self.lane.state().breaker

    @rule(seconds=st.sampled_from([0.1, 5.0, 31.0, 700.0]))
    def wait(self, seconds: float) -> None:
        self.clock.time += seconds

    @rule(count=st.integers(1, 30))
    def let_through(self, count: int) -> None:
        for _ in range(min(count, self.lane.room())):
            permit = self.lane.let_through(QUERY)
            assert permit is not None
            self.staged.append(permit)

    @precondition(lambda self: self.staged)
    @rule()
    def send_or_take_back(self) -> None:
        for permit in self.staged:
            if self.lane.honours(permit):
                assert self.breaker is not BreakerState.OPEN
                self.flying[permit] = self.breaker
                self.lane.sent(permit)
            else:
                self.lane.take_back(permit)
        self.staged = []

    @precondition(lambda self: self.flying)
    @rule(
        outcome=st.sampled_from([GOOD, BAD, BAD, Failure(Reason.RATE_LIMITED)]),
        count=st.integers(1, 30),
    )
    def end(self, outcome: Outcome, count: int) -> None:
        for permit in list(self.flying)[-count:]:
            del self.flying[permit]
            self.lane.ended(permit, outcome)

    @invariant()
    def never_more_than_one_probe_is_in_flight(self) -> None:
        if self.breaker is BreakerState.HALF_OPEN:
            probes = [was for was in self.flying.values() if was is BreakerState.HALF_OPEN]
            assert len(probes) <= 1

    @invariant()
    def the_account_s_concurrency_holds(self) -> None:
        assert len(self.flying) + len(self.staged) <= 50


TestProbingLane = ProbingLane.TestCase
TestProbingLane.settings = settings(max_examples=60, stateful_step_count=40, deadline=None)
