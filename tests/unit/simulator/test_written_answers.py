import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brand_visibility.domain.catalog import Alias, AliasPolicy, Brand, Catalog, Question, Topic
from brand_visibility.simulator.repertoire import build_repertoire, empty_repertoire
from brand_visibility.simulator.written import MentionOdds, WrittenAnswers
from tests.phone_market import (
    BRAND_PROMPT,
    CHINESE_PROMPT,
    COMPARISON_PROMPT,
    ENGLISH_PROMPT,
    PHONE_BRANDS,
    a_market,
    brands_found,
)

MARKET = a_market()
PROMPTS = (CHINESE_PROMPT, ENGLISH_PROMPT, BRAND_PROMPT, COMPARISON_PROMPT)
ANSWERS = 1200


def writer(
    catalog: Catalog = MARKET, *, seed: int = 1, **given_odds: dict[str, float]
) -> WrittenAnswers:
    return WrittenAnswers(build_repertoire(catalog), seed=seed, odds=MentionOdds(seed, given_odds))


def odds_for_all(probability: float) -> dict[str, float]:
    return dict.fromkeys((brand.brand_id for brand in MARKET.brands), probability)


@pytest.mark.parametrize("prompt", PROMPTS)
def test_certain_brands_are_always_found_and_impossible_ones_never(prompt: str) -> None:
    certain = {"xiaomi": 1.0, "huawei": 0.0, "apple": 1.0, "ge": 0.0}
    answers = writer(deepseek=certain)
    for number in range(200):
        text = answers.answer("deepseek", prompt, number)
        assert brands_found(text, MARKET) == {"xiaomi", "apple"}, text


@pytest.mark.parametrize("prompt", [*PROMPTS, "明天天气如何", "Is it raining?"])
def test_no_answer_names_a_brand_by_accident(prompt: str) -> None:
    answers = writer(deepseek=odds_for_all(0.0))
    for number in range(300):
        text = answers.answer("deepseek", prompt, number)
        assert brands_found(text, MARKET) == set(), text
        assert len(text) > 20


@pytest.mark.parametrize("prompt", PROMPTS)
def test_brands_are_mentioned_as_often_as_the_truth_says(prompt: str) -> None:
    answers = writer()
    truth = answers.truth("deepseek")["phones"]
    found = Counter(
        brand_id
        for number in range(ANSWERS)
        for brand_id in brands_found(answers.answer("deepseek", prompt, number), MARKET)
    )
    for brand_id, probability in truth.items():
        # Four and a half standard deviations of a binomial count.
        spread = 4.5 * (ANSWERS * probability * (1 - probability)) ** 0.5
        assert found[brand_id] == pytest.approx(ANSWERS * probability, abs=spread)


def test_brands_are_mentioned_independently_of_each_other() -> None:
    answers = writer(deepseek=odds_for_all(0.5))
    both = sum(
        {"xiaomi", "huawei"} <= brands_found(answers.answer("deepseek", CHINESE_PROMPT, n), MARKET)
        for n in range(ANSWERS)
    )
    assert both == pytest.approx(ANSWERS / 4, abs=4.5 * (ANSWERS * 0.1875) ** 0.5)


@given(
    prompt=st.sampled_from(PROMPTS) | st.text(st.characters(exclude_categories=["Cs"])),
    number=st.integers(0, 99),
)
def test_the_same_answer_is_written_again(prompt: str, number: int) -> None:
    first, second = (writer().answer("deepseek", prompt, number) for _ in range(2))
    assert first == second


def test_repeats_platforms_and_seeds_differ() -> None:
    asked = [
        writer(seed=seed).answer(platform_id, CHINESE_PROMPT, number)
        for seed, platform_id, number in [
            (1, "deepseek", 0),
            (1, "deepseek", 1),
            (1, "kimi", 0),
            (2, "deepseek", 0),
        ]
    ]
    assert len(set(asked)) == len(asked)


@pytest.mark.parametrize(
    ("prompt", "has_han"),
    [(CHINESE_PROMPT, True), (ENGLISH_PROMPT, False), ("你好", True), ("?", False)],
)
def test_answers_are_in_the_language_of_the_question(prompt: str, has_han: bool) -> None:
    answers = writer(deepseek={"apple": 1.0, "xiaomi": 0.0, "huawei": 0.0, "ge": 0.0})
    text = answers.answer("deepseek", prompt, 0)
    without_decoys = text.replace("小米粥", "").replace("苹果汁", "")
    assert bool(re.search("[\u4e00-\u9fff]", without_decoys)) is has_han


