"""Plans in a real ledger."""

import dataclasses
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import psycopg
import pytest

from brand_visibility.adapters.lake.schemas import QUERY_PLAN
from brand_visibility.adapters.ledger.connection import (
    LedgerNotMigratedError,
    LedgerUnavailableError,
)
from brand_visibility.adapters.ledger.migrate import migrate
from brand_visibility.adapters.ledger.plans import PlanStore
from brand_visibility.domain.errors import PlanError
from brand_visibility.domain.feasibility import judge_feasibility
from tests.builders import DAY, a_plan, a_platform


@pytest.fixture
def plans(database_url: str) -> PlanStore:
    return PlanStore(database_url)


def test_a_frozen_plan_is_read_back_as_it_was_made(plans: PlanStore) -> None:
    plan = a_plan()
    verdicts = judge_feasibility(plan, a_platform(), available_s=60)

    plans.freeze(plan, verdicts, 0.25)
    stored = plans.read(DAY, "deepseek")

    assert stored.catalog_version == plan.catalog_version
    assert (stored.task_count, stored.query_count) == (len(plan.tasks), len(plan.queries))
    assert stored.verdicts == tuple(verdicts)
    assert stored.expected_cost_usd == 0.25


def test_the_forecast_of_every_account_is_a_row_for_the_lake(plans: PlanStore) -> None:
    plan = a_plan()
    verdicts = judge_feasibility(plan, a_platform(), available_s=1.0)

    (row,) = plans.freeze(plan, verdicts, 0.25).forecasts().to_pylist()

    assert (row["account_id"], row["is_feasible"], row["expected_cost_usd"]) == (
        "main",
        False,
        0.25,
    )
    assert (row["query_count"], row["platform_query_count"]) == (len(plan.queries),) * 2
    assert row["needed_s"] > row["available_s"] == 1.0


def test_planning_a_day_again_finds_the_first_plan(plans: PlanStore) -> None:
    first = plans.freeze(a_plan(questions=20), [], None)
    changed = dataclasses.replace(a_plan(questions=25), catalog_version="another")

    second = plans.freeze(changed, [], 9.0)

    assert second == first
    assert plans.tasks(DAY, "deepseek").num_rows == first.task_count


def test_two_schedulers_that_plan_at_once_make_one_plan(plans: PlanStore) -> None:
    plan = a_plan(questions=200)

    with ThreadPoolExecutor(4) as pool:
        stored = list(pool.map(lambda _: plans.freeze(plan, [], None), range(4)))

    assert len(set(stored)) == 1
    assert plans.progress(DAY)[0].planned == len(plan.queries)


def test_platforms_of_a_day_are_planned_side_by_side(plans: PlanStore) -> None:
    names = ["deepseek", "gpt", "hunyuan"]

    with ThreadPoolExecutor(3) as pool:
        list(pool.map(lambda name: plans.freeze(a_plan(platform_id=name), [], None), names))

    assert [progress.platform_id for progress in plans.progress(DAY)] == names


def test_the_tasks_come_back_as_the_lake_wants_them(plans: PlanStore) -> None:
    plan = a_plan()
    plans.freeze(plan, [], None)

    table = plans.tasks(DAY, "deepseek")

    assert table.schema.equals(QUERY_PLAN.schema)
    assert set(table["task_id"].to_pylist()) == {task.task_id for task in plan.tasks}
    prompts = {query.prompt_id: query.prompt for query in plan.queries}
    assert all(prompts[row["prompt_id"]] == row["prompt"] for row in table.to_pylist())


def test_a_day_that_was_never_planned_says_what_to_do(plans: PlanStore) -> None:
    with pytest.raises(PlanError, match="materialise query_plan first"):
        plans.read(DAY + timedelta(days=1), "deepseek")


def test_a_day_whose_queries_were_dropped_is_not_collected_again(
    plans: PlanStore, database_url: str
) -> None:
    plans.freeze(a_plan(), [], None)
    assert plans.require_whole(DAY, "deepseek").query_count > 0
    with psycopg.connect(database_url) as session:
        session.execute(f"DROP TABLE ledger.query_{DAY:%Y%m%d}")

    with pytest.raises(PlanError, match=r"holds 0 of the .* what is published of it stays"):
        plans.require_whole(DAY, "deepseek")


def test_a_database_without_a_ledger_says_what_to_run(empty_database_url: str) -> None:
    with pytest.raises(LedgerNotMigratedError, match="brand-visibility migrate"):
        PlanStore(empty_database_url).progress(DAY)


def test_an_unreachable_database_is_a_transient_error() -> None:
    plans = PlanStore("postgresql://postgres@127.0.0.1:1/none?connect_timeout=2")

    with pytest.raises(LedgerUnavailableError, match="unavailable"):
        plans.progress(DAY)


def test_migrations_run_once_however_many_processes_start(empty_database_url: str) -> None:
    with ThreadPoolExecutor(3) as pool:
        list(pool.map(migrate, [empty_database_url] * 3))

    with psycopg.connect(empty_database_url) as session:
        versions = session.execute("SELECT version_num FROM ledger.alembic_version").fetchall()
    assert len(versions) == 1
    assert PlanStore(empty_database_url).installed_on().tzinfo is not None


def test_migrating_a_url_with_a_driver_in_it_works_too(empty_database_url: str) -> None:
    url = empty_database_url.replace("postgresql://", "postgresql+psycopg2://")

    migrate(url)

    assert PlanStore(url).progress(DAY) == []
