"""Part e: one account's rate shared by processes through the ledger.

Without HTTP: what is recorded is the time at which each send was let through, which is what
pacing answers for. No client and no platform could hide it at 2,000 a second.
"""

import json
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.collector.ledger_server import LedgerServer, ledger_server
from benchmarks.collector.pace_run import PaceCall
from benchmarks.collector.platform_process import busiest
from benchmarks.common.table import Bound, Target, markdown, target_table

_RATES = (20, 200, 2_000)
_PROCESSES = (1, 2, 4)
_MEASURED_S = 20.0
# Processes start, connect and reserve their first slots before anything counts.
_START_S = 6.0
_SETTLING_S = 2.0
_HEAD = ("rate", "processes", "sends", "rate used", "busiest second", "given by each")


@dataclass(frozen=True, slots=True)
class Shared:
    """What processes did with one rate. `used` is a share of the limit."""

    rate: int
    processes: int
    counts: tuple[int, ...]
    used: float
    busiest_second: int


def measure_part(*, quick: bool) -> str:
    """Run every rate with every number of processes and return the part's section."""
    with ledger_server() as server:
        shared = [
            _measure(server, rate, processes, 3.0 if quick else _MEASURED_S)
            for rate in (_RATES[:1] if quick else _RATES)
            for processes in (_PROCESSES[1:2] if quick else _PROCESSES)
        ]
    targets = [target for one in shared for target in _targets(one)]
    return f"{markdown(_HEAD, [_row(one) for one in shared])}\n\n{target_table(targets)}"


def _measure(server: LedgerServer, rate: int, processes: int, measured_s: float) -> Shared:
    begins = time.monotonic() + _START_S
    ends = begins + _SETTLING_S + measured_s
    call = PaceCall(server.fresh(), rate, begins, ends + 1)
    command = [sys.executable, "-m", "benchmarks.collector.pace_run", call.to_json()]
    running = [
        subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(processes)
    ]
    each = [json.loads(process.communicate()[0]) for process in running]
    return summarise(rate, each, begins + _SETTLING_S, ends)


def summarise(rate: int, each: Sequence[Sequence[float]], begins: float, ends: float) -> Shared:
    """Return what processes did between two moments, given all times of their sends."""
    within = [[at for at in times if begins <= at < ends] for times in each]
    together = [at for times in within for at in times]
    used = len(together) / (rate * (ends - begins))
    # Every send counts here: a second that breaks the limit may lie at the very start.
    most = busiest([at for times in each for at in times])
    return Shared(rate, len(each), tuple(len(times) for times in within), used, most)


def _row(one: Shared) -> list[str]:
    return [
        f"{one.rate:,}",
        f"{one.processes}",
        f"{sum(one.counts):,}",
        f"{100 * one.used:.1f} %",
        f"{one.busiest_second:,}",
        " + ".join(f"{count:,}" for count in one.counts),
    ]


def _targets(one: Shared) -> list[Target]:
    name = f"{one.rate:,} a second, {one.processes} process{'es' * (one.processes > 1)}"
    return [
        Target(f"{name}: rate used", 100 * one.used, Bound.AT_LEAST, 98, "%", 1),
        Target(f"{name}: busiest second", one.busiest_second, Bound.AT_MOST, one.rate),
    ]
