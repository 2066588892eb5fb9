"""The measured cases: the ranks of the first list that counts, or none and an order."""

import json
from typing import Any

import pytest
from rankers import ranking
from readers import CASES

_CASES = [json.loads(line) for line in (CASES / "ranks.jsonl").read_text("utf-8").splitlines()]


@pytest.mark.parametrize("case", _CASES, ids=lambda case: case["id"])
def test_a_case_is_ranked_as_a_person_ranks_it(case: dict[str, Any]) -> None:
    found = ranking(case["text"])
    ranked = {rank.brand_id: rank.rank for rank in found.ranks if rank.is_primary}
    order = {brand_id: place for place, brand_id in enumerate(found.order_of_mention, start=1)}

    # Where no list ranks, the case gives the order of mention, which is no rank here.
    assert (ranked or order) == case["rank"]
