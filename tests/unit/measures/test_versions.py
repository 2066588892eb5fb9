"""A formula that changes the figures of the same answers changes their version too."""

from hashlib import sha256
from pathlib import Path

import pandas as pd
import pytest
from two_days import DAY, NEXT, a_day

from brand_visibility.measures.changes import changes_daily
from brand_visibility.measures.share_of_voice import share_of_voice_daily
from brand_visibility.measures.stability import stability_daily
from brand_visibility.measures.versions import DEFINITIONS, MEASURES_VERSION
from brand_visibility.measures.visibility import visibility_daily

METHODS = Path(__file__).parents[3] / "docs" / "methods.md"

TODAY = a_day(NEXT, {"acme": 0.4, "bolt": 0.7}, repeats=3, ranks={"acme": 0.3})
YESTERDAY = a_day(DAY, {"acme": 0.2, "bolt": 0.7}, repeats=2, ranks={"acme": 0.1})
FIGURES = {
    "visibility": visibility_daily(TODAY.plan, TODAY.answers, TODAY.mentions),
    "share_of_voice": share_of_voice_daily(TODAY.plan, TODAY.answers, TODAY.mentions),
    "stability": stability_daily(TODAY, YESTERDAY),
    "changes": changes_daily(TODAY, YESTERDAY),
}
OF_VERSION = {
    "2": {
        "visibility": "a81366ea4c5f7aea",
        "share_of_voice": "4fe40827019179ba",
        "stability": "3c3268c56832b21a",
        "changes": "451fa734b38f147e",
    }
}


def digest(rows: pd.DataFrame) -> str:
    # Nine decimals: processors may differ in the last ones.
    written = rows.to_csv(index=False, float_format="%.9f", lineterminator="\n")
    return sha256(written.encode()).hexdigest()[:16]


@pytest.mark.parametrize("name", FIGURES)
def test_figures_of_the_same_answers_change_only_with_the_version(name: str) -> None:
    assert digest(FIGURES[name]) == OF_VERSION[MEASURES_VERSION][name]


@pytest.mark.parametrize("name", FIGURES)
def test_every_figure_says_which_version_it_is_of(name: str) -> None:
    assert set(FIGURES[name]["measure_version"]) == {MEASURES_VERSION}


@pytest.mark.parametrize("name", DEFINITIONS)
def test_every_definition_is_defended_in_the_methods(name: str) -> None:
    assert f"`{name}`" in METHODS.read_text("utf-8")


def test_the_methods_are_those_of_this_version() -> None:
    assert f"version {MEASURES_VERSION} of the measures" in METHODS.read_text("utf-8")
