"""Part a: the measured cases of mentions, ranks, stances and addresses."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from benchmarks.common.table import Bound, Target, markdown, target_table
from benchmarks.reader.gazetteers import CASES, case_gazetteer, plain_gazetteer
from brand_visibility.reading.ranks import Ranking
from brand_visibility.reading.reader import read_answer
from brand_visibility.reading.view import build_view

Case = Mapping[str, Any]

# The measured stances have three labels; a brand said to be unknown is neutral there.
_ACCEPTED: Mapping[str, frozenset[str]] = {
    "pos": frozenset({"recommended"}),
    "neg": frozenset({"negative"}),
    "neu": frozenset({"neutral", "absent"}),
}
_MORE_BRANDS = ("Microsoft Teams", "TCL", "天猫", "拼多多", "追觅")


def measure_part() -> str:
    """Read every case and return the part's section."""
    counts = [
        ("mentions", *_count("mentions.jsonl", _mentions_are_right())),
        ("ranks", *_count("ranks.jsonl", _ranks_are_right())),
        ("stances", *_count("stances.jsonl", _stance_is_right("stances.jsonl"))),
        ("stances, our own", *_count("own_stances.jsonl", _stance_is_right("own_stances.jsonl"))),
        ("addresses", *_count("urls.jsonl", _addresses_are_right)),
    ]
    rows = [
        (name, f"{right} of {count}", faults or "none") for name, right, count, faults in counts
    ]
    targets = [
        Target(f"{name}: right", right, Bound.EXACTLY, count) for name, right, count, _ in counts
    ]
    return f"{markdown(('cases', 'right', 'faults'), rows)}\n\n{target_table(targets)}"


def _count(name: str, is_right: Callable[[Case], bool]) -> tuple[int, int, str]:
    cases = _load(name)
    faulty = [case for case in cases if not is_right(case)]
    faults = "; ".join(str(case.get("id", case["text"])) for case in faulty)
    return len(cases) - len(faulty), len(cases), faults


def _load(name: str) -> list[Case]:
    return [json.loads(line) for line in (CASES / name).read_text(encoding="utf-8").splitlines()]


def _mentions_are_right() -> Callable[[Case], bool]:
    gazetteer = case_gazetteer()

    def is_right(case: Case) -> bool:
        found = read_answer(case["text"], gazetteer).mentions
        expected = [(one["brand"], one["surface"]) for one in case["mentions"]]
        return [(one.brand_id, one.surface) for one in found] == expected

    return is_right


def _ranks_are_right() -> Callable[[Case], bool]:
    names = json.loads((CASES / "gazetteer.json").read_text(encoding="utf-8"))["rank_brands"]
    gazetteer = plain_gazetteer(*names)

    def is_right(case: Case) -> bool:
        rankings = read_answer(case["text"], gazetteer).rankings
        ranking = next(iter(rankings.values()), Ranking())
        ranks = {rank.brand_id: rank.rank for rank in ranking.ranks if rank.is_primary}
        # Where no list ranks, a case gives the order of mention, which is no rank here.
        in_order = {brand_id: at for at, brand_id in enumerate(ranking.order_of_mention, start=1)}
        return bool((ranks or in_order) == case["rank"])

    return is_right


def _stance_is_right(name: str) -> Callable[[Case], bool]:
    gazetteer = plain_gazetteer(*sorted({*(case["brand"] for case in _load(name)), *_MORE_BRANDS}))

    def is_right(case: Case) -> bool:
        stances = {
            judged.brand_id: str(judged.stance)
            for judged in read_answer(case["text"], gazetteer).stances
        }
        accepted = _ACCEPTED.get(case["stance"], frozenset({case["stance"]}))
        return stances.get(case["brand"]) in accepted

    return is_right


def _addresses_are_right(case: Case) -> bool:
    text = case["text"]
    return bool([text[start:end] for start, end in build_view(text).urls] == case["urls"])
