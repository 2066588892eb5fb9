"""Laws that hold for the stances of every text, and the time it takes to find them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from readers import assert_takes_linear_time
from stance_cases import all_brands, judge, load, stances

from brand_visibility.reading.cues.kinds import Kind
from brand_visibility.reading.cues.marks import find_marks, words
from brand_visibility.reading.folding import fold
from brand_visibility.reading.page import Page
from brand_visibility.reading.reader import read_answer
from brand_visibility.reading.stances import Stance, judge_stances

_ANY = st.characters(exclude_categories=())
_PIECES = st.one_of(
    st.sampled_from(["Slack", "Zoom", "小米", "华为", "recommend", "avoid", "not ", "不", "没有"]),
    st.sampled_from(
        ["推荐", "最好", "，", "。", ", ", ". ", "but ", "虽然", "但是", "if ", "如果"]
    ),
    st.sampled_from(["？", "\n", "1. ", "- ", "## ", "| ", ":", "：", "**", "[1]", "than ", "比"]),
    st.sampled_from(["beats ", "、", "和", " and ", "\u200b", "ﬁ", "½", "\ud800", "It is good. "]),
    st.sampled_from(["can not find information about ", "没有找到", "的信息"]),
)
_TEXTS = st.lists(st.one_of(_PIECES, st.text(_ANY, max_size=3)), max_size=30).map("".join)
_CASES = st.sampled_from(load("own_stances.jsonl"))
_PLAIN = st.text(st.sampled_from("xyzq 们这那哪"), max_size=40)


@given(_TEXTS)
def test_every_cue_is_the_raw_text_at_its_offsets(text: str) -> None:
    for found in judge(text).values():
        for cue in found.cues:
            assert text[cue.start_offset : cue.end_offset] == cue.text != ""
            assert 0 <= cue.mention_offset < len(text)


@given(_TEXTS)
def test_every_mentioned_brand_has_one_stance_and_no_other_brand_has(text: str) -> None:
    reading = read_answer(text, all_brands())
    mentioned = {mention.brand_id for mention in reading.mentions}

    judged = judge_stances(Page(text), reading)

    ids = [found.brand_id for found in judged]
    assert len(ids) == len(set(ids))
    assert {found.brand_id for found in judged if found.stance is not Stance.ABSENT} == mentioned


@given(_TEXTS)
def test_what_is_not_neutral_can_be_pointed_at(text: str) -> None:
    for found in judge(text).values():
        if found.stance is not Stance.NEUTRAL:
            assert found.cues


@given(_CASES, _PLAIN)
def test_an_unrelated_paragraph_changes_no_stance(case: dict[str, str], other: str) -> None:
    expected = stances(case["text"])

    assert stances(f"{case['text']}\n\n{other}。\n") == expected
    assert stances(f"{other}。\n\n{case['text']}") == expected


@given(_TEXTS, _TEXTS)
def test_a_stance_does_not_depend_on_what_was_judged_before(text: str, before: str) -> None:
    alone = judge(text)
    judge(before)

    assert judge(text) == alone


def test_no_cue_is_listed_under_two_kinds() -> None:
    kinds: dict[str, set[Kind]] = {}
    for word in words():
        kinds.setdefault(word.text, set()).add(word.kind)

    assert {text: found for text, found in kinds.items() if len(found) > 1} == {}


def test_every_cue_is_written_as_folded_text_shows_it() -> None:
    assert [word.text for word in words() if fold(word.text)[0] != word.text] == []


@pytest.mark.parametrize("text", ["if notion", "unbadly", "差旅费", "greatest"])
def test_a_cue_inside_another_word_is_none(text: str) -> None:
    assert [kind for kind, _, _ in find_marks(text) if kind is not Kind.IF] == []


_SHORT, _LONG = 6_000, 60_000
_REPEATED = [
    "Slack ", "Slack, ", "Slack、", "Slack and ", "Slack is good. ", "Slack good ", "good ",
    "not ", "Slack not good than Zoom ", "不", "小米好", "小米，", "小米、好，", "- Slack: bad\n",
    "\n", " ", "> ", "if ", "(", "Slack beats Zoom ", "虽然小米好，", "# Slack\n", "|Slack|bad\n",
]  # fmt: skip


@pytest.mark.parametrize("repeated", _REPEATED, ids=ascii)
def test_ten_times_the_text_takes_about_ten_times_the_time(repeated: str) -> None:
    short, long = ("Slack " + repeated * (size // len(repeated)) for size in (_SHORT, _LONG))

    assert_takes_linear_time(lambda text: read_answer(text, all_brands()), short, long)
