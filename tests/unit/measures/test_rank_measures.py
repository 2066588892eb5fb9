"""Where a brand stands in answers: ranks over all answers, means over those that have one."""

import math
from typing import Any

import pandas as pd
import pytest
from hypothesis import given, settings
from small_days import Day, Row, answer, days, frame, measured_schema, task

from brand_visibility.adapters.lake.schemas import CORE_RANKS, OUT_RANK_DAILY
from brand_visibility.domain.errors import IncompleteError
from brand_visibility.measures.ranks import rank_daily


def place(of: Row, brand: str = "acme", **changes: Any) -> Row:
    """Return a mention first in an answer of 200 characters, in no list unless said."""
    return {
        "plan_date": of["plan_date"],
        "query_id": of["query_id"],
        "tenant_id": "shop",
        "brand_id": brand,
        "order_of_mention": 1,
        "first_offset": 0,
        "text_length": 200,
    } | changes


def measured(day: Day, places: list[Row]) -> pd.DataFrame:
    plan, answers, _ = day.frames()
    return rank_daily(plan, answers, frame(CORE_RANKS, places))


def only_row(day: Day, places: list[Row]) -> Any:
    (row,) = measured(day, places).to_dict("records")
    return row


def four_answers() -> Day:
    prompts = ["p1", "p2", "p3", "p4"]
    return Day(
        tasks=[task(prompt=prompt) for prompt in prompts],
        answers=[answer(prompt) for prompt in prompts],
    )


def test_rates_are_over_all_valid_answers_and_not_over_those_with_a_list() -> None:
    day = four_answers()

    row = only_row(
        day,
        [
            place(day.answers[0], list_index=0, rank=1, list_length=5),
            place(day.answers[1], list_index=0, rank=4, list_length=7),
            place(day.answers[2]),
        ],
    )

    assert (row["answer_count"], row["question_count"]) == (4, 4)
    assert (row["listed_answer_count"], row["mentioning_answer_count"]) == (2, 3)
    assert row["first_rank_rate"] == 0.25
    assert row["top3_rank_rate"] == 0.25
    assert row["mean_reciprocal_rank"] == (1 + 1 / 4) / 4
    assert (row["mean_rank"], row["mean_list_length"]) == (2.5, 6.0)


@pytest.mark.parametrize(("rank", "first", "top3"), [(1, 1, 1), (2, 0, 1), (3, 0, 1), (4, 0, 0)])
def test_the_first_place_and_the_first_three_end_where_they_say(
    rank: int, first: float, top3: float
) -> None:
    day = Day(tasks=[task()], answers=[answer()])

    row = only_row(day, [place(day.answers[0], list_index=0, rank=rank, list_length=9)])

    assert (row["first_rank_rate"], row["top3_rank_rate"]) == (first, top3)


def test_of_several_lists_of_an_answer_the_best_place_counts() -> None:
    day = Day(tasks=[task()], answers=[answer()])

    row = only_row(
        day,
        [
            place(day.answers[0], list_index=0, rank=3, list_length=10),
            place(day.answers[0], list_index=1, rank=2, list_length=4),
        ],
    )

    assert (row["listed_answer_count"], row["mean_rank"], row["mean_list_length"]) == (1, 2, 4)


def test_order_of_mention_and_prominence_count_without_any_list() -> None:
    day = four_answers()

    row = only_row(
        day,
        [
            place(day.answers[0], order_of_mention=1, first_offset=0),
            place(day.answers[1], order_of_mention=4, first_offset=150),
        ],
    )

    assert row["mean_order_of_mention"] == 2.5
    assert row["mean_prominence"] == (1 + 0.25) / 2
    assert row["listed_answer_count"] == 0
    assert math.isnan(row["mean_rank"])
    assert row["mean_reciprocal_rank"] == 0


def test_a_question_counts_once_however_often_it_is_asked() -> None:
    day = Day(
        tasks=[task(prompt="p1", repeats=3), task(prompt="p2")],
        answers=[*(answer("p1", repeat) for repeat in range(3)), answer("p2")],
    )

    row = only_row(day, [place(day.answers[3], list_index=0, rank=1, list_length=2)])

    assert row["first_rank_rate"] == 0.5


def test_without_answers_the_rates_are_unknown_and_the_counts_0() -> None:
    row = only_row(Day(tasks=[task()]), [])

    assert (row["answer_count"], row["question_count"], row["listed_answer_count"]) == (0, 0, 0)
    assert math.isnan(row["first_rank_rate"])
    assert math.isnan(row["first_rank_rate_low"])


def test_another_tenants_rank_of_a_brand_of_the_same_name_is_not_taken() -> None:
    day = Day(tasks=[task()], answers=[answer()])

    row = only_row(
        day, [place(day.answers[0], tenant_id="other", list_index=0, rank=1, list_length=2)]
    )

    assert row["mentioning_answer_count"] == 0


def test_kinds_of_questions_are_never_pooled() -> None:
    day = Day(
        tasks=[task(prompt="p1"), task(prompt="p2", question_kind="brand")],
        answers=[answer("p1"), answer("p2")],
    )
    places = [place(day.answers[1], list_index=0, rank=1, list_length=2)]

    rates = measured(day, places).set_index("question_kind")["first_rank_rate"].to_dict()

    assert rates == {"non_brand": 0.0, "brand": 1.0}


def test_a_missing_column_is_named() -> None:
    plan, answers, _ = Day(tasks=[task()], answers=[answer()]).frames()
    ranks = frame(CORE_RANKS, []).drop(columns="rank")

    with pytest.raises(IncompleteError, match=r"^core_ranks: found no column rank"):
        rank_daily(plan, answers, ranks)


@settings(max_examples=10, deadline=None)
@given(days())
def test_the_order_of_rows_changes_nothing_and_bounds_hold_the_rate(day: Day) -> None:
    places = [
        place(one, one["brand_id"], list_index=0, rank=1 + number % 4, list_length=5)
        for number, one in enumerate(day.mentions)
    ]
    rows = measured(day, places)

    turned = Day(tasks=day.tasks[::-1], answers=day.answers[::-1])
    pd.testing.assert_frame_equal(rows, measured(turned, places[::-1]))
    assert measured_schema(OUT_RANK_DAILY).names == list(rows)
    known = rows.dropna(subset=["first_rank_rate"])
    for name in ("first_rank_rate", "top3_rank_rate", "mean_reciprocal_rank"):
        assert (known[f"{name}_low"] <= known[name]).all()
        assert (known[name] <= known[f"{name}_high"]).all()
    assert (known["first_rank_rate"] <= known["mean_reciprocal_rank"]).all()
    assert (known["first_rank_rate"] <= known["top3_rank_rate"]).all()
