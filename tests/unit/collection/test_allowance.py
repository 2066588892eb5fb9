"""Tokens of a minute and queries of a day: charged before, corrected after."""

import math

import pytest
from engine_world import a_query
from hypothesis import given
from hypothesis import strategies as st

from brand_visibility.collection.allowance import DailyAllowance, TokenAllowance
from brand_visibility.domain.outcomes import Answer, Failure, Outcome, Reason, Usage

# "Which is best? q" is 16 bytes.
QUERY = a_query("q")
ESTIMATE = math.ceil(len(QUERY.prompt.encode()) / 3) + 94


def tokens(limit: int | None) -> TokenAllowance:
    return TokenAllowance(limit, completion_tokens=94)


def test_a_query_is_estimated_by_its_bytes_and_a_typical_answer() -> None:
    assert tokens(None).estimate(QUERY) == ESTIMATE == 6 + 94


@pytest.mark.parametrize(("limit", "charged"), [(299, 2), (300, 3)])
def test_queries_are_let_through_while_their_estimates_fit_into_the_minute(
    limit: int, charged: int
) -> None:
    allowance = tokens(limit)
    charges = [allowance.charge(QUERY, 10.0) for _ in range(5)]
    assert sum(charge is not None for charge in charges) == charged


@pytest.mark.parametrize(("now", "is_allowed"), [(69.9, False), (70.9, False), (71.0, True)])
def test_tokens_are_allowed_again_after_a_whole_minute(now: float, is_allowed: bool) -> None:
    allowance = tokens(100)
    assert allowance.charge(QUERY, 10.5) is not None
    assert (allowance.charge(QUERY, now) is not None) is is_allowed
    if not is_allowed:
        assert allowance.next_refill(now) == 71.0


@pytest.mark.parametrize(
    ("outcome", "used"),
    [
        (Answer("x", usage=Usage(10, 20)), 30),
        (Answer("x", usage=Usage(10, 490)), 500),
        (Answer("x", usage=Usage(10, None)), ESTIMATE),
        (Answer("x"), ESTIMATE),
        (Failure(Reason.TIMED_OUT), ESTIMATE),
        (Failure(Reason.RATE_LIMITED), 0),
        (Failure(Reason.UNREACHABLE), 0),
    ],
)
def test_a_charge_is_corrected_by_what_was_really_used(outcome: Outcome, used: int) -> None:
    allowance = tokens(1000)
    charge = allowance.charge(QUERY, 10.0)
    assert charge is not None
    allowance.settle(charge, outcome)
    room = 0
    while allowance.charge(QUERY, 10.0) is not None:
        room += 1
    assert room == (1000 - used) // ESTIMATE


def test_a_query_that_exceeds_the_limit_by_itself_goes_alone() -> None:
    allowance = tokens(50)
    assert allowance.charge(QUERY, 10.0) is not None
    assert allowance.charge(QUERY, 10.0) is None
    assert allowance.charge(QUERY, 71.0) is not None


def test_without_a_limit_everything_is_let_through() -> None:
    allowance = tokens(None)
    charges = [allowance.charge(QUERY, 10.0) for _ in range(1000)]
    assert None not in charges


@given(steps=st.lists(st.floats(0, 5), min_size=1, max_size=200), limit=st.sampled_from([100, 350]))
def test_no_minute_is_charged_more_than_the_limit(steps: list[float], limit: int) -> None:
    allowance, now, times = tokens(limit), 0.0, []
    for pause_s in steps:
        now += pause_s
        if allowance.charge(QUERY, now) is not None:
            times.append(now)
    for start in times:
        assert ESTIMATE * sum(start <= at < start + 60 for at in times) <= limit


@pytest.mark.parametrize(
    ("limit", "sent_today", "room", "is_used_up"),
    [(100, 0, 100, False), (100, 99, 1, False), (100, 100, 0, True), (100, 120, 0, True)],
)
def test_a_day_has_room_for_what_was_not_sent_earlier(
    limit: int, sent_today: int, room: int, is_used_up: bool
) -> None:
    day = DailyAllowance(limit, sent_today)
    assert (day.room(held=0), day.is_used_up) == (room, is_used_up)


def test_what_is_on_its_way_takes_room_of_the_day() -> None:
    day = DailyAllowance(10, 5)
    day.note_sent()
    assert day.room(held=3) == 1
    assert day.room(held=4) == 0


def test_a_day_without_a_limit_never_ends() -> None:
    assert DailyAllowance(None, 10**9).room(held=10**9) == math.inf
