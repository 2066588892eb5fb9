import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from brand_visibility.measures.false_discovery import q_values

p_values = st.lists(st.floats(0, 1, exclude_min=True), max_size=40)


def test_the_q_values_are_those_of_benjamini_and_hochberg() -> None:
    # Their own example of 1995: four of fifteen are told at 0.05.
    given_p = [0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459]
    given_p += [0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0]

    found = q_values(np.array(given_p))

    assert (found <= 0.05).sum() == 4
    assert found[:3] == pytest.approx([0.0015, 0.003, 0.0095])


def test_what_was_not_tested_is_no_test() -> None:
    found = q_values(np.array([0.01, math.nan, 0.04]))

    assert found[[0, 2]] == pytest.approx([0.02, 0.04])
    assert math.isnan(found[1])


def test_no_test_has_no_q_value() -> None:
    assert q_values(np.array([])).tolist() == []


@given(p_values)
def test_a_q_value_is_never_below_its_p_value_and_keeps_the_order(drawn: list[float]) -> None:
    p = np.array(drawn, dtype=np.float64)
    q = q_values(p)

    assert (q >= p - 1e-12).all()
    assert (q <= 1).all()
    assert (np.diff(q[np.argsort(p, kind="stable")]) >= 0).all()


@given(p_values)
def test_the_order_of_the_tests_has_no_say(drawn: list[float]) -> None:
    p = np.array(drawn, dtype=np.float64)

    assert q_values(p[::-1])[::-1].tolist() == q_values(p).tolist()
