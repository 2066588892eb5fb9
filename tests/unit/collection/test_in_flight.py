"""How many calls may be in flight, from the rate and from how long calls take."""

import pytest

from brand_visibility.collection.in_flight import InFlightBound, InFlightSettings

# Classes of latency are a tenth wide.
ROUGHLY = 0.11
SETTINGS = InFlightSettings(lead_s=0.0)


def a_bound(*latencies_s: float, concurrency: int = 100_000, rate: float = 100.0) -> InFlightBound:
    bound = InFlightBound(concurrency, rate, SETTINGS)
    note(bound, *latencies_s, at=100.0)
    return bound


def note(bound: InFlightBound, *latencies_s: float, at: float, is_well: bool = True) -> None:
    for latency_s in latencies_s:
        bound.note(latency_s, at, is_well=is_well)


@pytest.mark.parametrize(
    ("latencies_s", "expected"),
    [
        ([1.0] * 100, 100 * 1.0 * 1.5),
        ([1.0] * 90 + [4.0] * 10, 100 * 4.0 * 1.5),
        ([1.0] * 96 + [4.0] * 4, 100 * 1.12 * 1.5),
        ([0.2] * 96 + [60.0] * 4, 100 * 2.6 * 1.5),
    ],
    ids=["all-alike", "slow-ones-in-the-quantile", "too-few-for-it", "but-they-hold-many-places"],
)
def test_the_bound_is_rate_times_latency_and_half_as_much_again(
    latencies_s: list[float], expected: float
) -> None:
    allowed = a_bound(*latencies_s).allowed(100.0, rate=100.0, started=[])
    assert allowed == pytest.approx(expected, rel=ROUGHLY)


@pytest.mark.parametrize(
    ("rate", "latency_s", "concurrency", "expected"),
    [(200.0, 10.0, 400, 400), (1.0, 0.1, 400, SETTINGS.floor), (1.0, 0.1, 3, 3)],
    ids=["the-account-allows-no-more", "a-small-floor", "the-account-allows-less-than-it"],
)
def test_the_bound_lies_between_a_floor_and_what_the_account_allows(
    rate: float, latency_s: float, concurrency: int, expected: int
) -> None:
    bound = a_bound(*[latency_s] * 50, concurrency=concurrency)
    assert bound.allowed(100.0, rate=rate, started=[]) == expected


@pytest.mark.parametrize(("calls", "latency_s"), [(19, 10.0), (20, 1.0)])
def test_a_typical_latency_is_taken_until_some_are_known(calls: int, latency_s: float) -> None:
    allowed = a_bound(*[1.0] * calls).allowed(100.0, rate=100.0, started=[])
    assert allowed == pytest.approx(100 * latency_s * 1.5, rel=ROUGHLY)


def test_calls_that_have_not_ended_count_with_their_age() -> None:
    # What has ended are the fast ones; those that hang for seven seconds are the truth.
    bound = a_bound(*[0.1] * 100)
    allowed = bound.allowed(100.0, rate=10.0, started=[93.0] * 40)
    assert allowed == pytest.approx(10 * 7.0 * 1.5, rel=ROUGHLY)


@pytest.mark.parametrize(("later_s", "latency_s"), [(50.0, 4.0), (65.0, 1.0)])
def test_latencies_of_more_than_a_minute_ago_are_forgotten(
    later_s: float, latency_s: float
) -> None:
    bound = a_bound(*[4.0] * 100)
    note(bound, *[1.0] * 100, at=100.0 + later_s)
    allowed = bound.allowed(100.0 + later_s, rate=100.0, started=[])
    assert allowed == pytest.approx(100 * latency_s * 1.5, rel=ROUGHLY)


def test_a_platform_that_becomes_slow_is_followed_within_seconds() -> None:
    bound = a_bound(*[0.2] * 5000)
    note(bound, *[10.0] * 60, at=112.0)
    assert bound.allowed(112.0, rate=200.0, started=[]) == pytest.approx(3000, rel=ROUGHLY)


def test_the_bound_is_renewed_once_a_second() -> None:
    bound = a_bound(*[1.0] * 100)
    before = bound.allowed(100.0, rate=100.0, started=[])
    note(bound, *[5.0] * 500, at=100.5)
    assert bound.allowed(100.9, rate=100.0, started=[]) == before
    assert bound.allowed(101.0, rate=100.0, started=[]) > 4 * before


@pytest.mark.parametrize(("is_well", "is_followed"), [(True, True), (False, False)])
def test_a_platform_that_hangs_is_not_followed(is_well: bool, is_followed: bool) -> None:
    bound = a_bound(*[0.5] * 100)
    before = bound.allowed(100.0, rate=100.0, started=[])
    note(bound, *[60.0] * 100, at=160.0, is_well=is_well)
    after = bound.allowed(160.0, rate=100.0, started=[100.0] * before)
    assert (after > before) is is_followed
