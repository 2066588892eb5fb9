"""A whole night in the foreground: every platform's run side by side, then the figures."""

import contextlib
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from brand_visibility.adapters.ledger.plans import PlanStore, Progress
from brand_visibility.automation.jobs import FIGURES_JOB, NIGHT_JOB
from brand_visibility.domain.errors import PermanentError
from brand_visibility.launcher.place import Place

_POLL_S = 0.25
# After SIGINT a run stops its steps and says so in its log; then it is killed.
_STOP_PATIENCE_S = 30.0


class NightFailedError(PermanentError):
    """A run of the night did not succeed. Its log is named in the message."""


@dataclass(frozen=True, slots=True)
class _Run:
    """A run's process and the file of its output."""

    name: str
    process: subprocess.Popen[bytes]
    log: Path


def run_night(
    place: Place,
    plan_date: date,
    platform_ids: Sequence[str],
    *,
    on_progress: Callable[[list[Progress]], None],
) -> None:
    """Plan, ask, read and measure the day. Calls `on_progress` a few times a second.

    Raises NightFailedError when a run does not succeed. What platforms did answer is kept
    and measured all the same.
    """
    plans = PlanStore(place.environment["BRAND_VISIBILITY_DATABASE_URL"])
    partitions = [f"{plan_date}|{platform_id}" for platform_id in platform_ids]
    with _started(place, NIGHT_JOB, partitions) as runs:
        while any(run.process.poll() is None for run in runs):
            on_progress(plans.progress(plan_date))
            time.sleep(_POLL_S)
        on_progress(plans.progress(plan_date))
        failed = [run for run in runs if run.process.returncode]
    with _started(place, FIGURES_JOB, [str(plan_date)]) as runs:
        for run in runs:
            run.process.wait()
        failed += [run for run in runs if run.process.returncode]
    if failed:
        logs = ", ".join(f"{run.name} (see {run.log})" for run in failed)
        raise NightFailedError(f"not every run succeeded: {logs}")


@contextlib.contextmanager
def _started(place: Place, job: str, partitions: Sequence[str]) -> Iterator[list[_Run]]:
    """Start one process a partition, and leave none behind."""
    runs: list[_Run] = []
    try:
        runs.extend(_start(place, job, partition) for partition in partitions)
        yield runs
    finally:
        for run in runs:
            _stop(run.process)


def _start(place: Place, job: str, partition: str) -> _Run:
    name = f"{job} {partition}"
    log = place.settings.home / "logs" / f"{name.replace('|', '-').replace(' ', '-')}.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "brand_visibility.launcher.partition_run", job, partition],
            env=dict(place.environment),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            # Ctrl-C reaches this process alone, which then stops the runs in order.
            start_new_session=True,
        )
    return _Run(name, process, log)


def _stop(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is not None:
        return
    process.send_signal(signal.SIGINT)
    try:
        process.wait(_STOP_PATIENCE_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
