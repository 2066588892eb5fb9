"""`raw_answers`: a platform's answers of a day, asked by a fixed number of shard steps.

The shards are static on purpose: mapped (dynamic) steps that had not started when a run
died are silently skipped when it is re-executed from failure.
"""

import dagster as dg

from assets.failures import as_dagster_failure
from assets.notices import tell
from assets.partitions import Partitions, platform_day
from brand_visibility.adapters.publication import DayCount
from resources.alerts import AlertsResource
from resources.collector import ALLOW_LATE_TAG, CollectorResource

# Limits of how many such steps run at once are set on this tag, in a run's executor.
COLLECTS_TAG = {"brand-visibility/collects": "answers"}

# The step's retry is for systemic trouble (the ledger was away, the process died): queries
# have their own retries, and what is answered is not asked again. The waits stay short
# because the run's process spins while it waits and nothing else runs.
SHARD_RETRY = dg.RetryPolicy(
    max_retries=3, delay=2, backoff=dg.Backoff.EXPONENTIAL, jitter=dg.Jitter.PLUS_MINUS
)


def build_raw_answers(partitions: Partitions, shard_count: int) -> dg.AssetsDefinition:
    """Return the asset with this many shards."""
    shards = [_build_collect_shard(index, shard_count) for index in range(shard_count)]
    publish = _build_publish(shard_count)

    @dg.graph_asset(
        partitions_def=partitions.per_platform,
        ins={"query_plan": dg.AssetIn(dagster_type=dg.Nothing)},
        group_name="collection",
        kinds={"postgres", "parquet"},
    )
    def raw_answers(query_plan: None) -> None:
        """Every answer of this platform on this day, and every failure with its reason.

        Materialising it again asks only what is missing.
        """
        return publish([shard(query_plan) for shard in shards])  # type: ignore[no-any-return]

    return raw_answers


def _build_collect_shard(index: int, shard_count: int) -> dg.OpDefinition:
    @dg.op(
        name=f"collect_shard_{index:02}",
        ins={"query_plan": dg.In(dg.Nothing)},
        out=dg.Out(dg.Nothing),
        retry_policy=SHARD_RETRY,
        tags=COLLECTS_TAG,
    )
    def collect_shard(
        context: dg.OpExecutionContext, collector: CollectorResource, alerts: AlertsResource
    ) -> None:
        """Ask this shard's queries that have no answer yet, and publish its files."""
        part = platform_day(context.partition_key)
        channels = alerts.channels()
        with as_dagster_failure():
            report = collector.collect(
                part.plan_date,
                part.platform_id,
                shard_index=index,
                shard_count=shard_count,
                allow_late=context.has_tag(ALLOW_LATE_TAG),
                run_id=context.run_id,
                heartbeat=context.log.info,
                notice=lambda notice: tell(notice, part.plan_date, channels, context.log),
            )
        context.log.info(report.sentence())
        if report.was_stopped:
            raise dg.Failure("stopped by request; what was answered is kept", allow_retries=False)

    return collect_shard


def _build_publish(shard_count: int) -> dg.OpDefinition:
    @dg.op(
        name="publish_answers",
        ins={"shards": dg.In(dg.Nothing)},
        out=dg.Out(dg.Nothing),
        retry_policy=SHARD_RETRY,
    )
    def publish_answers(context: dg.OpExecutionContext, collector: CollectorResource) -> None:
        """Check that every shard is there and that answers and failures make the plan."""
        part = platform_day(context.partition_key)
        with as_dagster_failure():
            count = collector.close(part.plan_date, part.platform_id, shard_count=shard_count)
        context.add_output_metadata(_metadata(count))

    return publish_answers


def _metadata(count: DayCount) -> dict[str, object]:
    return {
        "dagster/row_count": count.answers,
        "planned": count.planned,
        "refused_or_blocked": count.refused_or_blocked,
        "failed": count.failed,
        "success_rate": round(count.success_rate, 4),
        "coverage_rate": round(count.coverage_rate, 4),
        "failures_by_reason": dg.MetadataValue.json(dict(count.failures_by_reason)),
        "attempts": count.attempts,
        "maybe_paid": count.maybe_paid,
        "path": dg.MetadataValue.path(str(count.folder)),
    }
