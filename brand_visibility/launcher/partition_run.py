"""One run of a partitioned job in this process, without daemon and queue.

`python -m brand_visibility.launcher.partition_run JOB PARTITION` executes the same job
that the UI launches, on the same instance. Exit code 0 when the run succeeded.
"""

import os
import sys

import dagster as dg

from brand_visibility.automation.jobs import FIGURES_JOB, NIGHT_JOB
from brand_visibility.definitions import defs
from brand_visibility.launcher.leftovers import LAUNCH_TAG, LAUNCH_VARIABLE


def night_job() -> dg.JobDefinition:
    """Return the night's job; step processes find it by this function's name."""
    return defs().resolve_job_def(NIGHT_JOB)


def figures_job() -> dg.JobDefinition:
    """Return the figures' job; step processes find it by this function's name."""
    return defs().resolve_job_def(FIGURES_JOB)


_BUILDERS = {NIGHT_JOB: night_job, FIGURES_JOB: figures_job}


def run_partition(job_name: str, partition_key: str, *, retry_of: str | None = None) -> bool:
    """Execute a partition's run and return whether it succeeded.

    `retry_of` is a failed run: only what it left undone is executed again.
    """
    build = _BUILDERS[job_name]
    job = build()
    with dg.DagsterInstance.get() as instance:
        again = dg.ReexecutionOptions.from_failure(retry_of, instance) if retry_of else None
        result = dg.execute_job(
            dg.reconstructable(build),
            instance=instance,
            run_config=job.get_run_config_for_partition_key(partition_key),
            # Re-execution does not copy the partition by itself.
            tags={**job.get_tags_for_partition_key(partition_key, None), **_launch_tags()},
            reexecution_options=again,
        )
    return result.success


def _launch_tags() -> dict[str, str]:
    launch_id = os.environ.get(LAUNCH_VARIABLE)
    return {LAUNCH_TAG: launch_id} if launch_id else {}


if __name__ == "__main__":
    # Steps import this module by its name; running it as a script must give the same one.
    from brand_visibility.launcher import partition_run

    _, job_argument, partition_argument, *rest = sys.argv
    sys.exit(
        not partition_run.run_partition(
            job_argument, partition_argument, retry_of=rest[0] if rest else None
        )
    )
