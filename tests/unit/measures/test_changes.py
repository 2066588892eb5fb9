from typing import Any

import pandas as pd
import pyarrow as pa
import pytest
from two_days import AFTER, DAY, NEXT, a_day, measured

from brand_visibility.adapters.lake.schemas import OUT_CHANGES_DAILY
from brand_visibility.domain.errors import IncompleteError
from brand_visibility.measures.breaks import BreakRules
from brand_visibility.measures.changes import ChangeRules, changes_daily
from brand_visibility.measures.day_frames import DayFrames

LOW = {"acme": 0.2, "bolt": 0.5}
HIGH = {"acme": 0.8, "bolt": 0.5}


def row_of(found: pd.DataFrame, brand: str = "acme", measure: str = "mention_rate") -> Any:
    rows = found[(found["brand_id"] == brand) & (found["measure"] == measure)]
    assert len(rows) == 1
    return rows.iloc[0]


def reasons(found: pd.DataFrame) -> set[str]:
    return set(found["incomparable_reason"].dropna())


def test_a_change_is_the_difference_of_the_values_on_the_common_questions() -> None:
    found = row_of(changes_daily(a_day(NEXT, HIGH), a_day(DAY, LOW, first=10)))

    # Questions 10 to 39 are common: 22 of them mention it now, 8 did before.
    assert found["common_question_count"] == 30
    assert found["value"] == pytest.approx(22 / 30)
    assert found["previous_value"] == pytest.approx(8 / 30)
    assert found["change"] == pytest.approx(14 / 30)
    assert found["change_low"] < found["change"] < found["change_high"]


def test_a_large_change_is_significant_and_a_brand_that_stays_is_not() -> None:
    found = changes_daily(a_day(NEXT, HIGH), a_day(DAY, LOW))

    assert row_of(found)["is_significant"]
    assert row_of(found)["p_value"] == pytest.approx(2 / 2**24)
    assert row_of(found)["q_value"] == pytest.approx(2 * 2 / 2**24, rel=1)
    assert not row_of(found, "bolt")["is_significant"]
    assert row_of(found, "bolt")["p_value"] == 1


def test_a_share_of_voice_changes_with_the_others_mentions() -> None:
    found = changes_daily(a_day(NEXT, HIGH), a_day(DAY, LOW))

    acme, bolt = (row_of(found, brand, "share_of_voice") for brand in ("acme", "bolt"))
    # Before: 8 answers name both, 12 bolt alone; now 20 both, 12 acme alone.
    assert (acme["previous_value"], acme["value"]) == pytest.approx((4 / 20, 22 / 32))
    assert bolt["change"] == pytest.approx(-acme["change"])
    assert acme["is_significant"]
    assert bolt["is_significant"]


def test_the_rate_of_first_ranks_is_compared_where_ranks_were_read() -> None:
    today = a_day(NEXT, ranks={"acme": 0.75})
    yesterday = a_day(DAY, ranks={"acme": 0.25})

    found = row_of(changes_daily(today, yesterday), measure="first_rank_rate")

    assert (found["previous_value"], found["value"]) == (0.25, 0.75)
    assert found["is_significant"]
    without = changes_daily(a_day(NEXT), a_day(DAY))
    assert set(without["measure"]) == {"mention_rate", "share_of_voice"}


def test_ranks_of_one_day_alone_leave_nothing_to_compare() -> None:
    found = changes_daily(a_day(NEXT, ranks={"acme": 0.5}), a_day(DAY))

    assert row_of(found, measure="first_rank_rate")["incomparable_reason"] == "few_common_questions"


def test_ranks_that_were_not_read_are_not_taken_for_none_found() -> None:
    unread = a_day(DAY, ranks={"acme": 0.5})
    assert unread.ranks is not None
    yesterday = DayFrames(DAY, unread.plan, unread.answers, unread.mentions, unread.ranks.iloc[:0])

    found = changes_daily(a_day(NEXT, ranks={"acme": 0.5}), yesterday)

    assert row_of(found, measure="first_rank_rate")["incomparable_reason"] == "few_common_questions"


def test_a_first_day_has_every_row_and_says_why_none_is_compared() -> None:
    found = changes_daily(a_day(), None)

    assert len(found) == 4
    assert reasons(found) == {"no_previous_day"}
    assert not found["is_comparable"].any()
    assert found[["change", "p_value", "q_value"]].isna().all(axis=None)


@pytest.mark.parametrize(("questions", "is_comparable"), [(19, False), (20, True)])
def test_twenty_common_questions_are_needed(questions: int, is_comparable: bool) -> None:
    found = changes_daily(a_day(NEXT, questions=questions), a_day(DAY))

    assert found["is_comparable"].eq(is_comparable).all()
    assert reasons(found) == (set() if is_comparable else {"few_common_questions"})


@pytest.mark.parametrize(
    ("today", "reason"),
    [
        (a_day(NEXT, HIGH, model="model-2"), "model_changed"),
        (a_day(NEXT, HIGH, searched=0.5), "search_changed"),
        (a_day(NEXT, HIGH, answered=0.5), "low_coverage"),
        # The collection's incident comes first: it says why the rest looks odd.
        (a_day(NEXT, HIGH, answered=0.5, model="model-2"), "low_coverage"),
    ],
)
def test_a_broken_line_is_no_change(today: DayFrames, reason: str) -> None:
    found = changes_daily(today, a_day(DAY, LOW))

    assert reasons(found) == {reason}
    assert found["p_value"].isna().all()
    assert not found["is_significant"].any()


