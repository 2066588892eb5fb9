"""A day's plan for the judge: each prompt of the sample once, for all whom it serves."""

from collections.abc import Iterable
from datetime import date

from brand_visibility.adapters.judging.sample_files import Row
from brand_visibility.domain.catalog import Catalog, Platform
from brand_visibility.domain.planning import (
    JUDGE_CHANNEL,
    SHARD_KEYS,
    Plan,
    PriceList,
    Query,
    identify,
    price_plan,
)


def build_judge_plan(
    catalog: Catalog,
    judge: Platform,
    plan_date: date,
    sample: Iterable[Row],
    price_list: PriceList | None = None,
) -> Plan:
    """Return the plan of a sample: queries without tasks, paid by the brands' tenants.

    Raises PlanError when the judge's price is unknown and has to be known.
    """
    tenants_of: dict[str, set[str]] = {}
    for row in sample:
        tenants_of.setdefault(row["prompt"], set()).add(row["tenant_id"])
    served = set().union(*tenants_of.values())
    plan = Plan(
        plan_date=plan_date,
        platform_id=judge.platform_id,
        catalog_version=catalog.version,
        tasks=(),
        queries=tuple(
            _query(plan_date, judge, prompt, tuple(sorted(tenant_ids)))
            for prompt, tenant_ids in tenants_of.items()
        ),
        tenants=tuple(tenant for tenant in catalog.tenants if tenant.tenant_id in served),
    )
    return price_plan(plan, judge, price_list)


def _query(plan_date: date, judge: Platform, prompt: str, tenant_ids: tuple[str, ...]) -> Query:
    prompt_id = identify(prompt)
    return Query(
        query_id=identify(plan_date, judge.platform_id, JUDGE_CHANNEL, prompt, 0),
        plan_date=plan_date,
        platform_id=judge.platform_id,
        channel=JUDGE_CHANNEL,
        prompt_id=prompt_id,
        prompt=prompt,
        repeat=0,
        priority=0,
        shard_key=int(prompt_id[:8], 16) % SHARD_KEYS,
        tenant_ids=tenant_ids,
    )
