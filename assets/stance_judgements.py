"""`core_stance_judgements`: a second opinion on a sample of a day's stances.

Only there when the catalog has a judge. Changes no stance and no figure: it says how far
the rules can be believed.
"""

from collections import Counter
from collections.abc import Sequence
from datetime import date
from typing import Any

import dagster as dg
import pyarrow as pa

from assets.failures import as_dagster_failure
from assets.notices import tell
from assets.out_figures import FOLLOWS_ITS_PLATFORMS
from assets.partitions import Partitions
from assets.raw_answers import COLLECTS_TAG, SHARD_RETRY
from brand_visibility.adapters.judging.judgements import read_judgements
from brand_visibility.adapters.lake.schemas import DATE
from brand_visibility.measures.agreement import Agreement, Opinion, agreement
from brand_visibility.reading.judging import JUDGE_VERSION, PROMPT_HASH
from brand_visibility.reading.stances import Stance
from resources.alerts import AlertsResource
from resources.judge import JudgeResource
from resources.lake import LakeResource

JUDGING_GROUP = "judging"

# Rules that the judge contradicts more often than not are worth a person's look.
_LEAST_AGREEMENT = 0.5


def build_stance_judgements(partitions: Partitions) -> dg.AssetsDefinition:
    """Return the asset."""
    platforms_of_the_day = dg.MultiToSingleDimensionPartitionMapping(partition_dimension_name=DATE)

    @dg.asset(
        partitions_def=partitions.per_day,
        deps=[dg.AssetDep("core_stances", partition_mapping=platforms_of_the_day)],
        group_name=JUDGING_GROUP,
        kinds={"postgres", "parquet"},
        code_version=JUDGE_VERSION,
        automation_condition=FOLLOWS_ITS_PLATFORMS,
        retry_policy=SHARD_RETRY,
        op_tags=COLLECTS_TAG,
    )
    def core_stance_judgements(
        context: dg.AssetExecutionContext, judge: JudgeResource, alerts: AlertsResource
    ) -> dg.MaterializeResult[None]:
        """What a judge says of a sample of this day's stances: a check on the rules.

        All negative and all conflicting stances, and a share of the others. Materialising it
        again asks only what is missing.
        """
        plan_date = date.fromisoformat(context.partition_key)
        channels = alerts.channels()
        with as_dagster_failure():
            day = judge.judge_day(
                plan_date,
                run_id=context.run.run_id,
                heartbeat=context.log.info,
                notice=lambda notice: tell(notice, plan_date, channels, context.log),
            )
        if day.report is not None:
            context.log.info(day.report.sentence())
            if day.report.was_stopped:
                what = "stopped by request; what was judged is kept"
                raise dg.Failure(what, allow_retries=False)
        return dg.MaterializeResult(metadata=_metadata(day.judgements))

    return core_stance_judgements


def build_stance_judgements_check(partitions: Partitions) -> dg.AssetChecksDefinition:
    """Return the check of the asset."""

    @dg.asset_check(
        asset="core_stance_judgements",
        name="judge_and_rules_agree",
        partitions_def=partitions.per_day,
    )
    def judge_and_rules_agree(
        context: dg.AssetCheckExecutionContext, lake: LakeResource
    ) -> dg.AssetCheckResult:
        """For no stance does the judge contradict the rules more often than not."""
        judgements = read_judgements(lake.open(), date.fromisoformat(context.partition_key))
        found = agreement(_opinions(judgements))
        doubted = [one.rule_stance for one in found if _is_doubted(one)]
        return dg.AssetCheckResult(
            passed=not doubted,
            severity=dg.AssetCheckSeverity.WARN,
            description=f"contradicted more often than not: {', '.join(doubted) or 'none'}",
            metadata={"agreement": _table(found)},
        )

    return judge_and_rules_agree


def _is_doubted(found: Agreement) -> bool:
    # Where the rules see a conflict a judge that takes sides contradicts nobody.
    interval = None if found.rule_stance == Stance.UNJUDGED else found.interval
    return interval is not None and interval.high < _LEAST_AGREEMENT


def _metadata(judgements: pa.Table) -> dict[str, Any]:
    reasons = Counter(reason for reason in judgements["reason"].to_pylist() if reason)
    costs = dict(
        zip(
            judgements["judge_query_id"].to_pylist(),
            judgements["cost_usd"].to_pylist(),
            strict=True,
        )
    )
    return {
        "dagster/row_count": judgements.num_rows,
        "judged": judgements.num_rows - reasons.total(),
        "verified": sum(judgements["is_verified"].to_pylist()),
        "not_judged_by_reason": dg.MetadataValue.json(dict(reasons)),
        "sampled_because": dg.MetadataValue.json(
            dict(Counter(judgements["sampled_because"].to_pylist()))
        ),
        "cost_usd": float(sum(cost for cost in costs.values() if cost is not None)),
        "agreement": _table(agreement(_opinions(judgements))),
        "prompt_hash": PROMPT_HASH,
        "judge_version": JUDGE_VERSION,
    }


def _opinions(judgements: pa.Table) -> list[Opinion]:
    columns = ["rule_stance", "judged_stance", "is_verified"]
    return [Opinion(**row) for row in judgements.select(columns).to_pylist()]


def _table(found: Sequence[Agreement]) -> dg.TableMetadataValue:
    columns = ("rules", "sampled", "verified", "unverified", "agreed", "rate", "low", "high")
    records = [dg.TableRecord(dict(zip(columns, _cells(one), strict=True))) for one in found]
    kinds = ("string", "int", "int", "int", "int", "float", "float", "float")
    schema = dg.TableSchema(
        [dg.TableColumn(name, kind) for name, kind in zip(columns, kinds, strict=True)]
    )
    return dg.MetadataValue.table(records, schema)


def _cells(found: Agreement) -> tuple[str | int | float | None, ...]:
    interval = found.interval
    return (
        found.rule_stance,
        found.sampled_count,
        found.verified_count,
        found.unverified_count,
        found.agreed_count,
        None if found.rate is None else round(found.rate, 4),
        None if interval is None else round(interval.low, 4),
        None if interval is None else round(interval.high, 4),
    )
