import math
from typing import Any

import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_days import BRANDS, DAY, Day, answer, days, mention, task
from two_days import NEXT, a_day, measured

from brand_visibility.adapters.lake.schemas import OUT_STABILITY_DAILY
from brand_visibility.measures.day_frames import DayFrames
from brand_visibility.measures.stability import jaccard_distance, stability_daily

letters = st.frozensets(st.sampled_from("abcd"))


def named_by_repeats(*answers: str, day: Any = DAY, prompt: str = "p1") -> Day:
    """Build a question whose answers name the brands of these initials."""
    made = Day(tasks=[task(brand, prompt, repeats=9, plan_date=day) for brand in BRANDS])
    for repeat, initials in enumerate(answers):
        made.answers.append(answer(prompt, repeat, plan_date=day))
        made.mentions += [
            mention(made.answers[-1], brand) for brand in BRANDS if brand[0] in initials
        ]
    return made


def frames(day: Day, plan_date: Any = DAY) -> DayFrames:
    return DayFrames(plan_date, *day.frames())


def only_row(today: DayFrames, yesterday: DayFrames | None = None) -> Any:
    rows = stability_daily(today, yesterday)
    assert len(rows) == 1
    return rows.iloc[0]


@pytest.mark.parametrize(
    ("one", "other", "distance"),
    [
        ("", "", 0),
        ("a", "a", 0),
        ("a", "b", 1),
        ("", "a", 1),
        ("ab", "bc", 2 / 3),
        ("a", "ab", 0.5),
    ],
)
def test_the_distance_is_what_two_answers_do_not_share(
    one: str, other: str, distance: float
) -> None:
    assert jaccard_distance(frozenset(one), frozenset(other)) == pytest.approx(distance)


@given(letters, letters, letters)
def test_the_distance_is_a_metric(one: frozenset[str], two: frozenset[str], three: Any) -> None:
    assert jaccard_distance(one, two) == jaccard_distance(two, one)
    assert (jaccard_distance(one, two) == 0) == (one == two)
    through = jaccard_distance(one, three) + jaccard_distance(three, two)
    assert jaccard_distance(one, two) <= through + 1e-12


@pytest.mark.parametrize(
    ("answers", "within"),
    [
        (["ab", "ab"], 0),
        (["a", "b"], 1),
        (["", ""], 0),
        # Three pairs: the same, and twice one of two.
        (["a", "a", "ab"], 1 / 3),
    ],
)
def test_within_a_day_every_two_repeats_are_compared(answers: list[str], within: float) -> None:
    row = only_row(frames(named_by_repeats(*answers)))

    assert row["within_distance"] == pytest.approx(within)
    assert row["stability"] == pytest.approx(1 - within)
    assert row["repeated_question_count"] == 1


def test_a_question_with_one_answer_says_nothing_of_stability() -> None:
    row = only_row(frames(named_by_repeats("ab")))

    assert row["repeated_question_count"] == 0
    assert row[["within_distance", "stability", "noise_floor", "drift"]].isna().all()


def test_drift_is_what_two_days_differ_by_beyond_their_repeats() -> None:
    today = frames(named_by_repeats("a", "ab", day=NEXT), NEXT)
    yesterday = frames(named_by_repeats("b", "b"))

    row = only_row(today, yesterday)

    # Of a and ab, one shares nothing with b and one half.
    assert row["between_distance"] == pytest.approx(0.75)
    assert row["day_to_day_stability"] == pytest.approx(0.25)
    assert row["drift"] == pytest.approx(0.75 - (0.5 + 0) / 2)
    assert row["common_question_count"] == 1


def test_days_are_compared_only_on_questions_repeated_on_both() -> None:
    today = frames(named_by_repeats("a", "a", day=NEXT), NEXT)

    row = only_row(today, frames(named_by_repeats("b")))

    assert row["common_question_count"] == 0
    assert math.isnan(row["between_distance"])


def test_a_brand_that_is_not_tracked_does_not_make_answers_differ() -> None:
    day = named_by_repeats("a", "a")
    day.mentions.append(mention(day.answers[0], "stranger"))

    assert only_row(frames(day))["within_distance"] == 0


def test_answers_that_agree_have_no_noise() -> None:
    assert only_row(a_day(repeats=4))["noise_floor"] == 0


def test_the_noise_floor_scales_halves_to_whole_days() -> None:
    row = only_row(frames(named_by_repeats("a", "")))

    # One of three brands differs wholly between halves of one answer each: a day has two.
    assert row["noise_floor"] == pytest.approx((1 / 2 / 3) ** 0.5)


@given(days(), st.randoms(use_true_random=False))
@settings(max_examples=5, deadline=None)
def test_the_order_of_input_rows_changes_nothing(day: Day, random: Any) -> None:
    before = stability_daily(frames(day), None)
    for rows in (day.tasks, day.answers, day.mentions):
        random.shuffle(rows)

    pd.testing.assert_frame_equal(stability_daily(frames(day), None), before, check_exact=True)


@pytest.mark.parametrize("yesterday", [None, a_day(DAY), a_day(DAY, questions=0)])
@pytest.mark.parametrize("questions", [0, 3])
@pytest.mark.parametrize("repeats", [1, 2])
def test_the_result_has_the_columns_and_types_of_its_dataset(
    questions: int, repeats: int, yesterday: DayFrames | None
) -> None:
    rows = stability_daily(a_day(NEXT, questions=questions, repeats=repeats), yesterday)

    assert list(rows.columns) == measured(OUT_STABILITY_DAILY).names
    table = pa.Table.from_pandas(rows, schema=measured(OUT_STABILITY_DAILY), preserve_index=False)
    assert table.num_rows == (1 if questions else 0)
