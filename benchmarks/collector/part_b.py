"""Part b: 2,000 and 10,000 calls in flight, 5 s an answer, no limit of rate."""

import json
import sys

from benchmarks.collector.platform_process import platform
from benchmarks.collector.scenario import slow_scenario
from benchmarks.collector.sender_run import SenderCall, SenderReport
from benchmarks.common.measuring import measure
from benchmarks.common.table import Bound, Target, markdown, target_table

_LIMIT_S = 240.0
_ROUNDS = 2
_HEAD = ("in flight", "client", "calls", "answered", "wall s", "CPU µs a call", "kB in flight")
# Microseconds of CPU for a call, as measured for this transport before there was an engine.
_PROMISED_US = {2_000: 650.0, 10_000: 650.0}
_PROMISED_RATIO = 2.5


def measure_part(*, quick: bool) -> str:
    """Run both clients at both depths and return the part's section."""
    rows: list[list[object]] = []
    targets: list[Target] = []
    for in_flight in (100,) if quick else tuple(_PROMISED_US):
        reports = {kind: _run(kind, in_flight) for kind in ("ours", "aiohttp")}
        rows += [_row(kind, in_flight, report) for kind, report in reports.items()]
        targets += _targets(in_flight, reports["ours"], reports["aiohttp"])
    return f"{markdown(_HEAD, rows)}\n\n{target_table(targets)}"


def _run(kind: str, in_flight: int) -> SenderReport:
    calls = _ROUNDS * in_flight
    with platform(slow_scenario(calls)) as target:
        call = SenderCall(kind, target.base_url, calls, in_flight)
        command = [sys.executable, "-m", "benchmarks.collector.sender_run", call.to_json()]
        output = measure(command, limit_s=_LIMIT_S).output
    try:
        return SenderReport(**json.loads(output.strip().splitlines()[-1]))
    except (IndexError, ValueError) as error:
        raise RuntimeError(f"{kind}: no report; it said: {output[-2000:]}") from error


def _cpu_us(report: SenderReport) -> float:
    return report.cpu_s / max(1, report.answered) * 1e6


def _row(kind: str, in_flight: int, report: SenderReport) -> list[object]:
    held = (report.peak_bytes - report.before_bytes) / in_flight / 1000
    return [
        f"{in_flight:,}",
        {"ours": "**`HttpSender`**", "aiohttp": "plain aiohttp"}[kind],
        f"{_ROUNDS * in_flight:,}",
        f"{report.answered:,}",
        f"{report.wall_s:.1f}",
        f"{_cpu_us(report):.0f}",
        f"{held:.0f}",
    ]


def _targets(in_flight: int, ours: SenderReport, plain: SenderReport) -> list[Target]:
    name = f"{in_flight:,} in flight"
    calls = _ROUNDS * in_flight
    promised = _PROMISED_US.get(in_flight, _PROMISED_US[2_000])
    ratio = _cpu_us(ours) / _cpu_us(plain)
    return [
        Target(f"{name}: answered", ours.answered, Bound.EXACTLY, calls),
        Target(f"{name}: CPU a call", _cpu_us(ours), Bound.AT_MOST, promised, "µs"),
        Target(f"{name}: ÷ plain aiohttp", ratio, Bound.AT_MOST, _PROMISED_RATIO, digits=2),
    ]
