"""Part c: a night of 150,000 queries at 3 × 20 a second, ten times faster than real.

Rates are multiplied by ten; latencies, hangs and this project's retry waits are divided by
ten. `Retry-After` stays one second, since the header holds whole ones: ten seconds of the
real night. Three processes, one a platform, share one simulator and one database.
"""

import subprocess
import time
from dataclasses import dataclass

from benchmarks.collector.clients import engine_command
from benchmarks.collector.engine_call import EngineCall, EngineReport, read_report
from benchmarks.collector.ledger_server import LedgerServer, ledger_server
from benchmarks.collector.platform_process import Counts, PlatformProcess, platform
from benchmarks.collector.scenario import STRICT_FAULTS, Scenario, plan_of, queries
from benchmarks.common.table import Bound, Target, markdown, target_table
from brand_visibility.adapters.ledger.plans import PlanStore
from brand_visibility.domain.catalog import RetrySettings
from brand_visibility.simulator.settings import Latency, PlatformBehaviour

SPEED = 10
_PLATFORMS = ("night-a", "night-b", "night-c")
_REAL_RATE = 20
_REAL_LATENCY = Latency(median_s=5.0, p99_s=20.0)
_REAL_HANG_S = 5.0
_IN_FLIGHT = 600
_HEAD = (
    "platform",
    "queries",
    "answered",
    "sends",
    "violations",
    "busiest second",
    "mean delay of a send, ms",
    "slots given up",
    "wall s",
    "CPU s",
)


@dataclass(frozen=True, slots=True)
class Night:
    """One platform's night: what its engine and its platform say of it."""

    platform_id: str
    report: EngineReport
    counts: Counts


def measure_part(*, quick: bool) -> str:
    """Collect the night and return the part's section."""
    per_platform = 400 if quick else 50_000
    behaviour = PlatformBehaviour(
        latency=Latency(_REAL_LATENCY.median_s / SPEED, _REAL_LATENCY.p99_s / SPEED),
        rate_limit=_REAL_RATE * SPEED,
        faults=STRICT_FAULTS,
        hang_s=_REAL_HANG_S / SPEED,
    )
    scenario = Scenario(per_platform, behaviour)
    with ledger_server() as server, platform(scenario) as target:
        before, began = server.cpu_s(), time.monotonic()
        nights = _collect(server, target, per_platform)
        wall_s, database_cpu_s = time.monotonic() - began, server.cpu_s() - before
    total = (
        f"{3 * per_platform:,} queries planned and collected in {wall_s:.0f} s, which stand for"
        f" {wall_s * SPEED / 60:.1f} min; the database took {database_cpu_s:.0f} s of CPU."
    )
    table = markdown(_HEAD, [_row(night) for night in nights])
    return "\n\n".join([total, table, target_table(targets_of(nights))])


def _collect(server: LedgerServer, target: PlatformProcess, per_platform: int) -> list[Night]:
    database_url = server.fresh()
    for platform_id in _PLATFORMS:
        asked = queries(per_platform, platform_id=platform_id)
        plan = plan_of(asked, platform_id=platform_id)
        PlanStore(database_url).freeze(plan, [], None)
    calls = [_call(database_url, target, platform_id) for platform_id in _PLATFORMS]
    running = [
        subprocess.Popen(engine_command(call), stdout=subprocess.PIPE, text=True) for call in calls
    ]
    reports = [read_report(process.communicate()[0]) for process in running]
    counts = target.counts_by_platform()
    return [
        Night(platform_id, report, counts[platform_id])
        for platform_id, report in zip(_PLATFORMS, reports, strict=True)
    ]


def _call(database_url: str, target: PlatformProcess, platform_id: str) -> EngineCall:
    real = RetrySettings()
    faster = ("timeout_base_s", "timeout_jitter_s", "server_fault_s", "rate_limit_base_s")
    return EngineCall(
        database_url=database_url,
        base_url=target.base_url_of(platform_id),
        rate=_REAL_RATE * SPEED,
        concurrency=_IN_FLIGHT,
        platform_id=platform_id,
        retry={name: getattr(real, name) / SPEED for name in faster},
    )


def _row(night: Night) -> list[str]:
    report, counts = night.report, night.counts
    return [
        night.platform_id,
        f"{report.asked:,}",
        f"{report.answered:,}",
        f"{counts.sends:,}",
        f"{counts.violations}",
        f"{counts.busiest_second}",
        f"{report.slot_delay_s * 1000:.1f}",
        f"{100 * (1 - report.attempts / report.slots):.1f} %",
        f"{report.wall_s:.1f}",
        f"{report.import_cpu_s + report.asking_cpu_s:.1f}",
    ]


def targets_of(nights: list[Night]) -> list[Target]:
    """Return what was promised of a night."""
    asked = sum(night.report.asked for night in nights)
    answered = sum(night.report.answered for night in nights)
    delay_s = max(night.report.slot_delay_s for night in nights)
    most = max(night.counts.busiest_second for night in nights)
    violations = sum(night.counts.violations for night in nights)
    twice = sum(night.counts.paid_twice for night in nights)
    limit = _REAL_RATE * SPEED
    return [
        Target("answered", 100 * answered / asked, Bound.AT_LEAST, 99.2, "%", 2),
        Target("mean delay of a send", delay_s, Bound.AT_MOST, 2 / SPEED, "s", 4),
        Target("busiest second of a platform", most, Bound.AT_MOST, limit),
        Target("violations", violations, Bound.EXACTLY, 0),
        Target("paid twice", twice, Bound.EXACTLY, 0),
    ]
