"""A whole night in the foreground: every platform's run side by side, then the figures."""

import contextlib
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from brand_visibility.adapters.ledger.plans import PlanStore, Progress
from brand_visibility.adapters.settings import DATABASE_URL
from brand_visibility.automation.jobs import FIGURES_JOB, NIGHT_JOB
from brand_visibility.launcher.leftovers import LAUNCH_VARIABLE, fail_launched_run
from brand_visibility.launcher.place import Place

_POLL_S = 0.25
# After SIGINT a run stops its steps and says so in its log; then it is killed.
_STOP_PATIENCE_S = 30.0


@dataclass(frozen=True, slots=True)
class _Run:
    """A run's process and the file of its output."""

    name: str
    process: subprocess.Popen[bytes]
    log: Path
    launch_id: str


def run_night(
    place: Place,
    plan_date: date,
    platform_ids: Sequence[str],
    *,
    on_progress: Callable[[list[Progress]], None],
) -> tuple[str, ...]:
    """Plan, ask, read and measure the day. Calls `on_progress` a few times a second.

    Returns the runs that did not succeed, each with the file of its log. What platforms
    did answer is kept and measured all the same.
    """
    plans = PlanStore(place.environment[DATABASE_URL])
    partitions = [f"{plan_date}|{platform_id}" for platform_id in platform_ids]
    with _started(place, NIGHT_JOB, partitions) as asking:
        while any(run.process.poll() is None for run in asking):
            on_progress(plans.progress(plan_date))
            time.sleep(_POLL_S)
        on_progress(plans.progress(plan_date))
    with _started(place, FIGURES_JOB, [str(plan_date)]) as measuring:
        for run in measuring:
            run.process.wait()
    return tuple(
        f"{run.name} (see {run.log})" for run in [*asking, *measuring] if run.process.returncode
    )


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
            if run.process.returncode:
                # A process that was killed could not say so itself.
                fail_launched_run(run.launch_id)


def _start(place: Place, job: str, partition: str) -> _Run:
    name = f"{job} {partition}"
    log = place.settings.home / "logs" / f"{name.replace('|', '-').replace(' ', '-')}.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    launch_id = uuid.uuid4().hex
    with log.open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "brand_visibility.launcher.partition_run", job, partition],
            env={**place.environment, LAUNCH_VARIABLE: launch_id},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            # Ctrl-C reaches this process alone, which then stops the runs in order.
            start_new_session=True,
        )
    return _Run(name, process, log, launch_id)


def _stop(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is not None:
        return
    process.send_signal(signal.SIGINT)
    try:
        process.wait(_STOP_PATIENCE_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
