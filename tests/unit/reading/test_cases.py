"""The measured cases: every mention in order, with its brand and its raw characters."""

import json
from typing import Any

import pytest
from readers import CASES, case_gazetteer

from brand_visibility.reading.reader import read_answer

_CASES = [json.loads(line) for line in (CASES / "mentions.jsonl").read_text("utf-8").splitlines()]


@pytest.mark.parametrize("case", _CASES, ids=lambda case: case["id"])
def test_a_case_is_read_as_a_person_reads_it(case: dict[str, Any]) -> None:
    reading = read_answer(case["text"], case_gazetteer())

    assert [(mention.brand_id, mention.surface) for mention in reading.mentions] == [
        (expected["brand"], expected["surface"]) for expected in case["mentions"]
    ]
