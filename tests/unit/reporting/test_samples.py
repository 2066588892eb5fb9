from typing import Any

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from shown_days import DAY, frame

from brand_visibility.adapters.lake.schemas import CORE_MENTIONS, QUERY_PLAN, RAW_ANSWERS
from brand_visibility.domain.errors import IncompleteError
from brand_visibility.reporting.samples import (
    CHARACTERS_AFTER,
    CHARACTERS_BEFORE,
    SampleAnswer,
    Span,
    excerpt,
    pick_samples,
)

Row = dict[str, Any]


def sample(text: str, *spans: tuple[int, int]) -> SampleAnswer:
    return SampleAnswer("deepseek", "api", "Which?", text, tuple(Span(*span) for span in spans))


def pieces(text: str, *spans: tuple[int, int]) -> list[tuple[str, bool]]:
    return [(piece.text, piece.is_mention) for piece in excerpt(sample(text, *spans)).pieces]


def test_a_mention_is_a_piece_of_its_own() -> None:
    assert pieces("买小米吧", (1, 3)) == [("买", False), ("小米", True), ("吧", False)]


def test_offsets_count_code_points_of_the_raw_answer() -> None:
    assert ("小米", True) in pieces("👩\u200d💻\u202e\n小米", (5, 7))


@pytest.mark.parametrize(
    ("spans", "marked"),
    [
        ([(0, 4), (2, 6)], ["abcd", "ef"]),
        ([(2, 6), (0, 4)], ["abcd", "ef"]),
        ([(0, 4), (1, 3)], ["abcd"]),
        ([(0, 2), (0, 2)], ["ab"]),
    ],
)
def test_overlapping_mentions_show_every_character_once(
    spans: list[tuple[int, int]], marked: list[str]
) -> None:
    found = pieces("abcdef", *spans)

    assert [text for text, is_mention in found if is_mention] == marked
    assert "".join(text for text, _ in found) == "abcdef"


@pytest.mark.parametrize("span", [(-1, 2), (4, 99), (3, 3), (5, 2)])
def test_a_place_outside_the_answer_marks_nothing(span: tuple[int, int]) -> None:
    assert pieces("abcdef", span) == [("abcdef", False)]


def test_a_long_answer_is_cut_around_its_first_mention() -> None:
    text = "a" * 1_000 + "小米" + "b" * 1_000

    shown = excerpt(sample(text, (1_000, 1_002)))

    assert [len(piece.text) for piece in shown.pieces] == [
        CHARACTERS_BEFORE,
        2,
        CHARACTERS_AFTER - 2,
    ]
    assert shown.is_cut_before
    assert shown.is_cut_after


def test_a_short_answer_is_shown_whole() -> None:
    shown = excerpt(sample("小米", (0, 2)))

    assert not shown.is_cut_before
    assert not shown.is_cut_after


def test_an_answer_without_a_mention_is_shown_from_its_start() -> None:
    shown = excerpt(sample("a" * 1_000))

    assert [len(piece.text) for piece in shown.pieces] == [CHARACTERS_AFTER]
    assert not shown.is_cut_before


@given(st.text(max_size=1_000), st.lists(st.tuples(st.integers(-5, 1_005), st.integers(-5, 1_005))))
def test_an_excerpt_is_bounded_whatever_the_answer_and_its_mentions(
    text: str, spans: list[tuple[int, int]]
) -> None:
    shown = excerpt(sample(text, *spans))

    length = sum(len(piece.text) for piece in shown.pieces)
    assert length <= CHARACTERS_BEFORE + CHARACTERS_AFTER


def day_frames(
    answers: list[tuple[str, str]], mentioned: list[str], asked: str = "non_brand"
) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    plan: list[Row] = [{"plan_date": DAY, "prompt_id": "p", "question_kind": asked}]
    rows: list[Row] = [
        {
            "plan_date": DAY,
            "query_id": query_id,
            "platform_id": platform_id,
            "channel": "api",
            "prompt_id": "p",
            "prompt": "Which phone?",
            "text": f"Acme, says {query_id}",
        }
        for query_id, platform_id in answers
    ]
    mentions: list[Row] = [
        {
            "plan_date": DAY,
            "query_id": query_id,
            "start_offset": 0,
            "end_offset": 4,
            "is_suppressed": False,
        }
        for query_id in mentioned
    ]
    return frame(QUERY_PLAN, plan), frame(RAW_ANSWERS, rows), frame(CORE_MENTIONS, mentions)


def test_platforms_take_turns() -> None:
    answers = [("a", "x"), ("b", "x"), ("c", "y"), ("d", "x")]
    plan, raw, mentions = day_frames(answers, ["a", "b", "c", "d"])

    picked = pick_samples(plan, raw, mentions, limit=3)

    assert [item.text[-1] for item in picked] == ["a", "c", "b"]
    assert picked[0].mentions == (Span(0, 4),)


def test_the_order_of_rows_does_not_change_the_choice() -> None:
    plan, raw, mentions = day_frames([(name, "x") for name in "abcd"], list("abcd"))

    assert pick_samples(plan, raw, mentions, limit=2) == pick_samples(
        plan, raw.iloc[::-1], mentions.iloc[::-1], limit=2
    )


def test_answers_that_mention_nobody_are_not_picked() -> None:
    plan, raw, mentions = day_frames([("a", "x"), ("b", "x")], ["b"])

    assert [item.text[-1] for item in pick_samples(plan, raw, mentions)] == ["b"]


def test_a_suppressed_mention_is_neither_picked_nor_marked() -> None:
    plan, raw, mentions = day_frames([("a", "x")], ["a"])

    assert pick_samples(plan, raw, mentions.assign(is_suppressed=True)) == ()


def test_answers_to_questions_that_name_the_brand_are_not_picked() -> None:
    plan, raw, mentions = day_frames([("a", "x")], ["a"], asked="brand")

    assert pick_samples(plan, raw, mentions) == ()


def test_a_day_without_answers_has_no_samples() -> None:
    assert pick_samples(*day_frames([], [])) == ()


def test_a_missing_column_is_named() -> None:
    plan, raw, mentions = day_frames([("a", "x")], ["a"])

    with pytest.raises(IncompleteError, match=r"^raw_answers: found no column text"):
        pick_samples(plan, raw.drop(columns="text"), mentions)
