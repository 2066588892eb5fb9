"""A day of two tenants with budgets, for tests of what it costs them."""

import asyncio
import dataclasses
from collections.abc import Awaitable, Callable
from decimal import Decimal
from typing import TypeVar

from brand_visibility.adapters.ledger.budgets import Spend, read_spends
from brand_visibility.adapters.ledger.ownership import own_shard
from brand_visibility.adapters.ledger.plans import PlanStore
from brand_visibility.adapters.ledger.shards import Shard, ShardJournal
from brand_visibility.domain.catalog import Tenant
from brand_visibility.domain.planning import Plan, build_plan
from tests.builders import DAY, a_catalog

Result = TypeVar("Result")
Budgets = dict[str, float | None]

SHARD = Shard(DAY, "deepseek", index=0, count=1)


def a_budgeted_plan(budgets: Budgets, *, questions: int = 20, max_tokens: int = 1_000) -> Plan:
    """Return the plan of acme (dyson) and beta (roborock), which share the questions."""
    catalog = a_catalog(questions=questions)
    dyson, roborock = catalog.brands
    (platform,) = catalog.platforms
    shared = dataclasses.replace(
        catalog,
        tenants=(
            Tenant("acme", "Acme", 2.0, budgets["acme"]),
            Tenant("beta", "Beta", 1.0, budgets["beta"]),
            Tenant("idle", "Idle", 1.0, 5.0),
        ),
        brands=(dyson, dataclasses.replace(roborock, tenant_id="beta")),
        platforms=(dataclasses.replace(platform, parameters={"max_tokens": max_tokens}),),
    )
    return build_plan(shared, plan_date=DAY, platform_id="deepseek")


def freeze(database_url: str, plan: Plan) -> Plan:
    PlanStore(database_url).freeze(plan, [], None)
    return plan


def own(
    database_url: str, use: Callable[[ShardJournal], Awaitable[Result]], shard: Shard = SHARD
) -> Result:
    async def run() -> Result:
        async with own_shard(database_url, shard) as journal:
            return await use(journal)

    return asyncio.run(run())


def spends(database_url: str) -> dict[str, Spend]:
    return {spend.tenant_id: spend for spend in read_spends(database_url, DAY)}


def ids_for(plan: Plan, *tenant_ids: str) -> list[str]:
    return [query.query_id for query in plan.queries if query.tenant_ids == tenant_ids]


def worst_cost(plan: Plan, query_id: str) -> Decimal:
    (query,) = (query for query in plan.queries if query.query_id == query_id)
    assert plan.tariff is not None
    return plan.tariff.worst_cost_usd(query.prompt)
