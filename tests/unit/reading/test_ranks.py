"""What a rank says besides its number, and what the order of mention is."""

import pytest
from rankers import primary, rank_gazetteer, ranking
from readers import a_brand

from brand_visibility.domain.catalog import AliasPolicy
from brand_visibility.reading.gazetteer import build_gazetteer
from brand_visibility.reading.item_markers import RankSource
from brand_visibility.reading.lists import find_lists
from brand_visibility.reading.mentions import Mention, Suppression, Zone
from brand_visibility.reading.ranks import Rank, Ranking, rank_brands
from brand_visibility.reading.reader import read_answer


def _mention(brand_id: str, start: int, reason: Suppression | None = None) -> Mention:
    return Mention(brand_id, "x", AliasPolicy.SAFE, "x", start, start + 1, Zone.TEXT, reason)


def test_a_rank_says_where_and_how_its_item_is_written() -> None:
    text = "推荐：\r\n  1、Pipedrive\r\n  3、**HubSpot**\r\n  4、Zoho"

    assert ranking(text).ranks == (
        Rank("HubSpot", 2, 3, 3, RankSource.NUMBERED, text.index("3、"), 0),
        Rank("Zoho", 3, 3, 4, RankSource.NUMBERED, text.index("4、"), 0),
    )


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("- 华为\n- 小米", [None, None]),
        ("一、华为\n二、小米", [1, 2]),
        ("二十九、华为\n三十、小米", [29, 30]),
        ("⑨ 华为\n⑩ 小米", [9, 10]),
        ("9️⃣ 华为\n🔟 小米", [9, 10]),
        ("9️⃣ 华为\n1️⃣0️⃣ 小米", [9, 10]),
        ("B) 华为\nC) 小米", None),
        ("A) 华为\nB) 小米", [1, 2]),
        ("2.1 华为\n2.2 小米", [1, 2]),
        ("1. 华为\n1. 小米", [1, 1]),
        ("2. 小米\n1. 华为", [1, 2]),
        ("| 品牌 | 价格 |\n|--|--|\n| 华为 | 1 |\n| 小米 | 2 |", [None, None]),
        ("| 品牌 | 名次 |\n|--|--|\n| 华为 | **No.1** |\n| 小米 | 02 |", [1, 2]),
    ],
)
def test_the_printed_number_is_kept_as_a_value(text: str, printed: list[int | None] | None) -> None:
    assert [rank.printed_number for rank in primary(text)] == (printed or [])


def test_every_list_that_counts_is_kept_and_the_first_is_primary() -> None:
    text = "1. 看预算\n2. 看小米\n\n## 手机\n1. 华为\n2. 小米\n\n## 家电\n- 小米\n- 美的\n- 海尔"

    found = [(rank.list_index, rank.brand_id, rank.rank) for rank in ranking(text).ranks]

    assert found == [(0, "华为", 1), (0, "小米", 2), (1, "小米", 1), (1, "美的", 2), (1, "海尔", 3)]
    assert [rank.brand_id for rank in ranking(text).ranks if rank.is_primary] == ["华为", "小米"]


def test_an_outer_list_comes_before_the_lists_inside_it() -> None:
    text = "1. 华为\n   - 荣耀\n   - 海尔\n2. 小米\n   - 美的\n   - 格力"

    assert [(rank.list_index, rank.brand_id) for rank in ranking(text).ranks] == [
        (0, "华为"), (0, "小米"), (1, "荣耀"), (1, "海尔"), (2, "美的"), (2, "格力"),
    ]  # fmt: skip


def test_the_order_of_mention_counts_every_brand_once_and_ranks_none() -> None:
    assert ranking("小米和华为都好，小米便宜，也看看荣耀。") == Ranking(
        (), ("小米", "华为", "荣耀")
    )


def test_a_list_does_not_change_the_order_of_mention() -> None:
    found = ranking("常有人问小米。\n\n1. 华为\n2. 小米：比荣耀便宜")

    assert found.order_of_mention == ("小米", "华为", "荣耀")
    assert [(rank.brand_id, rank.rank) for rank in found.ranks] == [("华为", 1), ("小米", 2)]


def test_what_is_suppressed_has_neither_rank_nor_order() -> None:
    text = "1. a\n2. b\n3. c"
    places = [text.index(name) for name in "abc"]

    found = rank_brands(
        text,
        [
            _mention("b", places[1]),
            _mention("a", places[0], Suppression.DECOY),
            _mention("c", places[2]),
        ],
    )

    assert [(rank.brand_id, rank.rank) for rank in found.ranks] == [("b", 2), ("c", 3)]
    assert found.order_of_mention == ("b", "c")


def test_mentions_may_come_in_any_order() -> None:
    text = "1. a\n2. b"

    assert rank_brands(text, [_mention("b", 8), _mention("a", 3)]) == rank_brands(
        text, [_mention("a", 3), _mention("b", 8)]
    )


def test_lists_that_were_found_before_are_not_sought_again() -> None:
    text = "1. a\n2. b"
    mentions = [_mention("a", 3), _mention("b", 8)]

    assert rank_brands(text, mentions, find_lists(text)) == rank_brands(text, mentions)
    assert rank_brands(text, mentions, ()).ranks == ()


def test_brands_that_share_a_name_share_its_item() -> None:
    shared = [a_brand("phones", "小米"), a_brand("homes", "小米"), a_brand("other", "华为")]
    text = "1. 华为\n2. 小米"

    found = rank_brands(text, read_answer(text, build_gazetteer(shared, ())).mentions)

    assert [(rank.brand_id, rank.rank) for rank in found.ranks] == [
        ("other", 1), ("homes", 2), ("phones", 2),
    ]  # fmt: skip


def test_a_mention_only_in_the_body_of_an_item_has_no_rank() -> None:
    text = "1. 华为：强过荣耀\n2. 小米：便宜"

    assert "荣耀" in {mention.brand_id for mention in read_answer(text, rank_gazetteer()).mentions}
    assert {rank.brand_id for rank in ranking(text).ranks} == {"华为", "小米"}
