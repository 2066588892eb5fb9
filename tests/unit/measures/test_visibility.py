import math
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_days import (
    BRANDS,
    DAY,
    Day,
    answer,
    days,
    each_drawn_day,
    measured_schema,
    mention,
    task,
)

from brand_visibility.adapters.lake.schemas import OUT_VISIBILITY_DAILY
from brand_visibility.measures.intervals import wilson_bounds, wilson_interval
from brand_visibility.measures.visibility import visibility_daily

GENERAL = ["mention_rate", "general_low", "general_high"]
BOUNDS = ["basket_low", "basket_high", "general_low", "general_high"]
RATES = ["mention_rate", *BOUNDS, "smallest_detectable_change"]


def only_row(day: Day) -> Any:
    rows = visibility_daily(*day.frames())
    assert len(rows) == 1
    return rows.iloc[0]


def rates(day: Day) -> pd.DataFrame:
    rows = visibility_daily(*day.frames())
    return rows.set_index(["brand_id", "platform_id", "question_kind"])[RATES]


def as_bytes(rows: pd.DataFrame) -> bytes:
    table = pa.Table.from_pandas(
        rows, schema=measured_schema(OUT_VISIBILITY_DAILY), preserve_index=False
    )
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return sink.getvalue().to_pybytes()


def test_the_rate_is_the_mean_over_questions_of_the_mean_over_their_repeats() -> None:
    day = Day(tasks=[task(prompt="p1", repeats=3), task(prompt="p2", repeats=3)])
    day.answers = [answer("p1", 0), answer("p1", 1), answer("p1", 2), answer("p2", 0)]
    day.mentions = [mention(day.answers[0]), mention(day.answers[3])]

    row = only_row(day)

    # Pooled over repeats it would be 2 of 4.
    assert row.mention_rate == pytest.approx((1 / 3 + 1) / 2)
    assert (row.planned_count, row.answer_count) == (6, 4)
    assert row.coverage_rate == pytest.approx(4 / 6)
    assert (row.question_count, row.mentioned_question_count) == (2, 2)


def many_questions(rates: list[float], repeats: int) -> Day:
    """Build a question for each rate, that share of its repeats mentioning acme."""
    prompts = [f"p{number:03}" for number in range(len(rates))]
    day = Day(tasks=[task(prompt=prompt, repeats=repeats) for prompt in prompts])
    for prompt, rate in zip(prompts, rates, strict=True):
        for repeat in range(repeats):
            day.answers.append(answer(prompt, repeat))
            if repeat < round(rate * repeats):
                day.mentions.append(mention(day.answers[-1]))
    return day


def test_with_one_repeat_both_intervals_are_wilsons_over_the_questions() -> None:
    row = only_row(many_questions([1.0] * 3 + [0.0] * 7, repeats=1))

    expected = wilson_interval(3, 10)
    assert expected is not None
    assert row[BOUNDS].tolist() == pytest.approx([expected.low, expected.high] * 2)
    assert row.basket_method == "wilson"


def test_questions_that_always_agree_with_themselves_are_each_one_observation_in_general() -> None:
    row = only_row(many_questions([1.0] * 2 + [0.0] * 8, repeats=5))

    expected = wilson_interval(2, 10)
    assert expected is not None
    assert row[["general_low", "general_high"]].tolist() == pytest.approx(
        [expected.low, expected.high]
    )
    # These questions are known far better than all questions of their sort.
    assert row.basket_method == "stratified"
    assert row.basket_high - row.basket_low < 0.4 * (row.general_high - row.general_low)


def test_the_basket_interval_has_the_variance_of_its_strata() -> None:
    row = only_row(many_questions([0.5] * 20, repeats=2))

    # Each question's answers have the unbiased variance 1/2; the added question has 1/4.
    variance = (20 * 0.5 / 2 + 0.25 / 2) / (20 * 21)
    size = 0.25 / variance
    low, high = wilson_bounds(np.array([0.5]), np.array([size]))
    assert (row.basket_low, row.basket_high) == pytest.approx((low[0], high[0]))
    assert 20 < size < 40


@pytest.mark.parametrize(("rate", "bound"), [(0.0, "basket_high"), (1.0, "basket_low")])
def test_a_rate_without_any_spread_keeps_an_interval(rate: float, bound: str) -> None:
    row = only_row(many_questions([rate] * 20, repeats=5))

    of_answers, of_questions = wilson_interval(100 * rate, 100), wilson_interval(20 * rate, 20)
    assert of_answers is not None
    assert of_questions is not None
    side = "high" if rate == 0 else "low"
    assert row[bound] == pytest.approx(getattr(of_answers, side))
    assert row[f"general_{side}"] == pytest.approx(getattr(of_questions, side))


