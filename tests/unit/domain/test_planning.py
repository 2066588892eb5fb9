"""From a catalog to tasks and distinct queries."""

import dataclasses
from collections import Counter
from datetime import date, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brand_visibility.domain.budget import tariff_of
from brand_visibility.domain.catalog import (
    Catalog,
    Platform,
    Price,
    Question,
    QuestionKind,
    Tenant,
)
from brand_visibility.domain.errors import PlanError
from brand_visibility.domain.planning import SHARD_KEYS, build_plan, identify, render_prompt
from tests.builders import DAY, a_brand, a_catalog, a_plan


def test_a_prompt_that_several_brands_wait_for_is_asked_once() -> None:
    plan = a_plan(questions=20)

    shared = [task for task in plan.tasks if task.kind is QuestionKind.NON_BRAND]
    assert len(shared) == 2 * 20
    asked = Counter(query.prompt_id for query in plan.queries)
    assert all(asked[task.prompt_id] == 1 for task in shared)


def test_every_task_has_a_query_for_each_of_its_repeats() -> None:
    plan = a_plan()

    repeats = Counter(query.prompt_id for query in plan.queries)
    assert all(repeats[task.prompt_id] == task.repeats for task in plan.tasks)
    assert {query.prompt_id for query in plan.queries} == {task.prompt_id for task in plan.tasks}


def test_a_question_about_a_brand_is_asked_for_each_brand_by_its_name() -> None:
    prompts = {query.prompt for query in a_plan().queries}

    assert {"Is Dyson any good?", "Is Roborock any good?"} <= prompts


def test_a_comparison_needs_a_competitor() -> None:
    question = Question("q", "t", "{brand} or {competitor}?", QuestionKind.COMPARISON)
    names = {"dyson": "Dyson", "roborock": "Roborock"}

    with_one = render_prompt(question, a_brand("dyson", competitors=("roborock",)), names)
    assert with_one == "Dyson or Roborock?"
    assert render_prompt(question, a_brand("roborock"), names) is None


def test_planning_again_gives_the_same_plan() -> None:
    assert a_plan() == a_plan()


def test_a_queries_identity_follows_what_is_asked_and_nothing_else() -> None:
    catalog = a_catalog()
    renamed = dataclasses.replace(
        catalog,
        version="another",
        questions=tuple(
            dataclasses.replace(question, question_id=f"new-{question.question_id}", priority=5)
            for question in catalog.questions
        ),
    )

    before = build_plan(catalog, plan_date=DAY, platform_id="deepseek")
    after = build_plan(renamed, plan_date=DAY, platform_id="deepseek")

    assert {q.query_id for q in before.queries} == {q.query_id for q in after.queries}


def test_another_day_or_platform_is_another_query() -> None:
    catalog = a_catalog(platforms=("deepseek", "gpt"))
    plans = [
        build_plan(catalog, plan_date=DAY, platform_id="deepseek"),
        build_plan(catalog, plan_date=DAY, platform_id="gpt"),
        build_plan(catalog, plan_date=DAY + timedelta(days=1), platform_id="deepseek"),
    ]

    ids = [query.query_id for plan in plans for query in plan.queries]
    assert len(set(ids)) == len(ids)


def test_a_query_has_the_highest_priority_of_those_who_wait_for_it() -> None:
    plan = a_plan()
    shared = {task.prompt_id for task in plan.tasks if task.kind is QuestionKind.NON_BRAND}

    # One of the two brands is a core brand, which lifts what it shares with the other.
    assert {query.priority for query in plan.queries if query.prompt_id in shared} == {1}


def of_two_tenants() -> Catalog:
    """Return the catalog with a tenant for each of its brands, and one without any."""
    catalog = a_catalog()
    dyson, roborock = catalog.brands
    return dataclasses.replace(
        catalog,
        tenants=(Tenant("zeta", "Zeta", 2.0), Tenant("acme", "Acme"), Tenant("idle", "Idle")),
        brands=(dataclasses.replace(dyson, tenant_id="zeta"), roborock),
    )


def test_a_query_serves_every_tenant_whose_tasks_ask_it() -> None:
    plan = build_plan(of_two_tenants(), plan_date=DAY, platform_id="deepseek")

    waiting: dict[str, set[str]] = {}
    for task in plan.tasks:
        waiting.setdefault(task.prompt_id, set()).add(task.tenant_id)
    assert all(
        query.tenant_ids == tuple(sorted(waiting[query.prompt_id])) for query in plan.queries
    )
    assert {query.tenant_ids for query in plan.queries} == {
        ("acme",),
        ("zeta",),
        ("acme", "zeta"),
    }


