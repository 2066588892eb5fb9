"""When a breaker opens, what it lets through, and what closes it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brand_visibility.collection.breaker import Breaker, BreakerSettings, BreakerState, is_bad
from brand_visibility.domain.outcomes import Answer, Failure, Outcome, Reason

GOOD = Answer("fine")
BAD = Failure(Reason.TIMED_OUT)
SETTINGS = BreakerSettings()
DOWN = [BAD] * SETTINGS.bad_in_a_row


def a_breaker(*outcomes: Outcome, at: float = 100.0) -> Breaker:
    breaker = Breaker(SETTINGS)
    for outcome in outcomes:
        breaker.note(outcome, breaker.episode, at)
    return breaker


@pytest.mark.parametrize(
    ("reason", "verdict"),
    [
        (Reason.TIMED_OUT, True),
        (Reason.SERVER_FAULT, True),
        (Reason.CONNECTION_LOST, True),
        (Reason.UNREACHABLE, True),
        (Reason.MALFORMED, True),
        (Reason.REJECTED, False),
        (Reason.REFUSED, False),
        (Reason.EMPTY, False),
        (Reason.TRUNCATED, False),
        (Reason.RATE_LIMITED, None),
        (Reason.QUOTA_EXHAUSTED, None),
        (Reason.UNAUTHORIZED, None),
    ],
)
def test_a_failure_speaks_against_the_platform_or_not_or_says_nothing(
    reason: Reason, verdict: bool | None
) -> None:
    assert is_bad(Failure(reason)) is verdict


def test_an_answer_speaks_for_the_platform() -> None:
    assert is_bad(GOOD) is False


def mixed(good: int, bad: int) -> list[Outcome]:
    """Return so many calls in turns, so that few bad ones follow each other."""
    return [*[GOOD] * (good - bad), *[BAD] * (bad - good), *[GOOD, BAD] * min(good, bad)]


@pytest.mark.parametrize(
    ("good", "bad", "state"),
    [
        (9, 10, BreakerState.CLOSED),
        (10, 10, BreakerState.OPEN),
        (11, 9, BreakerState.CLOSED),
        (21, 20, BreakerState.CLOSED),
    ],
    ids=["too-few-calls", "half-of-twenty", "less-than-half-of-twenty", "less-than-half"],
)
def test_it_opens_at_half_of_twenty_calls_and_not_below(
    good: int, bad: int, state: BreakerState
) -> None:
    assert a_breaker(*mixed(good, bad)).state(100.0) is state


@pytest.mark.parametrize(("later_s", "state"), [(28.0, "open"), (30.0, "closed")])
def test_calls_of_long_ago_do_not_count(later_s: float, state: str) -> None:
    breaker = a_breaker(*mixed(9, 10), at=100.0)
    breaker.note(BAD, breaker.episode, 100.0 + later_s)
    assert breaker.state(100.0 + later_s) == state


@pytest.mark.parametrize("apart_s", [0.0, 12.0, 600.0], ids=["at-once", "five-of-60-s", "slow"])
@pytest.mark.parametrize(("bad", "state"), [(9, BreakerState.CLOSED), (10, BreakerState.OPEN)])
def test_it_opens_at_ten_bad_calls_in_a_row_however_long_they_took(
    bad: int, state: BreakerState, apart_s: float
) -> None:
    breaker, now = Breaker(SETTINGS), 100.0
    for _ in range(bad):
        now += apart_s
        breaker.note(BAD, breaker.episode, now)
    assert breaker.state(now) is state


@pytest.mark.parametrize(
    ("between", "state"),
    [
        (GOOD, BreakerState.CLOSED),
        (Failure(Reason.REFUSED), BreakerState.CLOSED),
        (Failure(Reason.RATE_LIMITED), BreakerState.OPEN),
    ],
    ids=["an-answer", "a-refusal-of-the-model", "what-says-nothing"],
)
def test_a_call_that_went_well_ends_the_row(between: Outcome, state: BreakerState) -> None:
    assert a_breaker(*[BAD] * 9, between, BAD).state(100.0) is state


def test_the_row_is_counted_anew_after_a_probe_that_went_well() -> None:
    breaker = a_breaker(*DOWN)
    breaker.note(GOOD, breaker.episode, 130.0)
    for _ in range(9):
        breaker.note(BAD, breaker.episode, 130.0)
    assert breaker.state(130.0) is BreakerState.CLOSED


def test_refusals_for_the_rate_neither_open_it_nor_hide_an_outage() -> None:
    refused = Failure(Reason.RATE_LIMITED)
    assert a_breaker(*[refused] * 500).state(100.0) is BreakerState.CLOSED
    assert a_breaker(*[refused] * 500, *DOWN).state(100.0) is BreakerState.OPEN


@pytest.mark.parametrize(
    ("after_s", "state", "until"),
    [(0.0, "open", 130.0), (29.9, "open", 130.0), (30.0, "half_open", None)],
)
def test_it_stays_open_for_half_a_minute_at_first(
    after_s: float, state: str, until: float | None
) -> None:
    breaker = a_breaker(*DOWN)
    assert breaker.state(100.0 + after_s) == state
    assert breaker.opens_until(100.0 + after_s) == until


def test_each_failing_probe_doubles_the_time_up_to_ten_minutes() -> None:
    breaker, now, waits = a_breaker(*DOWN), 100.0, []
    for _ in range(7):
        until = breaker.opens_until(now)
        assert until is not None
        waits.append(until - now)
        now = until
        breaker.note(BAD, breaker.episode, now)
    assert waits == [30, 60, 120, 240, 480, 600, 600]


def test_a_probe_that_succeeds_closes_it_and_resets_its_time() -> None:
    breaker = a_breaker(*DOWN)
    breaker.note(BAD, breaker.episode, 130.0)
    breaker.note(GOOD, breaker.episode, 190.0)
    assert breaker.state(190.0) is BreakerState.CLOSED
    for _ in range(9):
        breaker.note(BAD, breaker.episode, 190.0)
    # Calls of before count no more, so that one failure does not open it again.
    assert breaker.state(190.0) is BreakerState.CLOSED
    breaker.note(BAD, breaker.episode, 190.0)
    assert breaker.opens_until(190.0) == 220.0


def test_a_probe_that_says_nothing_leaves_it_half_open() -> None:
    breaker = a_breaker(*DOWN)
    breaker.note(Failure(Reason.RATE_LIMITED), breaker.episode, 131.0)
    assert breaker.state(131.0) is BreakerState.HALF_OPEN


@pytest.mark.parametrize("late", [GOOD, BAD])
def test_a_call_that_was_under_way_when_it_opened_decides_nothing(late: Outcome) -> None:
    breaker = a_breaker(*DOWN)
    breaker.note(late, 0, 110.0)
    breaker.note(late, 0, 135.0)
    assert breaker.state(135.0) is BreakerState.HALF_OPEN
    assert breaker.state(129.9) is BreakerState.OPEN


@given(
    outcomes=st.lists(
        st.tuples(st.sampled_from([GOOD, BAD, Failure(Reason.RATE_LIMITED)]), st.floats(0, 40)),
        max_size=200,
    )
)
def test_it_is_open_for_at_least_its_first_time_and_at_most_its_longest(
    outcomes: list[tuple[Outcome, float]],
) -> None:
    breaker, now = Breaker(SETTINGS), 0.0
    for outcome, pause_s in outcomes:
        now += pause_s
        was = breaker.episode
        if breaker.state(now) is not BreakerState.OPEN:
            breaker.note(outcome, breaker.episode, now)
        until = breaker.opens_until(now)
        if breaker.episode != was:
            assert outcome is BAD
            assert until is not None
            assert SETTINGS.open_s <= until - now <= SETTINGS.longest_open_s + 1e-6