def test_the_smallest_detectable_change_shrinks_with_the_repeats_of_the_basket() -> None:
    once = only_row(many_questions([1.0] * 15 + [0.0] * 35, repeats=1))
    often = only_row(many_questions([0.4] * 25 + [0.2] * 25, repeats=5))

    assert once.smallest_detectable_change == pytest.approx(0.26, abs=0.005)
    assert often.smallest_detectable_change < 0.6 * once.smallest_detectable_change


def test_no_valid_answer_means_an_unknown_rate_and_no_coverage() -> None:
    row = only_row(Day(tasks=[task(repeats=2)]))

    assert row[RATES].isna().all()
    assert (row.planned_count, row.answer_count, row.question_count) == (2, 0, 0)
    assert row.coverage_rate == 0
    assert row.is_small_sample


def test_a_question_without_a_valid_answer_does_not_count_as_not_mentioned() -> None:
    day = Day(tasks=[task(prompt="p1"), task(prompt="p2")], answers=[answer("p1")])
    day.mentions = [mention(day.answers[0])]

    row = only_row(day)

    assert row.mention_rate == 1
    assert row.question_count == 1
    assert row.coverage_rate == 0.5


def test_a_brand_nobody_mentions_has_rate_zero_with_its_interval() -> None:
    day = Day(tasks=[task(), task("bolt")], answers=[answer()])
    day.mentions = [mention(day.answers[0], "bolt")]

    rows = visibility_daily(*day.frames()).set_index("brand_id")

    assert rows.loc["acme", "mention_rate"] == 0
    assert rows.loc["acme", ["basket_low", "general_low"]].tolist() == [0, 0]
    assert 0 < rows.loc["acme", "general_high"] < 1
    assert rows.loc["bolt", "mention_rate"] == 1


def test_a_suppressed_mention_does_not_count() -> None:
    day = Day(tasks=[task()], answers=[answer()])
    day.mentions = [mention(day.answers[0], is_suppressed=True)]

    assert only_row(day).mention_rate == 0


def test_several_mentions_in_one_answer_count_once() -> None:
    day = Day(tasks=[task(repeats=2)], answers=[answer(repeat=0), answer(repeat=1)])
    day.mentions = [mention(day.answers[0])] * 3

    assert only_row(day).mention_rate == 0.5


@pytest.mark.parametrize(("question_count", "is_small"), [(29, True), (30, False)])
def test_a_sample_is_small_below_thirty_questions(question_count: int, is_small: bool) -> None:
    prompts = [f"p{number}" for number in range(question_count)]
    day = Day(tasks=[task(prompt=prompt) for prompt in prompts])
    day.answers = [answer(prompt) for prompt in prompts]

    assert only_row(day).is_small_sample == is_small


@pytest.mark.parametrize(
    "key", ["tenant_id", "brand_id", "topic_id", "platform_id", "channel", "question_kind"]
)
def test_rows_that_differ_in_one_key_are_never_pooled(key: str) -> None:
    day = Day(tasks=[task(), task(**{key: "other"})], answers=[answer()])

    assert len(visibility_daily(*day.frames())) == 2


@pytest.mark.parametrize("key", ["platform_id", "channel"])
def test_an_answer_serves_only_its_own_platform_and_channel(key: str) -> None:
    day = Day(tasks=[task()], answers=[answer(**{key: "other"})])

    assert only_row(day).answer_count == 0


def test_one_answer_serves_every_brand_that_asked_its_prompt() -> None:
    day = Day(tasks=[task(), task("bolt")], answers=[answer()])

    assert visibility_daily(*day.frames())["answer_count"].tolist() == [1, 1]


def test_repeats_bought_for_another_brand_do_not_lift_the_coverage_above_one() -> None:
    day = Day(tasks=[task(repeats=1), task("bolt", repeats=3)])
    day.answers = [answer(repeat=repeat) for repeat in range(3)]

    rows = visibility_daily(*day.frames())

    assert rows["answer_count"].tolist() == [1, 3]
    assert rows["coverage_rate"].tolist() == [1, 1]


def test_two_questions_with_one_text_are_one_question() -> None:
    day = Day(tasks=[task(), task()], answers=[answer()])

    row = only_row(day)

    assert (row.planned_count, row.answer_count, row.question_count) == (1, 1, 1)


