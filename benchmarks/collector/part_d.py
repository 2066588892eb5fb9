"""Part d: the cost of a query as the work grows: 1,500, 15,000 and 150,000 queries.

One process, a platform that answers in 0.2 s without faults, 600 sends a second: fast enough
to be done in minutes, slow enough that the client is never the limit.
"""

import time
from dataclasses import dataclass

from benchmarks.collector.clients import engine_command
from benchmarks.collector.engine_call import EngineCall, EngineReport, read_report
from benchmarks.collector.ledger_server import LedgerServer, ledger_server
from benchmarks.collector.platform_process import platform
from benchmarks.collector.scenario import Scenario, plan_of, queries
from benchmarks.common.measuring import measure
from benchmarks.common.table import Bound, Target, markdown, target_table
from brand_visibility.adapters.ledger.plans import PlanStore
from brand_visibility.simulator.settings import Latency, PlatformBehaviour

_SIZES = (1_500, 15_000, 150_000)
_RATE = 600
_LIMIT_S = 900.0
_HEAD = (
    "queries",
    "answered",
    "wall s",
    "client CPU µs a query",
    "database CPU µs a query",
    "peak MB",
    "planned in s",
    "read back in s",
)


@dataclass(frozen=True, slots=True)
class Size:
    """One size of work and its cost. Seconds; `plan_s` is the time to freeze the plan."""

    report: EngineReport
    peak_mb: float
    plan_s: float
    database_cpu_s: float

    @property
    def client_us(self) -> float:
        """CPU microseconds of the engine for a query, the start of the process left out."""
        return self.report.asking_cpu_s / self.report.asked * 1e6

    @property
    def database_us(self) -> float:
        """CPU microseconds of the database for a query."""
        return self.database_cpu_s / self.report.asked * 1e6


def measure_part(*, quick: bool) -> str:
    """Collect every size and return the part's section."""
    sizes = (150, 300) if quick else _SIZES
    with ledger_server() as server:
        measured = [_measure(server, size) for size in sizes]
    table = markdown(_HEAD, [_row(size) for size in measured])
    return f"{table}\n\n{target_table(targets_of(measured))}"


def _measure(server: LedgerServer, size: int) -> Size:
    database_url, asked = server.fresh(), queries(size)
    began = time.monotonic()
    PlanStore(database_url).freeze(plan_of(asked), [], None)
    plan_s = time.monotonic() - began
    with platform(Scenario(size, PlatformBehaviour(Latency(0.2, 0.5)))) as target:
        call = EngineCall(database_url, target.base_url, _RATE, _RATE)
        before = server.cpu_s()
        cost = measure(engine_command(call), limit_s=_LIMIT_S)
        database_cpu_s = server.cpu_s() - before
    return Size(read_report(cost.output), cost.peak_mb, plan_s, database_cpu_s)


def _row(size: Size) -> list[str]:
    return [
        f"{size.report.asked:,}",
        f"{size.report.answered:,}",
        f"{size.report.wall_s:.1f}",
        f"{size.client_us:.0f}",
        f"{size.database_us:.0f}",
        f"{size.peak_mb:.0f}",
        f"{size.plan_s:.2f}",
        f"{size.report.recover_s:.2f}",
    ]


def targets_of(measured: list[Size]) -> list[Target]:
    """Return what linear growth demands of the largest size against the one before."""
    smaller, largest = measured[-2:]
    client = largest.client_us / smaller.client_us
    database = largest.database_us / smaller.database_us
    lost = sum(size.report.asked - size.report.answered for size in measured)
    return [
        Target("client CPU a query, ÷ a tenth of the work", client, Bound.AT_MOST, 1.2, digits=2),
        Target(
            "database CPU a query, ÷ a tenth of the work", database, Bound.AT_MOST, 1.2, digits=2
        ),
        Target("queries without an answer", lost, Bound.EXACTLY, 0),
    ]
