"""What the reading tests share: the gazetteer of the cases, and short ways to read."""

import json
import time
from collections.abc import Callable
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


def assert_takes_linear_time(read: Callable[[str], object], short: str, long: str) -> None:
    """Hold that ten times the text takes nowhere near a hundred times the time.

    A busy machine may interrupt any one reading, so the fastest of a few counts. The floor
    keeps clock ticks out, and the room above 10 a cache that only the short text fits into.
    """
    shortest = max(0.005, min(_cpu_seconds(read, short) for _ in range(3)))
    taken = [_cpu_seconds(read, long)]
    while min(taken) >= 40 * shortest and len(taken) < 5:
        taken.append(_cpu_seconds(read, long))
    assert min(taken) < 40 * shortest


def _cpu_seconds(read: Callable[[str], object], text: str) -> float:
    started = time.process_time()
    read(text)
    return time.process_time() - started
