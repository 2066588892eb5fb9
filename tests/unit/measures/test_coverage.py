import pytest
from hypothesis import given
from small_days import Day, answer, days, each_drawn_day, failure, task

from brand_visibility.domain.night import DayState
from brand_visibility.measures.coverage import (
    PlatformCoverage,
    ReasonCount,
    day_state,
    platform_coverage,
)


def only(day: Day) -> PlatformCoverage:
    (found,) = platform_coverage(*day.collection_frames())
    return found


def test_a_query_that_serves_several_brands_is_planned_once() -> None:
    day = Day(tasks=[task(repeats=2), task("bolt", repeats=3)])

    assert only(day).planned_count == 3


def test_what_has_no_outcome_is_open() -> None:
    day = Day(tasks=[task(prompt=f"p{number}") for number in range(4)])
    day.answers = [answer("p0")]
    day.failures = [failure("p1")]

    found = only(day)

    assert (found.answered_count, found.failed_count, found.open_count) == (1, 1, 2)
    assert found.coverage_rate == 0.25


def test_reasons_come_by_falling_count_then_name() -> None:
    day = Day(tasks=[task(prompt=f"p{number}") for number in range(4)])
    reasons = ["timed_out", "empty", "refused", "timed_out"]
    day.failures = [failure(f"p{number}", reason=reason) for number, reason in enumerate(reasons)]

    assert only(day).failures == (
        ReasonCount("timed_out", 2),
        ReasonCount("empty", 1),
        ReasonCount("refused", 1),
    )


def test_a_query_answered_after_it_failed_counts_as_answered() -> None:
    day = Day(tasks=[task()], answers=[answer()], failures=[failure()])

    found = only(day)

    assert (found.answered_count, found.failed_count, found.open_count) == (1, 0, 0)


def test_rows_the_plan_does_not_know_are_left_out() -> None:
    day = Day(tasks=[task()], answers=[answer("unplanned")], failures=[failure(repeat=1)])

    assert only(day) == PlatformCoverage("deepseek", "api", planned_count=1, answered_count=0)


def test_platforms_and_channels_are_counted_apart() -> None:
    day = Day(tasks=[task(), task(channel="import"), task(platform_id="doubao")])
    day.answers = [answer(), answer(platform_id="doubao")]

    found = platform_coverage(*day.collection_frames())

    assert [(item.platform_id, item.channel, item.answered_count) for item in found] == [
        ("deepseek", "api", 1),
        ("deepseek", "import", 0),
        ("doubao", "api", 1),
    ]


def test_a_day_without_a_plan_has_no_figures() -> None:
    assert platform_coverage(*Day().collection_frames()) == ()


def test_nothing_planned_has_no_coverage() -> None:
    assert PlatformCoverage("x", "api", planned_count=0, answered_count=0).coverage_rate is None


@given(days())
@each_drawn_day
def test_every_planned_query_is_answered_failed_or_open(day: Day) -> None:
    found = platform_coverage(*day.collection_frames())

    assert sum(item.answered_count for item in found) == len(day.answers)
    assert sum(item.failed_count for item in found) == len(day.failures)
    assert [item.open_count for item in found] == pytest.approx([0] * len(found))


ANSWERED = PlatformCoverage("deepseek", "api", planned_count=1, answered_count=1)
REFUSED = PlatformCoverage("gpt", "api", 1, 0, (ReasonCount("refused", 1),))
TIMED_OUT = PlatformCoverage("gpt", "api", 1, 0, (ReasonCount("timed_out", 1),))
CUT_OFF = PlatformCoverage("gpt", "api", 1, 0, (ReasonCount("cut_off", 1),))
OPEN = PlatformCoverage("gpt", "api", planned_count=1, answered_count=0)


@pytest.mark.parametrize(
    ("coverage", "is_over", "state"),
    [
        ([ANSWERED, REFUSED], False, DayState.FINAL),
        ([ANSWERED, TIMED_OUT], False, DayState.FINAL),
        ([ANSWERED, CUT_OFF], False, DayState.PROVISIONAL),
        ([ANSWERED, OPEN], False, DayState.PROVISIONAL),
        ([], False, DayState.PROVISIONAL),
        ([ANSWERED, CUT_OFF], True, DayState.FINAL),
        ([ANSWERED, OPEN], True, DayState.FINAL),
        ([], True, DayState.FINAL),
    ],
)
def test_a_day_is_final_once_all_is_settled_or_it_is_over(
    coverage: list[PlatformCoverage], state: DayState, *, is_over: bool
) -> None:
    assert day_state(coverage, is_over=is_over) is state
