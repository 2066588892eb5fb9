from typing import Any

import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_days import Day, answer, days, each_drawn_day, measured_schema, mention, task

from brand_visibility.adapters.lake.schemas import OUT_SHARE_OF_VOICE_DAILY
from brand_visibility.measures.share_of_voice import share_of_voice_daily

SHARES = ["share_by_answers", "share_by_counts"]


def by_brand(day: Day) -> pd.DataFrame:
    return share_of_voice_daily(*day.frames()).set_index("brand_id")


def two_brands_three_answers() -> Day:
    """Build answers that name acme and bolt, acme, and nobody."""
    prompts = ["p1", "p2", "p3"]
    day = Day(tasks=[task(brand, prompt) for brand in ("acme", "bolt") for prompt in prompts])
    day.answers = [answer(prompt) for prompt in prompts]
    first, second, _ = day.answers
    day.mentions = [mention(first), mention(first, "bolt"), mention(second)]
    return day


def test_an_answer_divides_its_voice_among_the_brands_it_names() -> None:
    rows = by_brand(two_brands_three_answers())

    assert rows["answer_count"].tolist() == [2, 2]
    assert rows["share_by_answers"].tolist() == [0.75, 0.25]


def test_by_counts_a_share_is_of_all_brands_mentioning_answers() -> None:
    rows = by_brand(two_brands_three_answers())

    assert rows["mentioning_answer_count"].tolist() == [2, 1]
    assert rows["share_by_counts"].tolist() == pytest.approx([2 / 3, 1 / 3])


def test_no_named_brand_leaves_the_shares_unknown() -> None:
    day = two_brands_three_answers()
    day.mentions = []

    rows = by_brand(day)

    assert rows[SHARES].isna().all(axis=None)
    assert rows[["answer_count", "mentioning_answer_count"]].eq(0).all(axis=None)


def test_no_answer_leaves_the_shares_unknown() -> None:
    assert by_brand(Day(tasks=[task()]))[SHARES].isna().all(axis=None)


def test_a_tracked_brand_that_nobody_names_has_share_zero() -> None:
    day = two_brands_three_answers()
    day.mentions = [row for row in day.mentions if row["brand_id"] == "acme"]

    assert by_brand(day).loc["bolt", SHARES].tolist() == [0, 0]


def test_a_brand_the_tenant_does_not_track_has_no_voice() -> None:
    day = two_brands_three_answers()
    day.mentions += [mention(row, "stranger") for row in day.answers]

    pd.testing.assert_frame_equal(by_brand(day), by_brand(two_brands_three_answers()))


def test_a_tenants_shares_do_not_depend_on_another_tenants_brands() -> None:
    day = two_brands_three_answers()
    day.tasks += [task("chic", prompt, tenant_id="mall") for prompt in ("p1", "p2", "p3")]
    day.mentions += [mention(row, "chic") for row in day.answers]

    rows = share_of_voice_daily(*day.frames()).set_index(["tenant_id", "brand_id"])

    assert rows["share_by_answers"].to_dict() == {
        ("mall", "chic"): 1.0,
        ("shop", "acme"): 0.75,
        ("shop", "bolt"): 0.25,
    }


@pytest.mark.parametrize("kind", ["brand", "comparison"])
def test_questions_that_name_a_brand_are_left_out(kind: str) -> None:
    day = two_brands_three_answers()
    day.tasks.append(task("bolt", "named", question_kind=kind))
    day.answers.append(answer("named"))
    day.mentions.append(mention(day.answers[-1], "bolt"))

    pd.testing.assert_frame_equal(by_brand(day), by_brand(two_brands_three_answers()))


def test_a_suppressed_mention_has_no_voice() -> None:
    day = two_brands_three_answers()
    day.mentions.append(mention(day.answers[2], "bolt", is_suppressed=True))

    pd.testing.assert_frame_equal(by_brand(day), by_brand(two_brands_three_answers()))


def test_an_empty_day_has_no_rows_and_every_column() -> None:
    rows = share_of_voice_daily(*Day().frames())

    assert len(rows) == 0
    wanted = measured_schema(OUT_SHARE_OF_VOICE_DAILY).names
    assert list(rows.columns) == wanted


@given(days())
@each_drawn_day
def test_known_shares_add_up_to_one(day: Day) -> None:
    rows = share_of_voice_daily(*day.frames())

    for _, scope in rows.groupby(["tenant_id", "topic_id", "platform_id", "channel"]):
        for share in SHARES:
            if scope["answer_count"].iloc[0]:
                assert scope[share].sum() == pytest.approx(1)
            else:
                assert scope[share].isna().all()


@given(days())
@each_drawn_day
def test_the_result_has_the_columns_and_types_of_its_dataset(day: Day) -> None:
    rows = share_of_voice_daily(*day.frames())
    schema = measured_schema(OUT_SHARE_OF_VOICE_DAILY)

    assert list(rows.columns) == schema.names
    assert pa.Table.from_pandas(rows, preserve_index=False).schema.types == [
        pa.large_string() if pa.types.is_string(kind) else kind for kind in schema.types
    ]


@given(days(), st.randoms(use_true_random=False))
@each_drawn_day
def test_the_order_of_input_rows_changes_nothing(day: Day, random: Any) -> None:
    before = share_of_voice_daily(*day.frames())
    for rows in (day.tasks, day.answers, day.mentions):
        random.shuffle(rows)

    pd.testing.assert_frame_equal(
        share_of_voice_daily(*day.frames()), before, check_exact=True, check_dtype=True
    )
