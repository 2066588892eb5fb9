"""`python -m benchmarks.reader [PARTS]`: measure, print, and write into the README.

`floors` instead of parts writes the floors that tests hold the reader to, `draw` prints a
sample of what is found in collected answers, for a person to judge.
"""

import argparse
from collections.abc import Callable, Mapping
from pathlib import Path

from benchmarks.common.circumstances import Circumstances
from benchmarks.common.readme import write_section
from benchmarks.reader import part_a, part_b, part_c, part_d, part_e, part_f
from benchmarks.reader.collected import DataMissingError
from benchmarks.reader.floors import write_floors
from benchmarks.reader.gazetteers import PROJECT

README = Path(__file__).resolve().parent / "README.md"
_LIBRARIES = ("ahocorasick-rs", "opencc", "tldextract")

PARTS: Mapping[str, Callable[[argparse.Namespace], str]] = {
    "a": lambda _: part_a.measure_part(),
    "b": lambda given: part_b.measure_part(given.data),
    "c": lambda given: part_c.measure_part(with_peers=not given.ours),
    "d": lambda given: part_d.measure_part(given.data),
    "e": lambda given: part_e.measure_part(
        given.data, quick=given.quick, with_peers=not given.ours, full=not given.quick
    ),
    "f": lambda _: part_f.measure_part(),
}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.reader", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help="a to f; all when none is named")
    parser.add_argument(
        "--data",
        type=Path,
        default=PROJECT.parent / "shared" / "data",
        help="the folder with the collected answers; parts that need it are left out without it",
    )
    parser.add_argument("--quick", action="store_true", help="a tenth of part e, nothing written")
    parser.add_argument("--ours", action="store_true", help="without peers, nothing written")
    parser.add_argument("--dry", action="store_true", help="print only, leave the README as it is")
    return parser


def main() -> None:
    """Run the parts that are named, one after the other."""
    parser = _parser()
    given = parser.parse_args()
    if given.parts in (["floors"], ["draw"]):
        print(write_floors() if given.parts == ["floors"] else part_d.draw_samples(given.data))
        return
    unknown = sorted(set(given.parts) - set(PARTS))
    if unknown:
        expected = ", ".join(["floors", "draw", *PARTS])
        parser.error(f"PART: found {', '.join(unknown)}; expected {expected}")
    for name in given.parts or PARTS:
        _measure(name, given)


def _measure(name: str, given: argparse.Namespace) -> None:
    circumstances = Circumstances(f"python -m benchmarks.reader {name}", _LIBRARIES)
    try:
        measured = PARTS[name](given)
    except DataMissingError as missing:
        print(f"\n## Part {name}\n\nnot measured: {missing}", flush=True)
        return
    section = f"{measured}\n\n{circumstances.sentence()}"
    print(f"\n## Part {name}\n\n{section}", flush=True)
    # What leaves something out would hide what was measured in full.
    if not (given.quick or given.ours or given.dry):
        write_section(README, name, section)


if __name__ == "__main__":
    main()
