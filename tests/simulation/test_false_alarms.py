"""How often a day on which nothing happened cries wolf, and whether a real change is told."""

from dataclasses import dataclass

import numpy as np
import pytest
from nights import Floats, draw_nights

from brand_visibility.measures.false_discovery import q_values
from brand_visibility.measures.paired import DayValues, paired_change
from brand_visibility.measures.sign_flips import sign_flip_p_value

TESTS = 5_000


@dataclass(frozen=True)
class NullDay:
    """Every brand on every platform, twice, with nothing between."""

    p_values: Floats
    changes: Floats


def null_day(repeats: int) -> NullDay:
    random = np.random.default_rng([5, repeats])
    nights = draw_nights(random, p=0.3, questions=50, repeats=repeats, alike=0.3, count=TESTS)
    again = random.binomial(repeats, nights.truths) / repeats
    differences = nights.rates - again
    p_values = np.array([sign_flip_p_value(row) for row in differences])
    return NullDay(p_values, differences.mean(axis=1))


@pytest.fixture(scope="module", params=[1, 3])
def nothing_happened(request: pytest.FixtureRequest) -> NullDay:
    return null_day(request.param)


def test_a_p_value_below_a_limit_is_no_more_frequent_than_the_limit(
    nothing_happened: NullDay,
) -> None:
    for limit in (0.2, 0.05, 0.01):
        share = (nothing_happened.p_values <= limit).mean()
        # Three standard errors of what is drawn.
        assert share <= limit + 3 * (limit * (1 - limit) / TESTS) ** 0.5


def test_testing_each_brand_by_itself_would_cry_wolf_by_the_hundred(
    nothing_happened: NullDay,
) -> None:
    assert (nothing_happened.p_values < 0.05).sum() > 100


def test_of_five_thousand_tests_of_nothing_hardly_any_is_told(nothing_happened: NullDay) -> None:
    q = q_values(nothing_happened.p_values)
    is_told = (q <= 0.1) & (np.abs(nothing_happened.changes) >= 0.05)

    assert is_told.sum() <= 8


def test_of_what_is_told_about_a_tenth_is_false() -> None:
    random = np.random.default_rng(6)
    shares = []
    for _ in range(40):
        nights = draw_nights(random, p=0.3, questions=50, repeats=3, alike=0.3, count=200)
        truths = nights.truths.copy()
        truths[:40] += 0.5 * (1 - truths[:40])
        after = random.binomial(3, truths) / 3
        q = q_values(np.array([sign_flip_p_value(row) for row in after - nights.rates]))
        told = np.flatnonzero(q <= 0.1)
        shares.append(float((told >= 40).mean()) if len(told) else 0.0)
        # A fall of the questions' absences by half is seen nearly always.
        assert (told < 40).sum() >= 36

    # The share of true nulls, 0.8, times the limit; a test of few answers is a little shy.
    assert 0.04 <= np.mean(shares) <= 0.1


@pytest.mark.parametrize("repeats", [1, 5])
def test_a_detectable_change_is_found_about_four_times_in_five(repeats: int) -> None:
    random = np.random.default_rng([7, repeats])
    questions, p = 150, 0.3
    sizes = questions * repeats
    step = 2.8016 * (2 * p * (1 - p) / sizes) ** 0.5
    shape = (1_000, questions)
    before = random.binomial(repeats, p - step / 2, shape) / repeats
    after = random.binomial(repeats, p + step / 2, shape) / repeats
    found = np.mean([sign_flip_p_value(row) <= 0.05 for row in after - before])

    assert 0.74 <= found <= 0.86


def test_a_shared_rise_and_fall_of_questions_is_no_change_of_the_brand() -> None:
    """Pages that a search finds move a question's answers together: that is churn."""
    random = np.random.default_rng(8)
    ones, counts = np.ones(60), np.full(60, 5.0)
    p_values = []
    for _ in range(1_000):
        now, then = (random.binomial(5, random.beta(0.6, 1.4, 60)) / 5 for _ in range(2))
        change = paired_change(DayValues(now, ones, counts), DayValues(then, ones, counts))
        p_values.append(change.p_value)

    assert np.mean(np.array(p_values) <= 0.05) <= 0.07
