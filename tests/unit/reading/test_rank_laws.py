"""Laws of ranks for every text, and that ranking takes time in proportion to length."""

import re
import sys
from types import FrameType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from readers import assert_takes_linear_time

from brand_visibility.domain.catalog import AliasPolicy
from brand_visibility.reading.items import head_of
from brand_visibility.reading.lists import find_lists
from brand_visibility.reading.mentions import Mention, Zone
from brand_visibility.reading.ranks import Ranking, rank_brands

_NAME = re.compile("华为|小米|Zoho|Dreame")
_NAMES = ("华为", "小米", "Zoho", "Dreame")

_MARKERS = st.sampled_from(
    ["1. ", "2. ", "3.", "1、", "2、", "（1）", "（2）", "1) ", "一、", "二、", "十、", "①", "②",
     "🥇", "🥈", "1️⃣", "🔟", "TOP1 ", "No.2：", "第一名：", "- ", "* ", "•", "### ", "## 1. ", "**",
     "**1. ", "1 ", "A. ", "b) ", "1.1 ", "| ", "|", "|---|---|", "> ", "  ", "\t", "```", "---",
     "📱 ", "冠军："]
)  # fmt: skip
_PIECES = st.one_of(
    _MARKERS,
    st.sampled_from(_NAMES),
    st.sampled_from(
        ["\n", "\r\n", "\n\n", "：", "**", "__", " - ", "（", "？", "Open ", "总结", "\u200b"]
    ),
    st.text(st.characters(exclude_categories=()), max_size=3),
)
_LINES = st.tuples(st.sampled_from(["", "  ", "    "]), _MARKERS, st.sampled_from(("x", *_NAMES)))
_TEXTS = st.one_of(
    st.lists(_PIECES, max_size=40).map("".join),
    st.lists(_LINES.map("".join), max_size=20).map("\n".join),
    st.text(st.characters(exclude_categories=())),
)


def _mentions(text: str) -> list[Mention]:
    return [
        Mention(name[0], name[0], AliasPolicy.SAFE, name[0], *name.span(), Zone.TEXT)
        for name in _NAME.finditer(text)
    ]


def _ranking(text: str) -> Ranking:
    return rank_brands(text, _mentions(text))


@given(_TEXTS)
def test_a_rank_lies_within_its_list_and_no_two_brands_share_one(text: str) -> None:
    ranks = _ranking(text).ranks

    assert all(1 <= rank.rank <= rank.list_length and rank.list_length > 1 for rank in ranks)
    places = [(rank.list_index, rank.rank) for rank in ranks]
    assert places == sorted(set(places))
    owned = [(rank.list_index, rank.brand_id) for rank in ranks]
    assert len(owned) == len(set(owned))
    items = [rank.start_offset for rank in ranks]
    assert len(items) == len(set(items))


@given(_TEXTS)
def test_lists_are_numbered_without_gaps_and_an_item_precedes_its_name(text: str) -> None:
    found = _ranking(text)

    indexes = sorted({rank.list_index for rank in found.ranks})
    assert indexes == list(range(len(indexes)))
    for rank in found.ranks:
        assert text.find(rank.brand_id, rank.start_offset) >= 0
        assert rank.brand_id in found.order_of_mention


@given(_TEXTS)
def test_the_order_of_mention_is_that_of_the_text(text: str) -> None:
    named = [name for name in _NAMES if name in text]

    assert _ranking(text).order_of_mention == tuple(sorted(named, key=text.index))


@given(_TEXTS, _TEXTS)
def test_what_follows_a_closed_list_changes_nothing_in_it(before: str, after: str) -> None:
    text = "1. 华为\n2. x\n3. 小米\n\n# End\n"
    ending = before.replace("\n", " ") + "\n" + after

    assert [rank for rank in _ranking(text + ending).ranks if rank.is_primary] == list(
        _ranking(text).ranks
    )


