import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from brand_visibility.measures.sign_flips import sign_flip_p_value

shares = st.sampled_from([-1, -2 / 3, -0.5, -1 / 3, 0, 1 / 3, 0.5, 2 / 3, 1])


def by_hand(differences: list[float]) -> float:
    """Return the share of all choices of signs that lie at least as far from 0."""
    observed = abs(sum(differences)) - 1e-9
    choices = list(itertools.product((-1, 1), repeat=len(differences)))
    flipped = (sum(s * d for s, d in zip(signs, differences, strict=True)) for signs in choices)
    return sum(abs(total) >= observed for total in flipped) / len(choices)


@pytest.mark.parametrize(
    ("differences", "expected"),
    [
        ([], 1.0),
        ([0.0] * 50, 1.0),
        ([1.0], 1.0),
        ([1.0] * 5, 2 / 2**5),
        ([1.0] * 5 + [0.0] * 45, 2 / 2**5),
        ([-1.0] * 10, 2 / 2**10),
        ([1.0, -1.0], 1.0),
        # At least as far as 2 of 4: the 4 and the 1 in 16 of either side.
        ([1.0, 1.0, 1.0, -1.0], 10 / 16),
        # Signs of 1 and 1/2 give ±1.5 and ±0.5.
        ([1.0, 0.5], 0.5),
        ([1.0, -0.5], 1.0),
    ],
)
def test_the_p_value_is_the_share_of_signs_as_extreme(
    differences: list[float], expected: float
) -> None:
    assert sign_flip_p_value(np.array(differences)) == pytest.approx(expected, abs=1e-12)


@given(st.lists(shares, min_size=1, max_size=9))
def test_counting_agrees_with_going_through_every_choice_of_signs(differences: list[float]) -> None:
    assert sign_flip_p_value(np.array(differences)) == pytest.approx(by_hand(differences), abs=1e-9)


@given(st.lists(shares, max_size=60))
def test_neither_order_nor_direction_has_a_say(differences: list[float]) -> None:
    p_value = sign_flip_p_value(np.array(differences))

    assert 0 < p_value <= 1
    assert sign_flip_p_value(np.array(sorted(differences))) == p_value
    assert sign_flip_p_value(-np.array(differences)) == p_value


def test_a_rounding_error_is_no_difference() -> None:
    assert sign_flip_p_value(np.array([1e-17, -3e-17, 2e-17])) == 1


def test_the_smallest_p_value_is_never_nought() -> None:
    assert 0 < sign_flip_p_value(np.ones(400)) < 1e-12


def test_many_different_differences_are_judged_by_the_normal_distribution() -> None:
    differences = np.random.default_rng(1).normal(0.02, 0.3, 2_000)
    z = differences.sum() / math.sqrt(float((differences**2).sum()))

    assert sign_flip_p_value(differences) == pytest.approx(math.erfc(abs(z) / 2**0.5), rel=0.02)


def test_both_ways_of_counting_agree_where_they_meet() -> None:
    differences = np.random.default_rng(2).normal(0.05, 0.3, 120)
    exact = sign_flip_p_value(differences)
    z = abs(differences.sum()) / math.sqrt(float((differences**2).sum()))

    assert exact == pytest.approx(math.erfc(z / 2**0.5), rel=0.05)
