"""The gazetteers that the benchmark reads for, from the project's own files."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from brand_visibility.adapters.catalog.loader import load_brands
from brand_visibility.domain.catalog import Alias, AliasPolicy, Brand
from brand_visibility.reading.gazetteer import Gazetteer, build_gazetteer

PROJECT = Path(__file__).resolve().parents[2]
CASES = PROJECT / "tests" / "cases"
LABELLED = PROJECT / "tests" / "benchmark"


def case_gazetteer() -> Gazetteer:
    """Return the gazetteer of the measured cases: 150 brands of both languages."""
    return _read(CASES / "gazetteer.json")


def passage_gazetteer() -> Gazetteer:
    """Return the gazetteer of the labelled passages: 79 brands, their topics and decoys."""
    return _read(LABELLED / "gazetteer.json")


def real_answer_gazetteer() -> Gazetteer:
    """Return the gazetteer of the example catalog for general English answers."""
    return build_gazetteer(*load_brands(PROJECT / "examples" / "real-answers"))


def plain_gazetteer(*names: str) -> Gazetteer:
    """Return a gazetteer of brands that are called by one safe name each."""
    return build_gazetteer(Brand(name, "cases", name, (Alias(name),), ()) for name in names)


def _read(path: Path) -> Gazetteer:
    described = json.loads(path.read_text(encoding="utf-8"))
    return build_gazetteer(map(_brand, described["brands"]), described["decoys"])


def _brand(described: Mapping[str, Any]) -> Brand:
    brand_id = described.get("brand_id") or described["brand"]
    return Brand(
        brand_id,
        "benchmark",
        described.get("name", brand_id),
        tuple(map(_alias, described["aliases"])),
        tuple(described.get("topics", ())),
        decoys=tuple(described.get("decoys", ())),
    )


def _alias(described: str | Mapping[str, Any]) -> Alias:
    if isinstance(described, str):
        return Alias(described)
    context = tuple(described.get("context_any", ()))
    return Alias(
        described["text"],
        AliasPolicy(described.get("policy", "guarded" if context else "safe")),
        is_case_sensitive=described.get("case_sensitive", False),
        context_any=context,
    )
