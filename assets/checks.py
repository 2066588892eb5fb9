"""Checks of the graph: what must be true of a partition before anybody relies on it."""

import dagster as dg

from assets.partitions import Partitions, platform_day
from brand_visibility.adapters.publication import PlanAudit, audit_against_plan
from resources.lake import LakeResource
from resources.ledger import LedgerResource


def build_checks(partitions: Partitions) -> list[dg.AssetChecksDefinition]:
    """Return the checks."""

    @dg.asset_check(
        asset="raw_answers",
        name="answers_and_failures_make_the_plan",
        partitions_def=partitions.per_platform,
        blocking=True,
    )
    def answers_and_failures_make_the_plan(
        context: dg.AssetCheckExecutionContext, ledger: LedgerResource, lake: LakeResource
    ) -> dg.AssetCheckResult:
        """Every planned query is in the lake exactly once, as an answer or as a failure."""
        part = platform_day(context.partition_key)
        planned = ledger.plans().query_ids(part.plan_date, part.platform_id)
        return _result(audit_against_plan(lake.open(), part.folder_keys, planned))

    return [answers_and_failures_make_the_plan]


def _result(audit: PlanAudit) -> dg.AssetCheckResult:
    return dg.AssetCheckResult(
        passed=audit.is_whole,
        description=audit.sentence(),
        metadata={
            "planned": audit.planned,
            "answers": audit.answers,
            "failures": audit.failures,
            "missing": audit.missing,
            "duplicated": audit.duplicated,
            "unplanned": audit.unplanned,
        },
    )