@pytest.mark.parametrize(
    "pattern",
    [
        pytest.param(r"^1\. \*\*", id="numbered"),
        pytest.param(r"^## ", id="heading"),
        pytest.param(r"^- \*\*", id="bullets"),
        pytest.param(r"https://", id="address"),
        pytest.param(r"https://www\.(xiaomi|huawei|apple|ge)\.example/", id="own address"),
        pytest.param("小米粥|苹果汁", id="decoy"),
    ],
)
def test_answers_come_in_every_shape_that_readers_must_bear(pattern: str) -> None:
    answers = writer(deepseek=odds_for_all(0.9))
    texts = [answers.answer("deepseek", CHINESE_PROMPT, number) for number in range(100)]
    shaped = [text for text in texts if re.search(pattern, text, re.MULTILINE)]
    assert 0 < len(shaped) < len(texts)


def test_likely_brands_come_first_more_often() -> None:
    answers = writer(deepseek={"xiaomi": 0.9, "huawei": 0.3, "apple": 0.0, "ge": 0.0})
    texts = [answers.answer("deepseek", ENGLISH_PROMPT, number) for number in range(600)]
    places = [
        min(text.find(name) for name in ("小米", "Xiaomi") if name in text)
        < min(text.find(name) for name in ("华为", "Huawei") if name in text)
        for text in texts
        if brands_found(text, MARKET) == {"xiaomi", "huawei"}
    ]
    assert sum(places) > 0.6 * len(places)


def test_a_long_list_still_names_every_brand() -> None:
    brands = tuple(
        Brand(f"b{n}", "acme", f"牌子{n:02}", (Alias(f"牌子{n:02}"),), ("t",)) for n in range(30)
    )
    catalog = Catalog("v", (), (Topic("t", "T"),), brands, (Question("q", "t", "推荐什么？"),), ())
    certain = dict.fromkeys((brand.brand_id for brand in brands), 1.0)
    text = writer(catalog, kimi=certain).answer("kimi", "推荐什么？", 0)
    assert brands_found(text, catalog) == set(certain)


def test_the_truth_names_every_topic_and_its_brands() -> None:
    truth = writer().truth("deepseek")
    assert {topic: tuple(brands) for topic, brands in truth.items()} == {
        "phones": PHONE_BRANDS,
        "cars": ("xiaomi", "tesla"),
    }
    assert all(0 < p < 1 for brands in truth.values() for p in brands.values())


def test_given_odds_come_before_drawn_ones_on_their_platform_only() -> None:
    answers = writer(kimi={"xiaomi": 0.42})
    assert answers.truth("kimi")["phones"]["xiaomi"] == 0.42
    assert answers.truth("deepseek") == writer().truth("deepseek")


def test_of_a_brand_that_cannot_be_written_the_truth_is_zero() -> None:
    bare = Brand("li", "acme", "理想", (Alias("理想", AliasPolicy.COMPOUND_ONLY),), ("t",))
    catalog = Catalog("v", (), (Topic("t", "T"),), (bare,), (Question("q", "t", "推荐什么？"),), ())
    answers = writer(catalog, kimi={"li": 1.0})
    assert answers.truth("kimi") == {"t": {"li": 0.0}}
    assert "理想" not in answers.answer("kimi", "推荐什么？", 0)


def test_a_text_asked_in_two_topics_is_about_the_brands_of_both() -> None:
    brands = (
        Brand("a", "acme", "甲牌", (Alias("甲牌"),), ("t",)),
        Brand("b", "acme", "乙牌", (Alias("乙牌"),), ("u",)),
    )
    questions = (Question("q1", "t", "买什么？"), Question("q2", "u", "买什么？"))
    catalog = Catalog("v", (), (Topic("t", "T"), Topic("u", "U")), brands, questions, ())
    text = writer(catalog, kimi={"a": 1.0, "b": 1.0}).answer("kimi", "买什么？", 0)
    assert brands_found(text, catalog) == {"a", "b"}


def test_a_prompt_with_spaces_around_it_is_the_same_question() -> None:
    repertoire = build_repertoire(MARKET)
    assert repertoire.subject(f" {CHINESE_PROMPT}\n") == repertoire.subject(CHINESE_PROMPT)


def test_without_a_catalog_there_is_an_answer_but_no_truth_to_tell() -> None:
    answers = WrittenAnswers(empty_repertoire(), seed=1, odds=MentionOdds(1))
    assert answers.answer("kimi", CHINESE_PROMPT, 0)
    assert answers.truth("kimi") == {}
