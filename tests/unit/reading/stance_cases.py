"""What the stance tests share: labelled sentences, and short ways to judge one."""

import json
from functools import cache
from typing import Any

from readers import CASES, a_brand

from brand_visibility.reading.gazetteer import Gazetteer, build_gazetteer
from brand_visibility.reading.page import Page
from brand_visibility.reading.reader import read_answer
from brand_visibility.reading.stances import BrandStance, judge_stances

_UNLABELLED = ("Microsoft Teams", "TCL", "天猫", "拼多多", "追觅")


def load(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (CASES / name).read_text("utf-8").splitlines()]


@cache
def all_brands() -> Gazetteer:
    labelled = {case["brand"] for name in _FILES for case in load(name)}
    return build_gazetteer(a_brand(name, name) for name in sorted({*labelled, *_UNLABELLED}))


_FILES = ("stances.jsonl", "own_stances.jsonl")


@cache
def only(*names: str) -> Gazetteer:
    return build_gazetteer(a_brand(name, name) for name in names)


def judge(text: str, gazetteer: Gazetteer | None = None) -> dict[str, BrandStance]:
    known = gazetteer or all_brands()
    judged = judge_stances(Page(text), read_answer(text, known))
    return {stance.brand_id: stance for stance in judged}


def stances(text: str, gazetteer: Gazetteer | None = None) -> dict[str, str]:
    return {brand_id: str(found.stance) for brand_id, found in judge(text, gazetteer).items()}
