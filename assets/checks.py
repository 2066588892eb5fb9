"""Checks of the graph: what must be true of a partition before anybody relies on it."""

from collections.abc import Iterator, Sequence

import dagster as dg

from assets.partitions import Partitions, platform_day
from brand_visibility.adapters.figure_checks import find_faults
from brand_visibility.adapters.figures import FIGURES
from brand_visibility.adapters.lake.schemas import DATE, RAW_ANSWERS
from brand_visibility.adapters.publication import PlanAudit, audit_against_plan
from brand_visibility.reading.gazetteer import build_gazetteer
from brand_visibility.reading.lint import Finding, lint_aliases
from resources.catalog import CatalogResource
from resources.lake import LakeResource
from resources.ledger import LedgerResource

# A bad alias shows in any thousand answers; reading a whole day twice would double its cost.
_LINTED_ANSWERS = 2_000

FIGURES_CHECK = "figures_are_possible"


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

    @dg.asset_check(
        asset="core_mentions",
        name="aliases_mean_brands",
        partitions_def=partitions.per_platform,
    )
    def aliases_mean_brands(
        context: dg.AssetCheckExecutionContext, catalog: CatalogResource, lake: LakeResource
    ) -> dg.AssetCheckResult:
        """No alias fires on ordinary text, as far as this day's answers show."""
        part = platform_day(context.partition_key)
        gazetteer = build_gazetteer(*catalog.load_brands())
        texts = lake.open().sample(RAW_ANSWERS, part.folder_keys, "text", at_most=_LINTED_ANSWERS)
        return _lint_result(lint_aliases(gazetteer, texts))

    return [answers_and_failures_make_the_plan, aliases_mean_brands, _figures_check(partitions)]


def _figures_check(partitions: Partitions) -> dg.AssetChecksDefinition:
    """Return one step that checks every dataset of figures before the day is published."""

    @dg.multi_asset_check(
        name="check_figures",
        specs=[
            dg.AssetCheckSpec(
                FIGURES_CHECK,
                asset=figures.dataset.name,
                description="Keys are there and unique, rates and their bounds possible, and what"
                " must add up does.",
                blocking=True,
                partitions_def=partitions.per_day,
            )
            for figures in FIGURES
        ],
    )
    def check_figures(
        context: dg.AssetCheckExecutionContext, lake: LakeResource
    ) -> Iterator[dg.AssetCheckResult]:
        """Check the day's figures as they are stored."""
        for figures in FIGURES:
            table = lake.open().read(figures.dataset, {DATE: context.partition_key})
            faults = find_faults(figures.dataset, table)
            yield dg.AssetCheckResult(
                check_name=FIGURES_CHECK,
                asset_key=figures.dataset.name,
                passed=not faults,
                description="; ".join(faults) or f"{table.num_rows} rows keep every rule",
                metadata={"rows": table.num_rows, "faults": len(faults)},
            )

    return check_figures


def _lint_result(findings: Sequence[Finding]) -> dg.AssetCheckResult:
    columns = [dg.TableColumn(name) for name in ("brand", "alias", "doubt", "share", "example")]
    rows = [
        dg.TableRecord(
            {
                "brand": one.brand_id,
                "alias": one.alias,
                "doubt": one.rule.value,
                "share": round(one.hit_rate, 4),
                "example": one.samples[0] if one.samples else "",
            }
        )
        for one in findings
    ]
    return dg.AssetCheckResult(
        passed=not findings,
        severity=dg.AssetCheckSeverity.WARN,
        description=f"{len(findings)} doubts about aliases; `brand-visibility lint` has advice",
        metadata={"doubts": dg.MetadataValue.table(rows, dg.TableSchema(columns))},
    )


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
