"""What refusals make of an account's rate, and how shared slots are taken more rarely."""

import asyncio
from collections.abc import Sequence

import pytest
from engine_world import SPACING
from hypothesis import given
from hypothesis import strategies as st

from brand_visibility.collection.adaptive import AdaptiveRate, RateSettings, ThinnedPace
from brand_visibility.collection.pacing import LocalPace, PacedGate
from brand_visibility.domain.outcomes import Answer, Failure, Outcome, Reason
from tests.virtual_time import VirtualClock, run_virtually

GOOD = Answer("fine")
SETTINGS = RateSettings()


def refused(named_s: float | None = None) -> Failure:
    return Failure(Reason.RATE_LIMITED, retry_after_s=named_s)


def a_rate(limit: float = 200.0, settings: RateSettings = SETTINGS) -> AdaptiveRate:
    """Return a lane that has sent at its limit for ten seconds, until 10.0."""
    rate = AdaptiveRate(limit, settings, 0.0)
    for number in range(round(limit * 10)):
        rate.note_sent(number / limit)
    return rate


def note(
    rate: AdaptiveRate, *outcomes: Outcome, at: float = 9.9, sent_at: float | None = None
) -> None:
    for outcome in outcomes:
        rate.note_ended(outcome, at if sent_at is None else sent_at, at)


@pytest.mark.parametrize(
    ("good", "refusals", "expected"),
    [(2750, 150, 200.0), (2749, 151, 160.0), (0, 105, 200.0), (0, 106, 160.0)],
    ids=["five-percent", "more", "five-percent-of-those-on-their-way", "more-of-them"],
)
def test_more_than_five_percent_of_refusals_cut_the_rate_to_four_fifths(
    good: int, refusals: int, expected: float
) -> None:
    rate = a_rate()
    note(rate, *[GOOD] * good, *[refused()] * refusals)
    assert rate.rate(9.9) == pytest.approx(expected)
    assert rate.is_slowed(9.9) == (expected < 200)


@pytest.mark.parametrize(("refusals", "expected"), [(5, 20.0), (6, 8.0)])
def test_the_first_few_refusals_are_no_share_yet(refusals: int, expected: float) -> None:
    rate = AdaptiveRate(20.0, SETTINGS, 0.0)
    note(rate, *[refused()] * refusals, at=1.0)
    assert rate.rate(1.0) == expected


def test_two_percent_of_refusals_never_cut_the_rate() -> None:
    rate = AdaptiveRate(200.0, SETTINGS, 0.0)
    for number in range(20_000):
        note(rate, refused(1.0) if number % 50 == 0 else GOOD, at=number / 200)
        assert not rate.is_slowed(number / 200)
        assert rate.paused_until(number / 200) is None


def test_other_failures_leave_the_rate_alone() -> None:
    rate = a_rate()
    note(rate, *[Failure(reason) for reason in Reason if reason is not Reason.RATE_LIMITED] * 50)
    assert rate.rate(9.9) == 200.0


def test_the_rate_is_cut_once_a_second_however_many_refusals_come() -> None:
    rate = a_rate()
    note(rate, *[refused()] * 500)
    note(rate, *[refused()] * 500, at=10.8)
    assert rate.rate(10.8) == pytest.approx(160 + 0.9 * 2)


def test_refusals_of_the_old_rate_do_not_cut_the_new_one() -> None:
    rate = a_rate()
    note(rate, *[refused()] * 106)
    note(rate, *[refused()] * 500, at=11.5, sent_at=9.8)
    assert rate.rate(11.5) == pytest.approx(160 + 1.6 * 2)
    note(rate, *[refused()] * 6, at=11.5, sent_at=11.0)
    assert rate.rate(11.5) < 160


@pytest.mark.parametrize(("after_s", "expected"), [(1.0, 162.0), (10.0, 180.0), (30.0, 200.0)])
def test_the_rate_grows_back_by_a_percent_of_the_limit_each_second(
    after_s: float, expected: float
) -> None:
    rate = a_rate()
    note(rate, *[refused()] * 500)
    assert rate.rate(9.9 + after_s) == pytest.approx(expected)


SLOWER = Failure(Reason.RATE_LIMITED, asks_to_slow_down=True)
OVERLOADED = Failure(Reason.SERVER_FAULT, asks_to_slow_down=True)


@pytest.mark.parametrize("outcome", [SLOWER, OVERLOADED])
def test_one_refusal_that_asks_for_a_lower_rate_cuts_it_at_once(outcome: Failure) -> None:
    rate = a_rate()
    note(rate, *[GOOD] * 1000, outcome)
    assert rate.rate(9.9) == pytest.approx(160.0)
    assert rate.paused_until(9.9) is None


@pytest.mark.parametrize(("at", "expected"), [(10.89, 161.98), (10.9, 0.8 * 162.0)])
def test_it_is_cut_for_such_refusals_once_a_second_too(at: float, expected: float) -> None:
    rate = a_rate()
    note(rate, SLOWER)
    for number in range(170):
        rate.note_sent(10.0 + number / 200)
    note(rate, SLOWER, at=at)
    assert rate.rate(at) == pytest.approx(expected)


@pytest.mark.parametrize(("sent_at", "is_cut"), [(9.8, False), (9.9, True)])
def test_such_a_refusal_of_the_old_rate_does_not_cut_the_new_one(
    sent_at: float, is_cut: bool
) -> None:
    rate = a_rate()
    note(rate, SLOWER)
    note(rate, SLOWER, at=12.0, sent_at=sent_at)
    assert (rate.rate(12.0) < 160) is is_cut


