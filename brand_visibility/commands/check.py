"""`brand-visibility check`: is this catalog valid, and what would it ask a day?"""

import os
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

import click

from brand_visibility.adapters.catalog.loader import load_catalog
from brand_visibility.adapters.catalog.published_prices import published_price
from brand_visibility.adapters.settings import SIMULATOR_URL
from brand_visibility.commands.options import catalog_option
from brand_visibility.domain.catalog import Account, Catalog, Platform
from brand_visibility.domain.errors import CatalogError
from brand_visibility.domain.feasibility import expected_cost_usd, judge_feasibility
from brand_visibility.domain.planning import Plan, build_plan


@click.command()
@catalog_option("The folder of the catalog's files.")
@click.option("--without-keys", is_flag=True, help="Don't ask whether the named keys are set.")
def check(catalog: Path, *, without_keys: bool) -> None:
    """Check a catalog: print every fault, or what the catalog holds and asks a day."""
    try:
        known = load_catalog(catalog, None if without_keys else _environment())
    except CatalogError as error:
        for fault in error.faults:
            click.echo(fault)
        count = len(error.faults)
        click.echo(f"{count} {'fault' if count == 1 else 'faults'}", err=True)
        sys.exit(1)
    for line in summarise(known):
        click.echo(line)


def _environment() -> Mapping[str, str]:
    # Whoever runs a night against the simulator starts it: it is no key that can be missing.
    return {SIMULATOR_URL: "started when it is needed", **os.environ}


def summarise(catalog: Catalog) -> Iterator[str]:
    """Yield the lines that say what a catalog holds and what it asks a day."""
    kinds = Counter(question.kind.value for question in catalog.questions)
    aliases = sum(len(brand.aliases) for brand in catalog.brands)
    by_kind = ", ".join(f"{count} {kind}" for kind, count in kinds.items())
    yield f"catalog    {catalog.version}, no fault"
    yield f"tenants    {len(catalog.tenants)}"
    yield f"topics     {len(catalog.topics)}"
    yield f"brands     {len(catalog.brands)} with {aliases} aliases"
    yield f"questions  {len(catalog.questions)} ({by_kind})"
    for platform in catalog.platforms:
        yield ""
        yield from _summarise_platform(catalog, platform)


def _summarise_platform(catalog: Catalog, platform: Platform) -> Iterator[str]:
    today = datetime.now(UTC).date()
    plan = build_plan(
        catalog,
        plan_date=today,
        platform_id=platform.platform_id,
        price_list=published_price,
    )
    verdicts = judge_feasibility(plan, platform, available_s=float("inf"))
    slowest = max(verdicts, key=lambda verdict: verdict.needed_s)
    cost = expected_cost_usd(plan, platform)
    yield f"{platform.platform_id}: {platform.model} through {platform.adapter}"
    for account in platform.accounts:
        yield f"  account  {account.account_id}: {_spell_limits(account)}"
    yield f"  a day    {len(plan.tasks):,} tasks, {len(plan.queries):,} distinct queries"
    needed = timedelta(seconds=round(slowest.needed_s))
    yield f"  takes    {needed} at least, bound by {slowest.bound_by}"
    yield f"  costs    {'unknown' if cost is None else f'about {cost:,.2f} USD'} ({_basis(plan)})"


def _basis(plan: Plan) -> str:
    price = plan.price
    if price is None:
        return "no price"
    day = f" from {price.valid_from}" if price.valid_from else ""
    return f"price{day}: {price.source}"


def _spell_limits(account: Account) -> str:
    limits = account.limits
    spelled = [f"{limits.rate_per_second:g} a second", f"{limits.concurrency} in flight"]
    if limits.tokens_per_minute is not None:
        spelled.append(f"{limits.tokens_per_minute:,} tokens a minute")
    if limits.queries_per_day is not None:
        spelled.append(f"{limits.queries_per_day:,} queries a day")
    return ", ".join(spelled)
