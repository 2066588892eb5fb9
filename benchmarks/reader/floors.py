"""What the reader reached on the labelled passages, kept so that it is not lost again.

`python -m benchmarks.reader floors` writes what is reached now, a little under it.
"""

import json
import math
from collections.abc import Mapping, Sequence

from benchmarks.reader.gazetteers import LABELLED
from benchmarks.reader.passages import (
    KINDS,
    Passage,
    Tally,
    load_passages,
    reader_finder,
    score_passages,
    tally,
)
from benchmarks.reader.scoring import Score

FLOORS_PATH = LABELLED / "floors.json"
FLOORS = ("precision", "recall", "f1", "faultless")

# Of a kind's ten passages one more fault takes more than this; rounding takes less.
_SLACK = 0.02

Reached = Mapping[str, Mapping[str, Mapping[str, float]]]


def reached(scored: Sequence[tuple[Passage, Score]]) -> Reached:
    """Return the figures by language and kind of passage."""
    return {
        language: {
            kind: _figures(
                tally(
                    (passage, found)
                    for passage, found in scored
                    if (passage.language, passage.kind) == (language, kind)
                )
            )
            for kind in KINDS
        }
        for language in ("en", "zh")
    }


def _figures(found: Tally) -> dict[str, float]:
    return {
        "precision": found.score.precision,
        "recall": found.score.recall,
        "f1": found.score.f1,
        "faultless": found.faultless_rate,
    }


def write_floors() -> str:
    """Write floors slightly under what is reached now, and return what was done."""
    now = reached(score_passages(load_passages(), reader_finder()))
    floors = {
        language: {
            kind: {name: _under(figure) for name, figure in figures.items()}
            for kind, figures in kinds.items()
        }
        for language, kinds in now.items()
    }
    FLOORS_PATH.write_text(json.dumps(floors, indent=1) + "\n", encoding="utf-8")
    return f"floors of {len(KINDS)} kinds in 2 languages are in {FLOORS_PATH.name}"


def _under(figure: float) -> float:
    return max(0.0, math.floor((figure - _SLACK) * 100) / 100)
