"""`query_plan`: what a platform will be asked on a day, frozen."""

import dagster as dg

from assets.failures import as_dagster_failure
from assets.partitions import Partitions, platform_day
from brand_visibility.adapters.catalog.published_prices import published_price
from brand_visibility.adapters.lake.schemas import PLAN_FORECASTS, QUERY_PLAN
from brand_visibility.adapters.ledger.plans import StoredPlan
from brand_visibility.domain.catalog import Price
from brand_visibility.domain.feasibility import Verdict, expected_cost_usd, judge_feasibility
from brand_visibility.domain.planning import build_plan
from resources.catalog import CatalogResource
from resources.lake import LakeResource
from resources.ledger import LedgerResource
from resources.night import NightResource


def build_query_plan(partitions: Partitions) -> dg.AssetsDefinition:
    """Return the asset."""

    @dg.asset(
        partitions_def=partitions.per_platform,
        group_name="collection",
        kinds={"postgres", "parquet"},
    )
    def query_plan(
        context: dg.AssetExecutionContext,
        catalog: CatalogResource,
        ledger: LedgerResource,
        lake: LakeResource,
        night: NightResource,
    ) -> dg.MaterializeResult[None]:
        """What this platform will be asked on this day, frozen when first made.

        Brand × question, folded into distinct queries, with the forecast of time and cost.
        """
        with as_dagster_failure():
            part = platform_day(context.partition_key)
            known = catalog.load()
            platform = known.platform(part.platform_id)
            plan = build_plan(
                known,
                plan_date=part.plan_date,
                platform_id=part.platform_id,
                price_list=published_price,
            )
            left_s = night.times.available_s(part.plan_date, night.now())
            verdicts = judge_feasibility(plan, platform, available_s=left_s)
            stored = ledger.plans().freeze(plan, verdicts, expected_cost_usd(plan, platform))
            tasks = ledger.plans().tasks(part.plan_date, part.platform_id)
            path = lake.open().write(QUERY_PLAN, part.folder_keys, tasks, name="plan")
            lake.open().write(
                PLAN_FORECASTS, part.folder_keys, stored.forecasts(), name="forecasts"
            )
            _say(context, stored, known.version)
        return dg.MaterializeResult(
            metadata={**_metadata(stored), "path": dg.MetadataValue.path(path)}
        )

    return query_plan


def _say(context: dg.AssetExecutionContext, stored: StoredPlan, catalog_version: str) -> None:
    if stored.catalog_version != catalog_version:
        context.log.warning(
            f"the plan of {stored.plan_date} is frozen from catalog {stored.catalog_version};"
            f" catalog {catalog_version} applies from the next day on"
        )
    for verdict in stored.verdicts:
        if not verdict.is_feasible:
            context.log.error(
                f"{verdict.platform_id}/{verdict.account_id} cannot end in time:"
                f" {verdict.query_count} queries need {verdict.needed_s:.0f} s by"
                f" {verdict.bound_by}, {verdict.available_s:.0f} s are left"
            )


def _metadata(stored: StoredPlan) -> dict[str, dg.MetadataValue]:
    metadata: dict[str, dg.MetadataValue] = {
        "dagster/row_count": dg.MetadataValue.int(stored.task_count),
        "queries": dg.MetadataValue.int(stored.query_count),
        "catalog_version": dg.MetadataValue.text(stored.catalog_version),
        "is_feasible": dg.MetadataValue.bool(all(v.is_feasible for v in stored.verdicts)),
        "feasibility": dg.MetadataValue.table([_record(v) for v in stored.verdicts]),
    }
    if stored.price is not None:
        metadata["price"] = dg.MetadataValue.text(_spell(stored.price))
    if stored.expected_cost_usd is not None:
        metadata["expected_cost_usd"] = dg.MetadataValue.float(round(stored.expected_cost_usd, 4))
    return metadata


def _spell(price: Price) -> str:
    return (
        f"{price.prompt_per_million:g} and {price.completion_per_million:g} {price.currency} for"
        f" a million tokens of prompt and answer ({price.source})"
    )


def _record(verdict: Verdict) -> dg.TableRecord:
    return dg.TableRecord(
        {
            "account": verdict.account_id,
            "queries": verdict.query_count,
            "needs (s)": round(verdict.needed_s, 1),
            "available (s)": round(verdict.available_s, 1),
            "bound by": verdict.bound_by,
            "feasible": verdict.is_feasible,
        }
    )
