"""`python -m benchmarks.measures [SIZES]`: measure, print, and write into the README."""

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks.common.circumstances import Circumstances
from benchmarks.common.measuring import Cost, measure
from benchmarks.common.readme import write_section
from benchmarks.common.table import Bound, Target, markdown, target_table
from brand_visibility.adapters.figures import FIGURES

README = Path(__file__).resolve().parent / "README.md"
_SIZES = (15_000, 150_000, 450_000)
_LARGEST = 1_500_000
_NIGHT = 150_000
_MOST_MB = 2_000
_LIMIT_S = 1_800
_LIBRARIES = ("numpy", "pandas", "pyarrow")


def main() -> None:
    """Measure days of every size, then each dataset of a night by itself."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.measures", description=__doc__)
    parser.add_argument("sizes", nargs="*", type=int, metavar="SIZE", help="answers of a day")
    given = parser.parse_args()
    circumstances = Circumstances("python -m benchmarks.measures", _LIBRARIES)
    section = f"{_measured(given.sizes or _SIZES)}\n\n{circumstances.sentence()}"
    print(section)
    if not given.sizes:
        write_section(README, "figures", section)


def _measured(sizes: Sequence[int]) -> str:
    costs: dict[int, Cost] = {}
    parts: list[list[str]] = []
    with tempfile.TemporaryDirectory() as folder:
        for size in sizes:
            lake = str(Path(folder) / str(size))
            _run("store", lake, size)
            costs[size] = _run("measure", lake, size)
            if size == _NIGHT:
                parts = [_part(lake, size, figures.dataset.name) for figures in FIGURES]
    tables = [markdown(("answers of the day", "CPU", "memory at most"), _rows(costs))]
    if _NIGHT in costs:
        target = Target(
            f"memory for {_NIGHT:,} answers", costs[_NIGHT].peak_mb, Bound.AT_MOST, _MOST_MB, "MB"
        )
        head = ("one dataset of that day alone", "rows", "CPU", "memory at most")
        tables += [target_table([target]), markdown(head, parts)]
    return "\n\n".join(tables)


def _rows(costs: dict[int, Cost]) -> list[list[str]]:
    rows = [
        [f"{size:,}", f"{cost.cpu_s:.1f} s", f"{cost.peak_mb:,.0f} MB"]
        for size, cost in costs.items()
    ]
    if len(costs) < 2:
        return rows
    (small, first), (large, last) = list(costs.items())[-2:]
    further = (_LARGEST - large) / (large - small)
    cpu_s = last.cpu_s + further * (last.cpu_s - first.cpu_s)
    peak_mb = last.peak_mb + further * (last.peak_mb - first.peak_mb)
    label = f"{_LARGEST:,} (not run: on the line through the last two)"
    return [*rows, [label, f"{cpu_s:.0f} s", f"{peak_mb:,.0f} MB"]]


def _part(lake: str, size: int, name: str) -> list[str]:
    cost = _run("measure", lake, size, name)
    row_count = int(cost.output.split()[-1])
    return [name, f"{row_count:,}", f"{cost.cpu_s:.1f} s", f"{cost.peak_mb:,.0f} MB"]


def _run(what: str, lake: str, size: int, *names: str) -> Cost:
    command = [sys.executable, "-m", "benchmarks.measures.day_run", what, lake, str(size), *names]
    cost = measure(command, limit_s=_LIMIT_S)
    if cost.exit_code != 0:
        raise RuntimeError(f"{' '.join(command)}: exit code {cost.exit_code}\n{cost.output}")
    return cost


if __name__ == "__main__":
    main()
