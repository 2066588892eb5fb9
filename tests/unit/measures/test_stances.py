"""How mentioning answers stand to a brand; what is absent or unjudged is no neutral."""

import math
from typing import Any

import pandas as pd
import pytest
from small_days import Day, Row, answer, frame, measured_schema, task

from brand_visibility.adapters.lake.schemas import CORE_STANCES, OUT_STANCE_DAILY
from brand_visibility.domain.errors import IncompleteError
from brand_visibility.measures.stances import stance_daily

SHARES = ("recommended_rate", "neutral_rate", "negative_rate", "unjudged_rate")


def stance(of: Row, value: str, **changes: Any) -> Row:
    row = {
        "plan_date": of["plan_date"],
        "query_id": of["query_id"],
        "tenant_id": "shop",
        "brand_id": "acme",
        "stance": value,
    }
    return row | changes


def measured(day: Day, stances: list[Row]) -> pd.DataFrame:
    plan, answers, _ = day.frames()
    return stance_daily(plan, answers, frame(CORE_STANCES, stances))


def day_of(*stances: str | None) -> tuple[Day, list[Row]]:
    """Return a day of one answer to each of several questions, and the answers' stances."""
    prompts = [f"p{number}" for number in range(len(stances))]
    day = Day([task(prompt=prompt) for prompt in prompts], [answer(prompt) for prompt in prompts])
    found = [stance(of, one) for of, one in zip(day.answers, stances, strict=True) if one]
    return day, found


def test_shares_are_over_mentioning_answers_and_absent_ones_are_counted_apart() -> None:
    (row,) = measured(
        *day_of("recommended", "recommended", "negative", "unjudged", "absent", None)
    ).to_dict("records")

    assert (row["answer_count"], row["mentioning_answer_count"]) == (6, 4)
    assert row["absent_answer_count"] == 2
    assert [row[share] for share in SHARES] == [0.5, 0.0, 0.25, 0.25]
    assert row["mentioning_question_count"] == 4
    assert row["recommended_answer_count"] == 2


def test_an_unjudged_stance_is_never_neutral() -> None:
    (row,) = measured(*day_of("unjudged", "unjudged")).to_dict("records")

    assert (row["neutral_rate"], row["unjudged_rate"]) == (0, 1)


@pytest.mark.parametrize("stances", [(None, None), ("absent",)])
def test_of_a_brand_that_nobody_mentions_the_stance_is_unknown(
    stances: tuple[str | None, ...],
) -> None:
    (row,) = measured(*day_of(*stances)).to_dict("records")

    assert row["absent_answer_count"] == len(stances)
    assert all(math.isnan(row[share]) for share in SHARES)


def test_the_four_shares_sum_to_1_and_lie_within_their_bounds() -> None:
    day = Day(
        tasks=[task(prompt="p1", repeats=3), task(prompt="p2")],
        answers=[*(answer("p1", repeat) for repeat in range(3)), answer("p2")],
    )
    values = ["negative", "neutral", "recommended", "recommended"]
    stances = [stance(of, one) for of, one in zip(day.answers, values, strict=True)]

    rows = measured(day, stances)

    assert rows[list(SHARES)].sum(axis=1).iloc[0] == pytest.approx(1)
    for share in SHARES:
        assert (rows[f"{share}_low"] <= rows[share]).all()
        assert (rows[share] <= rows[f"{share}_high"]).all()


def test_two_stances_of_an_answer_to_one_brand_are_refused() -> None:
    day, stances = day_of("neutral")

    with pytest.raises(IncompleteError, match=r"core_stances: query_id, tenant_id, brand_id:"):
        measured(day, [*stances, stance(day.answers[0], "negative")])


def test_the_columns_are_those_of_the_dataset() -> None:
    day, stances = day_of("neutral")

    wanted = measured_schema(OUT_STANCE_DAILY).names
    assert list(measured(day, stances)) == wanted
