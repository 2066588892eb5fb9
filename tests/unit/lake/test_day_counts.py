"""What a published day counts: answers, results without one, and failures."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brand_visibility.adapters.publication import DayCount
from brand_visibility.domain.outcomes import RESULTS, Reason


def a_count(answers: int, failures: dict[str, int], *, planned: int | None = None) -> DayCount:
    found = answers + sum(failures.values())
    return DayCount(
        planned=found if planned is None else planned,
        answers=answers,
        failures=sum(failures.values()),
        failures_by_reason=failures,
        attempts=found,
        maybe_paid=0,
        folder=Path("lake"),
    )


@pytest.mark.parametrize("reason", Reason)
def test_only_what_the_platform_refused_or_blocked_is_a_result_without_an_answer(
    reason: Reason,
) -> None:
    count = a_count(3, {reason.value: 1})

    is_result = reason in {Reason.REFUSED, Reason.BLOCKED}
    assert (count.refused_or_blocked, count.failed) == ((1, 0) if is_result else (0, 1))
    assert count.success_rate == (1.0 if is_result else 0.75)
    assert count.coverage_rate == 0.75


def test_an_empty_plan_succeeded() -> None:
    assert a_count(0, {}).success_rate == 1.0


@given(
    st.integers(0, 50),
    st.dictionaries(st.sampled_from([reason.value for reason in Reason]), st.integers(1, 9)),
)
def test_answers_results_and_failures_add_up_to_the_plan(
    answers: int, failures: dict[str, int]
) -> None:
    count = a_count(answers, failures)

    assert answers + count.refused_or_blocked + count.failed == count.planned
    assert count.refused_or_blocked == sum(failures.get(reason, 0) for reason in RESULTS)
    assert count.coverage_rate <= count.success_rate <= 1
