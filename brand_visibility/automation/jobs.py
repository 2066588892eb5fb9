"""The jobs: a platform's night, a day's figures, the deadline's alert.

Add a job here and its name to `definitions`. What an asset does belongs to `assets`.
"""

from collections.abc import Mapping
from typing import Any

import dagster as dg

from assets.partitions import Partitions, platform_day
from assets.raw_answers import COLLECTS_TAG

NIGHT_JOB = "night"
FIGURES_JOB = "figures"


def build_executor(shards_at_once: int) -> dg.ExecutorDefinition:
    """Return the executor of every run: `shards_at_once` collecting steps, one process each."""
    return dg.multiprocess_executor.configured(
        executor_config(shards_at_once), name="multiprocess_with_tag_limits"
    )


def executor_config(shards_at_once: int) -> dict[str, Any]:
    """Return the executor's configuration with its tag limit on collecting steps."""
    ((key, value),) = COLLECTS_TAG.items()
    return {
        "max_concurrent": shards_at_once,
        "tag_concurrency_limits": [{"key": key, "value": value, "limit": shards_at_once}],
        "start_method": {"forkserver": {"preload_modules": list(PRELOADED)}},
    }


# What a step's process imports anyway: loaded once in the fork server, a step starts in a
# third of the time.
PRELOADED = (
    "alembic",
    "brand_visibility.adapters.shard_collection",
    "brand_visibility.definitions",
    "dagster",
    "dagster_postgres",
    "httpx_aiohttp",
    "pandas",
    "psycopg",
    "psycopg2",
    "pyarrow.parquet",
    "sqlalchemy",
)


def build_night_job(
    partitions: Partitions, shards_at_once: Mapping[str, int]
) -> Any:  # Dagster does not export the type of an unresolved job.
    """Return the job that plans, asks and reads one platform's day.

    `shards_at_once` of each platform becomes its run's executor limits.
    """

    def config(partition_key: str) -> dict[str, Any]:
        limit = shards_at_once[platform_day(partition_key).platform_id]
        return {"execution": {"config": executor_config(limit)}}

    return dg.define_asset_job(
        NIGHT_JOB,
        selection=dg.AssetSelection.groups("collection", "reading"),
        config=dg.PartitionedConfig(
            partitions.per_platform, run_config_for_partition_key_fn=config
        ),
        executor_def=dg.multiprocess_executor,
        description="Plan, ask and read one platform for one day.",
    )


def build_figures_job() -> Any:
    """Return the job that makes a day's figures and report from what is there."""
    return dg.define_asset_job(
        FIGURES_JOB,
        selection=dg.AssetSelection.groups("figures"),
        description="Make one day's figures and report from the platforms that are there.",
    )
