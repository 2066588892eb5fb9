import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from brand_visibility.measures.intervals import wilson_bounds, wilson_interval

Z = 1.959963984540054


@st.composite
def proportions(draw: st.DrawFn) -> tuple[float, int]:
    n = draw(st.integers(1, 5_000))
    return draw(st.floats(0, n, allow_nan=False)), n


@pytest.mark.parametrize(
    ("successes", "n", "low", "high"),
    [
        # With z² = 3.841459: at p = 1/2 the half-width is z / (2 sqrt(n + z²)).
        (5, 10, 0.236593, 0.763407),
        # At p = 0 the upper bound is z² / (n + z²).
        (0, 10, 0.0, 0.277533),
        (10, 10, 0.722467, 1.0),
        (0, 1, 0.0, 0.793450),
        # Newcombe (1998), Statistics in Medicine 17, 857-872, table I, method 3.
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_the_interval_has_its_published_bounds(
    successes: int, n: int, low: float, high: float
) -> None:
    interval = wilson_interval(successes, n)

    assert interval is not None
    assert interval.low == pytest.approx(low, abs=5e-5)
    assert interval.high == pytest.approx(high, abs=5e-5)


def test_nothing_observed_has_no_interval() -> None:
    assert wilson_interval(0, 0) is None


def test_many_rates_at_once_leave_the_unobserved_ones_unknown() -> None:
    low, high = wilson_bounds(np.array([0.5, np.nan]), np.array([10.0, 0.0]))

    assert low[0] == pytest.approx(0.236593, abs=1e-6)
    assert math.isnan(low[1])
    assert math.isnan(high[1])


@given(proportions())
def test_the_bounds_enclose_the_rate_within_zero_and_one(proportion: tuple[float, int]) -> None:
    successes, n = proportion
    interval = wilson_interval(successes, n)

    assert interval is not None
    assert 0 <= interval.low <= successes / n <= interval.high <= 1


@given(proportions())
def test_the_bounds_are_where_the_score_test_turns(proportion: tuple[float, int]) -> None:
    successes, n = proportion
    interval = wilson_interval(successes, n)

    assert interval is not None
    for bound in (interval.low, interval.high):
        distance = (successes / n - bound) ** 2
        assert distance == pytest.approx(Z**2 * bound * (1 - bound) / n, rel=1e-6, abs=1e-12)


@given(proportions())
def test_counting_the_opposite_mirrors_the_interval(proportion: tuple[float, int]) -> None:
    successes, n = proportion
    interval, mirrored = wilson_interval(successes, n), wilson_interval(n - successes, n)

    assert interval is not None
    assert mirrored is not None
    assert interval.low == pytest.approx(1 - mirrored.high, abs=1e-9)
    assert interval.high == pytest.approx(1 - mirrored.low, abs=1e-9)


@given(proportions(), st.integers(2, 10))
def test_more_questions_at_the_same_rate_narrow_the_interval(
    proportion: tuple[float, int], factor: int
) -> None:
    successes, n = proportion
    few, many = wilson_interval(successes, n), wilson_interval(successes * factor, n * factor)

    assert few is not None
    assert many is not None
    assert many.high - many.low < few.high - few.low


def test_more_confidence_widens_the_interval() -> None:
    widths = []
    for confidence in (0.8, 0.95, 0.99):
        interval = wilson_interval(3, 10, confidence)
        assert interval is not None
        widths.append(interval.high - interval.low)

    assert widths == sorted(widths)
    assert len(set(widths)) == 3


@pytest.mark.parametrize("p", [0.1, 0.3, 0.5])
@pytest.mark.parametrize("n", [30, 100])
def test_the_interval_covers_the_truth_about_as_often_as_it_says(p: float, n: int) -> None:
    coverage = 0.0
    for successes in range(n + 1):
        interval = wilson_interval(successes, n)
        assert interval is not None
        if interval.low <= p <= interval.high:
            coverage += math.comb(n, successes) * p**successes * (1 - p) ** (n - successes)

    assert 0.92 <= coverage <= 0.98


@pytest.mark.parametrize(
    ("successes", "n", "confidence", "place"),
    [
        (-0.1, 10, 0.95, "successes"),
        (10.1, 10, 0.95, "successes"),
        (math.nan, 10, 0.95, "successes"),
        (0, -1, 0.95, "n"),
        (5, 10, 0.0, "confidence"),
        (5, 10, 1.0, "confidence"),
    ],
)
def test_an_impossible_proportion_is_refused(
    successes: float, n: int, confidence: float, place: str
) -> None:
    with pytest.raises(ValueError, match=f"^{place}: found"):
        wilson_interval(successes, n, confidence)