@given(_TEXTS)
def test_every_item_is_in_one_list_and_heads_lie_within_the_text(text: str) -> None:
    lists = find_lists(text)
    items = [item for found in lists for item in found.items]

    heads = [(item, *head_of(text, item)) for item in items]
    assert all(0 <= item.start <= start <= end <= item.end for item, start, end in heads)
    assert len({item.start for item in items}) == len(items)
    assert [found.first.start for found in lists] == sorted(found.first.start for found in lists)


@given(st.lists(st.sampled_from(("x", *_NAMES)), min_size=1, max_size=12))
def test_bullets_numbers_and_chinese_numerals_of_the_same_items_rank_alike(
    names: list[str],
) -> None:
    numerals = [*"一二三四五六七八九十", "十一", "十二"]
    rows = list(enumerate(names))
    written = (
        "\n".join(f"- {name}" for name in names),
        "\n".join(f"{index + 1}. {name}" for index, name in rows),
        "\n".join(f"{numerals[index]}、{name}" for index, name in rows),
        "\n".join(f"### {index + 1}. **{name}**\n\nx\n" for index, name in rows),
        "\n".join(f"{index + 1}. {name}" for index, name in reversed(rows)),
        "| 品牌 | 价格 |\n|--|--|\n" + "\n".join(f"| {name} | 1 |" for name in names),
    )

    ranked = [[(rank.brand_id, rank.rank) for rank in _ranking(text).ranks] for text in written]

    assert all(one == ranked[0] for one in ranked)


def _nested(lines: int) -> str:
    return "".join(" " * (index % 60) + f"{index % 9}. 华为\n" for index in range(lines))


_LINES_OF = {
    "falling": lambda lines: "".join(f"{n % 997}. 华为\n" for n in range(2 * lines, 0, -2)),
    "one": lambda lines: "1. 华为\n" * lines,
    "styles": lambda lines: "1. 华为\n- 小米\n① x\n**y**\n（2）z\n" * (lines // 5),
    "headings": lambda lines: "### 华为\n#### 小米\n## x\n" * (lines // 3),
    "nested": _nested,
    "loose": lambda lines: "- 华为\n\nx\n\n" * (lines // 4),
    "tables": lambda lines: "| 品牌 |\n|---|\n| 华为 |\n\n" * (lines // 4),
    "rows": lambda lines: "| # | 品牌 |\n|---|---|\n" + "| 1 | 华为 |\n" * lines,
    "fences": lambda lines: "```\nx\n```\n1. 华为\n" * (lines // 4),
}


def _calls(text: str) -> int:
    mentions, count = _mentions(text), 0

    def counting(_frame: FrameType, _event: str, _argument: Any) -> None:
        nonlocal count
        count += 1

    before = sys.getprofile()
    sys.setprofile(counting)
    try:
        rank_brands(text, mentions)
    finally:
        sys.setprofile(before)
    return count


@pytest.mark.parametrize("written", _LINES_OF.values(), ids=_LINES_OF)
def test_twice_the_lines_take_twice_the_steps(written: Any) -> None:
    assert _calls(written(4_000)) < 2.5 * _calls(written(2_000))


@pytest.mark.parametrize(
    "repeated",
    ["1", "1.", "1. ", "**", "__", " ", "\t>", "-", "- ", "* ", "|", "| - ", "|-", "：", "a-", "（",
     "*x", "华为", "<b>", "🥇", "1️⃣", "\u200b", "第一", "一", "#", "# ", "?", "Open ", "总结 ", "`"],
    ids=ascii,
)  # fmt: skip
@pytest.mark.parametrize("start", ["", "1. ", "**", "| x |\n|---|\n| "])
def test_ten_times_the_line_takes_about_ten_times_the_time(start: str, repeated: str) -> None:
    def written(length: int) -> str:
        return "1. 华为\n2. 小米\n" + start + repeated * (length // len(repeated))

    mentions = _mentions("1. 华为\n2. 小米\n")
    assert_takes_linear_time(
        lambda text: rank_brands(text, mentions), written(20_000), written(200_000)
    )
