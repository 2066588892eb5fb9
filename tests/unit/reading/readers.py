"""What the reading tests share: the gazetteer of the cases, and short ways to read."""

import json
from functools import cache
from pathlib import Path
from typing import Any

from brand_visibility.domain.catalog import Alias, AliasPolicy, Brand
from brand_visibility.reading.gazetteer import Gazetteer, build_gazetteer
from brand_visibility.reading.reader import read_answer

CASES = Path(__file__).parents[2] / "cases"


@cache
def case_gazetteer() -> Gazetteer:
    described = json.loads((CASES / "gazetteer.json").read_text("utf-8"))
    return build_gazetteer(map(_brand, described["brands"]), described["decoys"])


def _brand(described: dict[str, Any]) -> Brand:
    aliases = tuple(_alias(alias) for alias in described["aliases"])
    return a_brand(described["brand"], *aliases)


def _alias(described: dict[str, Any]) -> Alias:
    context = tuple(described.get("context_any", ()))
    return Alias(
        described["text"],
        AliasPolicy.GUARDED if context else AliasPolicy.SAFE,
        is_case_sensitive=described.get("case_sensitive", False),
        context_any=context,
    )


def a_brand(
    brand_id: str,
    *aliases: Alias | str,
    tenant_id: str = "acme",
    topics: tuple[str, ...] = (),
    decoys: tuple[str, ...] = (),
) -> Brand:
    written = tuple(Alias(alias) if isinstance(alias, str) else alias for alias in aliases)
    return Brand(brand_id, tenant_id, brand_id, written, topics, decoys=decoys)


def surfaces(text: str, gazetteer: Gazetteer | None = None) -> list[str]:
    reading = read_answer(text, gazetteer or case_gazetteer())
    return [mention.surface for mention in reading.mentions]


def suppressed(text: str, gazetteer: Gazetteer | None = None) -> list[tuple[str, str]]:
    reading = read_answer(text, gazetteer or case_gazetteer())
    return [(mention.surface, str(mention.suppressed_reason)) for mention in reading.suppressed]
