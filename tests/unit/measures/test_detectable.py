import math

import numpy as np
import pytest

from brand_visibility.measures.detectable import smallest_detectable_change


def detectable(rate: float, size: float, **choices: float) -> float:
    return float(smallest_detectable_change(np.array([rate]), np.array([size]), **choices)[0])


@pytest.mark.parametrize(("size", "points"), [(50, 26), (150, 15), (300, 10), (1_000, 6)])
def test_samples_show_the_changes_that_they_are_known_to_show(size: int, points: int) -> None:
    assert 100 * detectable(0.3, size) == pytest.approx(points, abs=0.6)


def test_a_rate_of_nought_does_not_promise_that_every_change_shows() -> None:
    assert detectable(0.0, 30) > 0.15


def test_nothing_observed_promises_nothing() -> None:
    assert math.isnan(detectable(math.nan, 0))


def test_no_change_is_larger_than_everything() -> None:
    assert detectable(0.5, 1) == 1


def test_more_power_and_more_confidence_ask_for_larger_changes() -> None:
    usual = detectable(0.3, 100)

    assert detectable(0.3, 100, power=0.9) > usual
    assert detectable(0.3, 100, confidence=0.99) > usual
