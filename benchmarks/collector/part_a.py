"""Part a: 3,000 questions of the strict platform, this project's collector and its peers."""

from collections.abc import Iterator

from benchmarks.collector.all_peers import ALL_PEERS
from benchmarks.collector.clients import (
    ONE_SECOND,
    OWN_RULES,
    Run,
    run_ask,
    run_engine,
    run_peer,
)
from benchmarks.collector.floor import (
    Floor,
    floor_of,
    one_second,
    thirty_seconds_after_server_fault,
)
from benchmarks.collector.ledger_server import ledger_server
from benchmarks.collector.scenario import strict_scenario
from benchmarks.common.environments import prepare
from benchmarks.common.table import Bound, Target, markdown, target_table

_HEAD = (
    "client",
    "wall s",
    "sends",
    "violations",
    "busiest second",
    "lost",
    "paid twice",
    "CPU s",
    "peak MB",
    "remark",
)


def measure_part(*, quick: bool, with_peers: bool = True) -> str:
    """Run every client and return the part's section."""
    scenario = strict_scenario(200 if quick else 3_000)
    floors = (
        floor_of(scenario, one_second),
        floor_of(scenario, thirty_seconds_after_server_fault),
    )
    with ledger_server() as server:
        runs = [
            run_engine(scenario, server, title="**engine, ledger on**", retry=ONE_SECOND),
            run_ask(scenario, title="**`ask`**", retry=ONE_SECOND),
            run_engine(scenario, server, title="**engine, its own rules**", retry=OWN_RULES),
        ]
    rows = [row_of(run) for run in runs]
    if with_peers:
        rows += list(_peers(quick=quick))
    return "\n\n".join(
        [
            _floors(scenario.questions, floors),
            markdown(_HEAD, rows),
            target_table(targets_of(runs[0], floors[0]) + _own_targets(runs[2], floors[1])),
        ]
    )


def _peers(*, quick: bool) -> Iterator[list[str]]:
    scenario = strict_scenario(200 if quick else 3_000)
    for peer in ALL_PEERS[:1] if quick else ALL_PEERS:
        problem = prepare(peer)
        if problem:
            yield [peer.title, *["–"] * (len(_HEAD) - 2), problem]
        else:
            yield row_of(run_peer(scenario, peer))


def row_of(run: Run) -> list[str]:
    """Return a client's cells of the table."""
    remarks = [run.detail] if run.detail else []
    if run.database_cpu_s is not None:
        remarks.append(f"database {run.database_cpu_s:.1f} s of CPU besides")
    return [
        run.title,
        f"{run.seen.wall_s:.2f}",
        f"{run.seen.counts.sends:,}",
        f"{run.seen.counts.violations:,}",
        f"{run.seen.counts.busiest_second}",
        f"{run.lost:,}",
        f"{run.seen.counts.paid_twice}",
        f"{run.cost.cpu_s:.1f}",
        f"{run.cost.peak_mb:.0f}",
        "; ".join(remarks),
    ]


def targets_of(run: Run, floor: Floor) -> list[Target]:
    """Return what was promised of the engine with the rule of one second."""
    wall = Target("wall ÷ floor", run.seen.wall_s / floor.wall_s, Bound.AT_MOST, 1.02, digits=3)
    return [
        wall,
        Target("violations", run.seen.counts.violations, Bound.EXACTLY, 0),
        Target("lost", run.lost, Bound.EXACTLY, 0),
        Target("paid twice", run.seen.counts.paid_twice, Bound.EXACTLY, 0),
        Target("sends", run.seen.counts.sends, Bound.AT_MOST, floor.sends),
        Target("CPU of the client", run.cost.cpu_s, Bound.AT_MOST, 5, "s", 1),
        Target("peak memory of the client", run.cost.peak_mb, Bound.AT_MOST, 150, "MB"),
    ]


def _own_targets(run: Run, floor: Floor) -> list[Target]:
    ratio = run.seen.wall_s / floor.wall_s
    return [
        Target("wall ÷ floor, its own rules", ratio, Bound.AT_MOST, 1.02, digits=3),
        Target("violations, its own rules", run.seen.counts.violations, Bound.EXACTLY, 0),
        Target("lost, its own rules", run.lost, Bound.EXACTLY, 0),
    ]


def _floors(questions: int, floors: tuple[Floor, Floor]) -> str:
    own, thirty = floors
    faults = ", ".join(f"{count} {kind}" for kind, count in sorted(own.faults.items()))
    return (
        f"A perfect client needs {own.sends:,} sends for {questions:,} questions ({faults}) and"
        f" **{own.wall_s:.2f} s** with one second after a fault, **{thirty.wall_s:.2f} s** with"
        f" 30 s after a server fault."
    )