def test_an_incident_of_the_day_before_is_no_change_either() -> None:
    found = changes_daily(a_day(NEXT, HIGH), a_day(DAY, LOW, answered=0.5))

    assert reasons(found) == {"low_coverage"}


@pytest.mark.parametrize(
    ("today", "yesterday"),
    [
        (a_day(NEXT, answered=0.8), a_day(DAY)),
        (a_day(NEXT, searched=0.2), a_day(DAY)),
        (a_day(NEXT, model=None), a_day(DAY)),
        (a_day(NEXT, model="model-2"), a_day(DAY, model=None)),
        (a_day(NEXT, channel="import"), a_day(DAY, channel="import", answered=0.5)),
    ],
)
def test_what_is_within_the_limits_or_unknown_breaks_no_line(
    today: DayFrames, yesterday: DayFrames
) -> None:
    assert changes_daily(today, yesterday)["is_comparable"].all()


def test_another_set_of_brands_breaks_the_share_and_not_the_rate() -> None:
    found = changes_daily(a_day(NEXT), a_day(DAY, {"acme": 0.25, "chic": 0.5}))

    assert row_of(found, measure="share_of_voice")["incomparable_reason"] == "brands_changed"
    assert row_of(found)["is_comparable"]
    assert row_of(found, "bolt")["incomparable_reason"] == "few_common_questions"


def test_a_share_that_nobody_named_a_brand_for_is_not_compared() -> None:
    found = changes_daily(a_day(NEXT, {"acme": 0.0}), a_day(DAY, {"acme": 0.5}))

    assert row_of(found, measure="share_of_voice")["incomparable_reason"] == "no_value"
    assert row_of(found)["is_significant"]


@pytest.mark.parametrize(("min_effect", "is_significant"), [(0.6, True), (0.61, False)])
def test_a_change_below_the_least_effect_is_not_told(
    min_effect: float, is_significant: bool
) -> None:
    rules = ChangeRules(min_effect=min_effect)

    found = row_of(changes_daily(a_day(NEXT, HIGH), a_day(DAY, LOW), rules=rules))

    assert found["is_significant"] == is_significant


@pytest.mark.parametrize(
    ("next_rate", "after_rate", "is_alert"),
    [
        (0.8, 0.8, True),
        (0.8, 1.0, True),
        (0.8, 0.25, True),
        (0.8, 0.2, False),
        (0.8, 0.1, False),
        (0.2, 0.8, False),
    ],
)
def test_an_alert_waits_until_a_change_is_still_there_the_day_after(
    next_rate: float, after_rate: float, is_alert: bool
) -> None:
    before, then = a_day(DAY, LOW), a_day(NEXT, {"acme": next_rate, "bolt": 0.5})
    first = changes_daily(then, before)
    after = a_day(AFTER, {"acme": after_rate, "bolt": 0.5})

    found = changes_daily(after, then, first)

    assert not first["is_alert"].any()
    assert row_of(found)["is_alert"] == is_alert
    assert not row_of(found, "bolt")["is_alert"]


def test_a_day_that_cannot_be_compared_alerts_nobody() -> None:
    first = changes_daily(a_day(NEXT, HIGH), a_day(DAY, LOW))

    found = changes_daily(a_day(AFTER, HIGH, model="model-2"), a_day(NEXT, HIGH), first)

    assert not found["is_alert"].any()


def test_the_rules_of_the_line_can_be_set() -> None:
    rules = ChangeRules(min_questions=10, breaks=BreakRules(min_coverage=0.5))

    found = changes_daily(a_day(NEXT, answered=0.5), a_day(DAY), rules=rules)

    assert found["is_comparable"].all()


def test_days_that_do_not_follow_one_another_are_refused() -> None:
    with pytest.raises(ValueError, match=r"^yesterday: found 2026-05-12; expected the day before"):
        changes_daily(a_day(AFTER), a_day(DAY))


def test_frames_of_another_day_are_refused() -> None:
    day = a_day(DAY)

    with pytest.raises(IncompleteError, match=r"plan_date: found 2026-05-12; expected 2026-05-13"):
        DayFrames(NEXT, day.plan, day.answers, day.mentions)


@pytest.mark.parametrize("yesterday", [None, a_day(DAY), a_day(DAY, questions=0)])
@pytest.mark.parametrize("questions", [0, 3, 40])
def test_the_result_has_the_columns_and_types_of_its_dataset(
    questions: int, yesterday: DayFrames | None
) -> None:
    rows = changes_daily(a_day(NEXT, questions=questions), yesterday)

    assert list(rows.columns) == measured(OUT_CHANGES_DAILY).names
    table = pa.Table.from_pandas(rows, schema=measured(OUT_CHANGES_DAILY), preserve_index=False)
    assert table.num_rows == (4 if questions else 0)


def test_the_order_of_input_rows_changes_nothing() -> None:
    days = [a_day(NEXT, HIGH, repeats=2), a_day(DAY, LOW, repeats=2)]
    shuffled = [
        DayFrames(
            day.plan_date,
            *(
                frame.sample(frac=1, random_state=7).reset_index(drop=True)
                for frame in (day.plan, day.answers, day.mentions)
            ),
        )
        for day in days
    ]

    pd.testing.assert_frame_equal(changes_daily(*shuffled), changes_daily(*days), check_exact=True)
