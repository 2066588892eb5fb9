"""Rates over questions: the mean of means, and the interval of questions as clusters."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brand_visibility.measures.clusters import clustered_ratios
from brand_visibility.measures.intervals import wilson_bounds
from brand_visibility.measures.questions import question_rates

KEYS = ["brand_id"]


def answers_of(rates: list[list[float]]) -> pd.DataFrame:
    return pd.DataFrame(
        [
            {"brand_id": "acme", "prompt_id": f"p{number:03}", "value": value}
            for number, values in enumerate(rates)
            for value in values
        ]
    )


def rate_of(rates: list[list[float]]) -> dict[str, float]:
    found = question_rates(answers_of(rates), {"rate": "value"}, "question_count", KEYS)
    (row,) = found.to_dict("records")
    return row


def test_every_question_weighs_the_same() -> None:
    row = rate_of([[1, 1, 1, 1], [0]])

    assert (row["rate"], row["question_count"]) == (0.5, 2)


def test_repeats_of_one_question_are_one_observation() -> None:
    once, often = rate_of([[1]] * 3 + [[0]] * 7), rate_of([[1] * 5] * 3 + [[0] * 5] * 7)

    assert (once["rate_low"], once["rate_high"]) == (often["rate_low"], often["rate_high"])


def test_with_one_answer_a_question_the_interval_is_wilsons() -> None:
    row = rate_of([[1]] * 12 + [[0]] * 28)

    low, high = wilson_bounds(np.array([0.3]), np.array([40.0]))
    assert (row["rate_low"], row["rate_high"]) == pytest.approx((low[0], high[0]))


@settings(max_examples=25, deadline=None)
@given(
    st.lists(
        st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=1, max_size=4), min_size=1, max_size=9
    )
)
def test_the_interval_is_that_of_clustered_ratios(rates: list[list[float]]) -> None:
    means = answers_of(rates).groupby([*KEYS, "prompt_id"], as_index=False)["value"].mean()
    ratio = clustered_ratios(means.assign(numerator=means["value"], denominator=1.0), KEYS)
    low, high = wilson_bounds(ratio["rate"].to_numpy(), ratio["size"].to_numpy())

    row = rate_of(rates)

    assert row["rate"] == pytest.approx(ratio["rate"].iloc[0])
    assert (row["rate_low"], row["rate_high"]) == pytest.approx((low[0], high[0]))
