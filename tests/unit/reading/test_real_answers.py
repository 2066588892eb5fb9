"""The invariants on collected answers, where they are at hand beside the repository."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from readers import case_gazetteer

from brand_visibility.reading.reader import read_answer

_DATA = Path(__file__).parents[4] / "shared" / "data"

pytestmark = pytest.mark.skipif(
    not _DATA.is_dir(), reason="the collected answers (../shared/data) are not at hand"
)


def _answers(pattern: str) -> Iterator[str]:
    for path in sorted(_DATA.glob(pattern)):
        for line in path.read_text("utf-8").splitlines():
            yield json.loads(line)["answer"]


@pytest.mark.parametrize(
    ("pattern", "count"), [("answers_en_*.jsonl", 2_415), ("answers_zh_*.jsonl", 700)]
)
def test_every_collected_answer_is_read_with_exact_offsets(pattern: str, count: int) -> None:
    answers = list(_answers(pattern))
    wrong = [
        mention
        for answer in answers
        for reading in [read_answer(answer, case_gazetteer())]
        for mention in [*reading.mentions, *reading.suppressed]
        if answer[mention.start_offset : mention.end_offset] != mention.surface
    ]

    assert len(answers) == count
    assert wrong == []


def test_collected_answers_hold_mentions_of_both_languages() -> None:
    brands = {
        mention.brand_id
        for answer in _answers("answers_*.jsonl")
        for mention in read_answer(answer, case_gazetteer()).mentions
    }

    assert {"Tesla", "Apple", "Microsoft", "Alibaba"} <= brands
