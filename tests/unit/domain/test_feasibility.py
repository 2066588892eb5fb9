"""Whether a platform can end in time."""

import dataclasses
from decimal import Decimal

import pytest

from brand_visibility.domain.catalog import Account, AccountLimits, Platform
from brand_visibility.domain.feasibility import expected_cost_usd, judge_feasibility
from brand_visibility.domain.planning import Plan
from tests.builders import a_plan, a_platform

HOUR_S = 3_600.0


def with_accounts(platform: Platform, *limits: AccountLimits) -> Platform:
    accounts = tuple(Account(f"a{number}", limit) for number, limit in enumerate(limits))
    return dataclasses.replace(platform, accounts=accounts)


def plan_of(queries: int) -> Plan:
    plan = a_plan(questions=queries)
    return dataclasses.replace(plan, queries=plan.queries[:queries])


@pytest.mark.parametrize(
    ("limits", "bound_by", "needed_s"),
    [
        (AccountLimits(rate_per_second=10, concurrency=1_000), "rate", 10.0),
        (AccountLimits(rate_per_second=10, concurrency=10), "concurrency", 20.0),
        (AccountLimits(10, 1_000, tokens_per_minute=60_000), "tokens", None),
        (AccountLimits(10, 1_000, queries_per_day=99), "daily", 86_400.0),
        (AccountLimits(10, 1_000, queries_per_day=100), "rate", 10.0),
    ],
    ids=["rate", "concurrency", "tokens", "a query over the daily limit", "at the daily limit"],
)
def test_the_slowest_limit_decides(
    limits: AccountLimits, bound_by: str, needed_s: float | None
) -> None:
    platform = with_accounts(a_platform(), limits)

    (verdict,) = judge_feasibility(plan_of(100), platform, available_s=HOUR_S)

    assert verdict.bound_by == bound_by
    if needed_s is not None:
        assert verdict.needed_s == pytest.approx(needed_s)
    else:
        tokens = 100 * platform.completion_tokens
        assert verdict.needed_s > 60 * tokens / 60_000


@pytest.mark.parametrize(("available_s", "is_feasible"), [(20.0, True), (19.9, False)])
def test_a_plan_is_feasible_when_it_just_fits(available_s: float, *, is_feasible: bool) -> None:
    platform = with_accounts(a_platform(), AccountLimits(rate_per_second=10, concurrency=10))

    (verdict,) = judge_feasibility(plan_of(100), platform, available_s=available_s)

    assert verdict.is_feasible is is_feasible


def test_the_usual_limit_of_five_calls_at_once_is_said_before_the_night() -> None:
    platform = with_accounts(a_platform(), AccountLimits(rate_per_second=20, concurrency=5))
    slow = dataclasses.replace(platform, latency_s=10.0)

    (verdict,) = judge_feasibility(plan_of(1_000), slow, available_s=1_000.0)

    assert (verdict.bound_by, verdict.needed_s) == ("concurrency", 2_000.0)
    assert not verdict.is_feasible


def test_accounts_share_a_plan_by_what_they_can_do() -> None:
    platform = with_accounts(
        a_platform(),
        AccountLimits(rate_per_second=30, concurrency=1_000),
        AccountLimits(rate_per_second=10, concurrency=1_000),
    )

    verdicts = judge_feasibility(plan_of(400), platform, available_s=HOUR_S)

    assert [verdict.query_count for verdict in verdicts] == [300, 100]
    assert [verdict.needed_s for verdict in verdicts] == [10.0, 10.0]


def test_an_empty_plan_needs_no_time_and_costs_nothing() -> None:
    plan = dataclasses.replace(a_plan(), queries=())

    (verdict,) = judge_feasibility(plan, a_platform(), available_s=0.0)

    assert verdict.is_feasible
    assert expected_cost_usd(plan, a_platform()) == 0.0


def test_the_cost_counts_prompt_and_answer_tokens() -> None:
    plan = plan_of(10)
    prompt_tokens = sum(len(query.prompt.encode()) for query in plan.queries) / 3

    cost = expected_cost_usd(plan, a_platform())

    assert cost == pytest.approx((prompt_tokens * 1.0 + 10 * 800 * 2.0) / 1_000_000, rel=0.01)


def test_a_platform_without_a_price_has_no_expected_cost() -> None:
    plan = dataclasses.replace(a_plan(), tariff=None)

    assert expected_cost_usd(plan, a_platform()) is None


def test_where_searches_and_calls_have_a_price_every_query_is_expected_to_search_once() -> None:
    plan = a_plan()
    assert plan.tariff is not None
    dearer = dataclasses.replace(
        plan.tariff, search_usd=Decimal("0.01"), request_usd=Decimal("0.002")
    )

    before = expected_cost_usd(plan, a_platform())
    after = expected_cost_usd(dataclasses.replace(plan, tariff=dearer), a_platform())

    assert before is not None
    assert after == pytest.approx(before + 0.012 * len(plan.queries))
