"""What a lost machine or a killed launcher left behind: runs that look alive and are not.

Dagster's default launcher never notices such a run, and it would hold its platform's
place in the queue.
"""

import contextlib
from collections.abc import Iterator, Mapping

import dagster as dg
import psycopg

from brand_visibility.adapters.ledger.connection import connect

_LAUNCHER_LOCK = 7_215_300_002

_UNENDED = [
    dg.DagsterRunStatus.STARTING,
    dg.DagsterRunStatus.STARTED,
    dg.DagsterRunStatus.CANCELING,
]


# Marks a run with the process that was started for it: the run's id is not known before.
LAUNCH_VARIABLE = "BRAND_VISIBILITY_LAUNCH_ID"
LAUNCH_TAG = "brand-visibility/launch"


def fail_launched_run(launch_id: str) -> None:
    """Fail the run of a process that has ended, unless the run has ended as well."""
    _fail_unended({LAUNCH_TAG: launch_id})


@contextlib.contextmanager
def fail_lost_runs(database_url: str) -> Iterator[None]:
    """Fail runs that nobody can be working on, and be known as a living launcher.

    No launcher is alive when its lock is free: each holds it, shared. What a killed one
    started stops by itself within seconds, and its shards are locked until then.
    """
    with connect(database_url) as session:
        if _is_alone(session):
            _fail_unended({})
            session.execute("SELECT pg_advisory_lock_shared(%s)", (_LAUNCHER_LOCK,))
            session.execute("SELECT pg_advisory_unlock(%s)", (_LAUNCHER_LOCK,))
        else:
            session.execute("SELECT pg_advisory_lock_shared(%s)", (_LAUNCHER_LOCK,))
        yield


def _is_alone(session: psycopg.Connection) -> bool:
    row = session.execute("SELECT pg_try_advisory_lock(%s)", (_LAUNCHER_LOCK,)).fetchone()
    return bool(row and row[0])


def _fail_unended(tags: Mapping[str, str]) -> None:
    wanted = dg.RunsFilter(statuses=_UNENDED, tags=dict(tags))
    with dg.DagsterInstance.get() as instance:
        for run in instance.get_runs(filters=wanted):
            instance.report_run_failed(run, "the process that worked on this run is gone")