def test_an_optional_repeat_serves_only_those_who_asked_for_it() -> None:
    catalog = a_catalog()
    once = Question("once", "vacuums", "Which is the best of all?")
    again = dataclasses.replace(once, question_id="again", topic_id="others", repeats=2)
    dyson, roborock = catalog.brands
    other = dataclasses.replace(roborock, tenant_id="beta", topic_ids=("others",))
    plan = build_plan(
        dataclasses.replace(catalog, brands=(dyson, other), questions=(once, again)),
        plan_date=DAY,
        platform_id="deepseek",
    )

    assert {query.repeat: query.tenant_ids for query in plan.queries} == {
        0: ("acme", "beta"),
        1: ("beta",),
    }


def test_a_plan_holds_the_tenants_that_it_serves_and_how_costs_are_counted() -> None:
    catalog = of_two_tenants()
    plan = build_plan(catalog, plan_date=DAY, platform_id="deepseek")

    platform = catalog.platform("deepseek")
    assert plan.tenants == catalog.tenants[:2]
    assert plan.price == platform.prices[0]
    assert plan.tariff == tariff_of(platform, platform.prices[0])


def with_platform(catalog: Catalog, **changes: Any) -> Catalog:
    (platform,) = catalog.platforms
    return dataclasses.replace(catalog, platforms=(dataclasses.replace(platform, **changes),))


def with_budget(catalog: Catalog, budget_usd: float | None) -> Catalog:
    (tenant,) = catalog.tenants
    bound = dataclasses.replace(tenant, daily_budget_usd=budget_usd)
    return dataclasses.replace(catalog, tenants=(bound,))


@pytest.mark.parametrize(("budget_usd", "is_budgeted"), [(None, False), (5.0, True)])
def test_costs_are_counted_always_and_reserved_only_where_a_tenant_has_a_budget(
    budget_usd: float | None, *, is_budgeted: bool
) -> None:
    catalog = with_budget(a_catalog(), budget_usd)
    plan = build_plan(catalog, plan_date=DAY, platform_id="deepseek")

    assert plan.is_budgeted is is_budgeted
    assert plan.tariff is not None


def test_a_price_list_is_asked_only_where_the_catalog_has_no_price() -> None:
    asked: list[tuple[str, date]] = []
    listed = Price(7.0, 9.0, source="a list")

    def price_list(platform: Platform, day: date) -> Price:
        asked.append((platform.platform_id, day))
        return listed

    plans = [
        build_plan(catalog, plan_date=DAY, platform_id="deepseek", price_list=price_list)
        for catalog in (a_catalog(), with_platform(a_catalog(), prices=()))
    ]

    assert [plan.price == listed for plan in plans] == [False, True]
    assert asked == [("deepseek", DAY)]


@pytest.mark.parametrize(
    ("allows", "budget_usd", "way_out"),
    [
        (False, None, "or allow_unknown_price: true for deepseek in platforms.yaml"),
        (False, 5.0, "allow_unknown_price cannot stand beside a tenant's daily_budget_usd"),
        (True, 5.0, "allow_unknown_price cannot stand beside a tenant's daily_budget_usd"),
    ],
)
def test_an_unknown_price_stops_the_plan_and_says_what_to_write_where(
    budget_usd: float | None, way_out: str, *, allows: bool
) -> None:
    catalog = with_platform(a_catalog(), prices=(), allow_unknown_price=allows)

    with pytest.raises(PlanError) as caught:
        build_plan(with_budget(catalog, budget_usd), plan_date=DAY, platform_id="deepseek")

    message = str(caught.value)
    assert "an entry in prices.yaml such as {platform: deepseek, model: model-1" in message
    assert way_out in message


def test_where_the_price_need_not_be_known_the_plan_has_none() -> None:
    catalog = with_platform(a_catalog(), prices=(), allow_unknown_price=True)

    plan = build_plan(
        catalog, plan_date=DAY, platform_id="deepseek", price_list=lambda platform, day: None
    )

    assert (plan.price, plan.tariff) == (None, None)


def test_an_unknown_platform_is_not_planned() -> None:
    with pytest.raises(PlanError, match="no platform nobody in the catalog; it has deepseek"):
        build_plan(a_catalog(), plan_date=DAY, platform_id="nobody")


def test_shards_get_about_the_same_number_of_queries() -> None:
    plan = a_plan(questions=2_000)

    sizes = Counter(query.shard_key % 10 for query in plan.queries)
    assert all(query.shard_key < SHARD_KEYS for query in plan.queries)
    assert min(sizes.values()) > 0.7 * len(plan.queries) / 10


@given(st.lists(st.text()), st.lists(st.text()))
def test_two_lists_of_parts_share_an_id_only_when_they_are_equal(
    left: list[str], right: list[str]
) -> None:
    left = [part.encode("utf-8", "ignore").decode() for part in left]
    right = [part.encode("utf-8", "ignore").decode() for part in right]

    assert (identify(*left) == identify(*right)) == (left == right)
