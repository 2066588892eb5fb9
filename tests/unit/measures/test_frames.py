from collections.abc import Callable
from datetime import UTC, date, datetime

import pandas as pd
import pytest
from small_days import DAY, Day, answer, mention, task

from brand_visibility.domain.errors import IncompleteError
from brand_visibility.measures.frames import require_one_day
from brand_visibility.measures.share_of_voice import share_of_voice_daily
from brand_visibility.measures.visibility import visibility_daily

Measure = Callable[[pd.DataFrame, pd.DataFrame, pd.DataFrame], pd.DataFrame]

every_measure = pytest.mark.parametrize("measure", [visibility_daily, share_of_voice_daily])


def frames_by_name() -> dict[str, pd.DataFrame]:
    day = Day(tasks=[task()], answers=[answer()])
    day.mentions = [mention(day.answers[0])]
    return dict(zip(("query_plan", "raw_answers", "core_mentions"), day.frames(), strict=True))


@every_measure
@pytest.mark.parametrize(
    ("dataset", "column"),
    [
        ("query_plan", "plan_date"),
        ("query_plan", "tenant_id"),
        ("query_plan", "repeats"),
        ("raw_answers", "plan_date"),
        ("raw_answers", "query_id"),
        ("raw_answers", "repeat"),
        ("core_mentions", "plan_date"),
        ("core_mentions", "is_suppressed"),
    ],
)
def test_a_missing_column_is_named(measure: Measure, dataset: str, column: str) -> None:
    frames = frames_by_name()
    frames[dataset] = frames[dataset].drop(columns=column)

    with pytest.raises(IncompleteError, match=f"^{dataset}: found no column {column};"):
        measure(*frames.values())


@every_measure
@pytest.mark.parametrize(
    ("dataset", "column"),
    [("query_plan", "topic_id"), ("raw_answers", "prompt_id"), ("core_mentions", "is_suppressed")],
)
def test_a_null_in_a_needed_column_is_refused(measure: Measure, dataset: str, column: str) -> None:
    frames = frames_by_name()
    frames[dataset] = frames[dataset].assign(**{column: None})

    with pytest.raises(IncompleteError, match=f"^{dataset}: {column}: found 1 nulls"):
        measure(*frames.values())


@every_measure
@pytest.mark.parametrize("dataset", ["query_plan", "raw_answers", "core_mentions"])
def test_mixed_days_are_refused(measure: Measure, dataset: str) -> None:
    frames = frames_by_name()
    frames[dataset] = frames[dataset].assign(plan_date=date(2026, 5, 13))

    with pytest.raises(IncompleteError, match=r"found 2026-05-12, 2026-05-13; expected a single"):
        measure(*frames.values())


@every_measure
def test_a_query_with_two_answers_is_refused(measure: Measure) -> None:
    frames = frames_by_name()
    frames["raw_answers"] = pd.concat([frames["raw_answers"]] * 2)

    with pytest.raises(IncompleteError, match=r"^raw_answers: query_id: found deepseek/api/p1/0"):
        measure(*frames.values())


@every_measure
def test_the_frames_handed_over_are_left_as_they_were(measure: Measure) -> None:
    frames = frames_by_name()
    measure(*frames.values())

    for name, before in frames_by_name().items():
        pd.testing.assert_frame_equal(frames[name], before)


@pytest.mark.parametrize(
    "value",
    [DAY, datetime(2026, 5, 12, tzinfo=UTC), pd.Timestamp(2026, 5, 12)],
    ids=lambda v: type(v).__name__,
)
def test_a_day_may_be_a_date_or_a_timestamp(value: object) -> None:
    assert require_one_day({"query_plan": pd.DataFrame({"plan_date": [value]})}) == DAY


@pytest.mark.parametrize("value", ["2026-05-12", pd.NaT, 20260512])
def test_anything_else_is_no_day(value: object) -> None:
    with pytest.raises(IncompleteError, match=r"^query_plan: plan_date: found .*expected a date"):
        require_one_day({"query_plan": pd.DataFrame({"plan_date": [value]})})