def test_of_a_shared_rate_what_this_process_used_is_cut() -> None:
    rate = AdaptiveRate(200.0, SETTINGS, 0.0)
    for number in range(1500):
        rate.note_sent(number / 150)
    note(rate, *[refused()] * 500)
    assert rate.rate(9.9) == pytest.approx(0.8 * 150)


def test_a_cut_never_halves_what_is_left_more_than_once() -> None:
    rate = AdaptiveRate(200.0, SETTINGS, 0.0)
    rate.note_sent(9.8)
    note(rate, *[refused()] * 500)
    assert rate.rate(9.9) == pytest.approx(0.8 * 100)


@pytest.mark.parametrize(
    ("named_s", "paused_until"), [(5.0, None), (5.1, 15.0), (3600.0, 3609.9), (None, None)]
)
def test_a_long_time_that_is_named_pauses_the_account(
    named_s: float | None, paused_until: float | None
) -> None:
    rate = a_rate()
    note(rate, *[GOOD] * 2000, refused(named_s))
    assert rate.paused_until(9.9) == pytest.approx(paused_until)
    assert rate.rate(9.9) == 200.0


def test_a_short_time_pauses_the_account_when_there_are_too_many_refusals() -> None:
    rate = a_rate()
    note(rate, *[refused(1.0)] * 106)
    assert rate.paused_until(10.0) == pytest.approx(10.9)
    assert rate.paused_until(10.9) is None


def test_a_shorter_time_does_not_end_a_longer_pause() -> None:
    rate = a_rate()
    note(rate, refused(60.0), refused(6.0))
    assert rate.paused_until(9.9) == pytest.approx(69.9)


@pytest.mark.parametrize(
    ("ramp_up_s", "now", "expected"),
    [(0.0, 0.0, 200.0), (60.0, 0.0, 100.0), (60.0, 30.0, 150.0), (60.0, 60.0, 200.0)],
)
def test_a_lane_ramps_up_where_that_is_set(ramp_up_s: float, now: float, expected: float) -> None:
    rate = AdaptiveRate(200.0, RateSettings(ramp_up_s=ramp_up_s), 0.0)
    assert rate.rate(now) == pytest.approx(expected)


@given(
    steps=st.lists(
        st.tuples(st.floats(0, 3), st.sampled_from([GOOD, refused(), refused(2.0)])), max_size=300
    ),
    limit=st.sampled_from([0.5, 7.0, 200.0]),
)
def test_the_rate_is_never_above_the_limit_and_never_nothing(
    steps: list[tuple[float, Outcome]], limit: float
) -> None:
    rate, now = AdaptiveRate(limit, SETTINGS, 0.0), 0.0
    for pause_s, outcome in steps:
        now += pause_s
        rate.note_sent(now)
        note(rate, *[outcome] * 5, at=now)
        assert 0 < rate.rate(now) <= limit


class CountedPace:
    """A source that others share: it remembers the slots it gave away."""

    def __init__(self, rate: float, clock: VirtualClock) -> None:
        self._pace = LocalPace(rate, clock)
        self.given: list[int] = []

    async def reserve(self, count: int) -> Sequence[float]:
        self.given.append(count)
        return await self._pace.reserve(count)


async def sends_in(seconds: float, rate: float | None) -> tuple[int, list[int]]:
    """Return the sends of a gate of 200 a second, and the slots it took for them."""
    clock = VirtualClock()
    source = CountedPace(200.0, clock)
    thinned = ThinnedPace(source, clock, limit=200.0, rate=lambda: rate)
    gate = PacedGate(thinned, clock, rate=200.0, block=50)
    ends, sent = clock.monotonic() + seconds, 0
    while clock.monotonic() < ends:
        await gate.admit(1000)
        sent += 1
    await gate.close()
    return sent, source.given


@pytest.mark.parametrize("rate", [160.0, 100.0, 20.0, 2.0, 0.5])
def test_a_slowed_process_sends_at_its_rate_and_takes_no_slot_it_does_not_use(rate: float) -> None:
    async def main() -> None:
        sent, given = await sends_in(60.0, rate)
        assert sent == pytest.approx(60 * rate, rel=0.03, abs=2)
        # Those of the blocks under way when the gate was closed, and no more.
        assert sum(given) - sent <= max(2, 2 * given[0])

    run_virtually(main())


def test_a_process_at_its_limit_takes_slots_as_the_source_has_them() -> None:
    async def main() -> None:
        sent, given = await sends_in(10.0, None)
        assert sent == pytest.approx(10 * 200 / SPACING, rel=0.001)
        assert set(given[:-1]) == {50}

    run_virtually(main())


def test_what_a_slowed_process_leaves_is_there_for_the_others() -> None:
    async def main() -> None:
        clock = VirtualClock()
        shared = LocalPace(200.0, clock)
        slow = ThinnedPace(shared, clock, limit=200.0, rate=lambda: 20.0)
        counts = []
        for source in (slow, shared):
            gate = PacedGate(source, clock, rate=200.0, block=20)
            counts.append(asyncio.create_task(count_sends(gate, clock, 20.0)))
        slow_count, fast_count = await asyncio.gather(*counts)
        assert slow_count == pytest.approx(400, rel=0.05)
        assert slow_count + fast_count == pytest.approx(20 * 200 / SPACING, rel=0.01)

    run_virtually(main())


async def count_sends(gate: PacedGate, clock: VirtualClock, seconds: float) -> int:
    ends, sent = clock.monotonic() + seconds, 0
    while clock.monotonic() < ends:
        await gate.admit(1000)
        sent += 1
    await gate.close()
    return sent