def test_an_empty_day_has_no_rows_and_every_column() -> None:
    rows = visibility_daily(*Day().frames())

    assert len(rows) == 0
    assert as_bytes(rows)


@given(days())
@each_drawn_day
def test_the_result_has_the_columns_and_types_of_its_dataset(day: Day) -> None:
    rows = visibility_daily(*day.frames())
    schema = measured_schema(OUT_VISIBILITY_DAILY)

    assert list(rows.columns) == schema.names
    assert pa.Table.from_pandas(rows, preserve_index=False).schema.types == [
        pa.large_string() if pa.types.is_string(kind) else kind for kind in schema.types
    ]
    assert set(rows["plan_date"]) == {DAY}


@given(days(), st.randoms(use_true_random=False))
@each_drawn_day
def test_the_order_of_input_rows_changes_not_a_byte(day: Day, random: Any) -> None:
    before = as_bytes(visibility_daily(*day.frames()))
    for rows in (day.tasks, day.answers, day.mentions):
        random.shuffle(rows)

    assert as_bytes(visibility_daily(*day.frames())) == before


@given(days(), st.sampled_from(["p0", "never asked"]))
@each_drawn_day
def test_planning_what_is_never_answered_changes_no_rate(day: Day, prompt: str) -> None:
    before = rates(day)
    day.tasks += [
        row | {"prompt_id": f"{prompt} again", "question_kind": kind}
        for row in list(day.tasks)
        for kind in ("non_brand", "brand")
    ]

    pd.testing.assert_frame_equal(rates(day).loc[before.index], before, check_exact=True)


@given(days(), st.sampled_from(BRANDS))
@each_drawn_day
def test_mentions_of_other_brands_leave_a_brands_rate_alone(day: Day, brand: str) -> None:
    before = rates(day)
    others = [other for other in BRANDS if other != brand]
    day.mentions += [mention(row, other) for row in day.answers for other in others]
    kept = before[before.index.get_level_values("brand_id") == brand]

    pd.testing.assert_frame_equal(rates(day).loc[kept.index], kept, check_exact=True)


@given(days(), st.integers(2, 3))
@each_drawn_day
def test_repeating_every_answer_identically_changes_no_general_figure(day: Day, times: int) -> None:
    before = rates(day)[GENERAL]
    tasks = [row | {"repeats": 3 * times} for row in day.tasks]
    repeated = Day(tasks=tasks)
    for copy in range(times):
        for row in day.answers:
            twin = answer(
                row["prompt_id"], row["repeat"] + 3 * copy, platform_id=row["platform_id"]
            )
            repeated.answers.append(twin)
            repeated.mentions += [
                found | {"query_id": twin["query_id"]}
                for found in day.mentions
                if found["query_id"] == row["query_id"]
            ]

    pd.testing.assert_frame_equal(rates(repeated)[GENERAL], before, check_exact=True)


@given(days())
@each_drawn_day
def test_a_rate_is_known_exactly_where_something_was_answered(day: Day) -> None:
    for row in visibility_daily(*day.frames()).itertuples():
        assert math.isnan(row.mention_rate) == (row.answer_count == 0)
        assert 0 <= row.coverage_rate <= 1
        assert row.mentioned_question_count <= row.question_count <= row.answer_count


@given(days())
@each_drawn_day
def test_every_known_rate_lies_within_both_its_intervals(day: Day) -> None:
    rows = visibility_daily(*day.frames())

    for row in rows[rows["answer_count"] > 0].itertuples():
        assert 0 <= row.basket_low <= row.mention_rate <= row.basket_high <= 1
        assert 0 <= row.general_low <= row.mention_rate <= row.general_high <= 1
        assert 0 < row.smallest_detectable_change <= 1


@given(days(), st.sampled_from(["empty", "timed_out", "refused", "blocked"]))
@each_drawn_day
def test_a_failed_or_refused_answer_changes_nothing_but_the_coverage(day: Day, reason: str) -> None:
    before = visibility_daily(*day.frames())
    # What failed has a mention that was read from a part of it: it still counts nowhere.
    failed = [answer("p0", 9, platform_id="deepseek")]
    day.tasks = [row | {"repeats": row["repeats"] + 7} for row in day.tasks]
    day.failures += [row | {"reason": reason} for row in failed]
    day.mentions += [mention(row) for row in failed]

    after = visibility_daily(*day.frames())

    kept = [name for name in before if name not in ("planned_count", "coverage_rate")]
    pd.testing.assert_frame_equal(after[kept], before[kept], check_exact=True)
