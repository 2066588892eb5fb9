"""Labelled sentences: what a person says that an answer thinks of a brand.

`own_stances.jsonl` has a batch of sentences that the rules were written beside (dev) and
three that were each written before the rules had met them.
"""

from typing import Any

import pytest
from stance_cases import load, only, stances

_OWN = load("own_stances.jsonl")
_MEASURED = load("stances.jsonl")
# The measured cases have three labels; a brand said to be unknown is neutral there.
_ACCEPTED = {"pos": {"recommended"}, "neg": {"negative"}, "neu": {"neutral", "absent"}}


def _name(case: dict[str, Any]) -> str:
    return f"{case['brand']}-{case['stance']}"


@pytest.mark.parametrize("case", _MEASURED, ids=_name)
def test_a_measured_case_is_judged_as_a_person_judges_it(case: dict[str, Any]) -> None:
    accepted = _ACCEPTED[case["stance"]]

    assert stances(case["text"])[case["brand"]] in accepted
    assert stances(case["text"], only(case["brand"]))[case["brand"]] in accepted


@pytest.mark.parametrize("case", _OWN, ids=_name)
def test_a_sentence_of_our_own_is_judged_as_labelled(case: dict[str, Any]) -> None:
    assert stances(case["text"])[case["brand"]] == case["stance"]


@pytest.mark.parametrize("case", _OWN, ids=_name)
def test_a_stance_does_not_need_the_other_brands_to_be_known(case: dict[str, Any]) -> None:
    assert stances(case["text"], only(case["brand"]))[case["brand"]] == case["stance"]


def test_the_labels_cover_both_languages_and_all_stances() -> None:
    seen = {(case["lang"], case["stance"]) for case in _OWN}

    assert len(_OWN) >= 100
    assert sum(case["held_out"] for case in _OWN) >= len(_OWN) / 2
    assert seen == {
        (language, stance)
        for language in ("zh", "en")
        for stance in ("recommended", "neutral", "negative", "absent", "unjudged")
    }
