"""What the reader reaches on the labelled passages must not be lost again.

`floors.json` holds what was reached, for each kind of passage and each language. A change
that brings one below says so here; one that lifts it lifts the floor with it:
`python -m benchmarks.reader floors`.
"""

import json
from collections.abc import Callable, Mapping
from functools import cache

import pytest

from benchmarks.common.table import markdown
from benchmarks.reader.floors import FLOORS, FLOORS_PATH, reached
from benchmarks.reader.gazetteers import passage_gazetteer
from benchmarks.reader.passages import (
    KINDS,
    Passage,
    load_passages,
    reader_finder,
    score_passages,
    tally,
)
from benchmarks.reader.rules import PUBLIC_RULES, Rule
from benchmarks.reader.scoring import Place, Score, score
from brand_visibility.reading.gazetteer import Gazetteer

_LANGUAGES = ("en", "zh")


@cache
def _read() -> list[tuple[Passage, Score]]:
    return score_passages(load_passages(), reader_finder())


def _all_below() -> str:
    rows = [
        (language, kind, figure, f"{reached_now:.3f}", f"{floor:.2f}")
        for language, kinds in reached(_read()).items()
        for kind, figures in kinds.items()
        for figure, reached_now in figures.items()
        if reached_now < (floor := _floors()[language][kind][figure])
    ]
    return markdown(("language", "kind", "figure", "reached", "floor"), rows)


@cache
def _floors() -> Mapping[str, Mapping[str, Mapping[str, float]]]:
    floors: Mapping[str, Mapping[str, Mapping[str, float]]] = json.loads(
        FLOORS_PATH.read_text(encoding="utf-8")
    )
    return floors


@pytest.mark.parametrize("language", _LANGUAGES)
@pytest.mark.parametrize("kind", KINDS)
def test_no_kind_of_passage_falls_below_what_was_reached(kind: str, language: str) -> None:
    figures = reached(_read())[language][kind]

    below = {name for name in FLOORS if figures[name] < _floors()[language][kind][name]}

    assert not below, f"{language} {kind}: {sorted(below)} fell\n{_all_below()}"


@pytest.mark.parametrize("is_held_out", [True, False])
def test_over_all_kinds_the_reader_is_right_nine_times_in_ten(*, is_held_out: bool) -> None:
    all_of_half = tally(
        (passage, found) for passage, found in _read() if passage.is_held_out is is_held_out
    )

    assert all_of_half.score.precision >= 0.9
    assert all_of_half.score.recall >= 0.9


def test_every_right_find_begins_and_ends_where_the_label_does() -> None:
    found = tally(_read()).score

    assert found.exact == found.right


@pytest.mark.parametrize("build", PUBLIC_RULES.values(), ids=PUBLIC_RULES)
def test_a_public_rule_makes_three_times_as_many_faults(build: Callable[[Gazetteer], Rule]) -> None:
    rule = build(passage_gazetteer())
    passages = load_passages()

    public = tally(score_passages(passages, lambda passage: rule(passage.text)))
    ours = tally(_read())

    assert public.score.f1 < ours.score.f1 - 0.1
    assert public.passages - public.faultless > 3 * (ours.passages - ours.faultless)


def test_there_are_enough_passages_of_every_kind_and_half_are_held_out() -> None:
    passages = load_passages()
    texts = {passage.text for passage in passages}

    assert len(passages) == len(texts) >= 300
    assert {passage.kind for passage in passages} == set(KINDS)
    for kind in KINDS:
        of_kind = [passage for passage in passages if passage.kind == kind]
        assert len(of_kind) >= 15
        assert {passage.language for passage in of_kind} == set(_LANGUAGES)
        assert abs(sum(1 if one.is_held_out else -1 for one in of_kind)) <= 2


@pytest.mark.parametrize(
    ("gold", "found", "expected"),
    [
        ([], [], Score()),
        ([("a", 0, 2)], [("a", 0, 2)], Score(right=1, exact=1)),
        # A shorter find of the same brand is right, though not exact.
        ([("a", 0, 4)], [("a", 0, 2)], Score(right=1)),
        ([("a", 0, 2)], [("b", 0, 2)], Score(wrong=1, missed=1)),
        # Side by side is not the same place, and one place is found once.
        ([("a", 0, 2)], [("a", 2, 4)], Score(wrong=1, missed=1)),
        ([("a", 0, 4)], [("a", 0, 2), ("a", 2, 4)], Score(right=1, wrong=1)),
        ([("a", 0, 2), ("a", 2, 4)], [("a", 2, 4)], Score(right=1, missed=1, exact=1)),
    ],
)
def test_a_find_is_right_where_it_overlaps_a_label_of_its_brand(
    gold: list[tuple[str, int, int]], found: list[tuple[str, int, int]], expected: Score
) -> None:
    assert score([Place(*one) for one in gold], [Place(*one) for one in found]) == expected


def test_rates_of_nothing_are_whole() -> None:
    assert (Score().precision, Score().recall, Score().f1) == (1.0, 1.0, 1.0)
    assert (Score(wrong=2).precision, Score(missed=2).recall) == (0.0, 0.0)
    assert Score(right=6, wrong=2, missed=6).f1 == pytest.approx(0.6)
