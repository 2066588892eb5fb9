"""Each rule of stances by itself, with pairs that stand on either side of it."""

import pytest
from stance_cases import judge, stances

from brand_visibility.reading.attribution import Rule
from brand_visibility.reading.stances import Stance


@pytest.mark.parametrize(
    ("text", "stance"),
    [
        ("Slack is reliable.", "recommended"),
        ("Slack is not reliable.", "negative"),
        ("Slack is bad.", "negative"),
        ("Slack is not bad.", "recommended"),
        ("Not only is Slack reliable.", "recommended"),
        ("小米不推荐。", "negative"),
        ("不得不推荐小米。", "recommended"),
        ("不是说小米不好。", "recommended"),
        ("小米不仅好用。", "recommended"),
    ],
)
def test_a_negation_turns_what_it_reaches(text: str, stance: str) -> None:
    assert list(stances(text).values()) == [stance]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Zoom beats Skype.", {"Zoom": "recommended", "Skype": "negative"}),
        ("Zoom is better than Skype.", {"Zoom": "recommended", "Skype": "neutral"}),
        ("Skype is inferior to Zoom.", {"Skype": "negative", "Zoom": "recommended"}),
        ("Skype doesn't compare to Zoom.", {"Skype": "negative", "Zoom": "recommended"}),
        ("Skype compares to Zoom.", {"Skype": "neutral", "Zoom": "neutral"}),
        ("Nothing comes close to Zoom.", {"Zoom": "recommended"}),
        ("Nothing is more reliable than Zoom.", {"Zoom": "recommended"}),
        ("Unlike Skype, Zoom is reliable.", {"Skype": "neutral", "Zoom": "recommended"}),
        ("华为比小米更好。", {"华为": "recommended", "小米": "neutral"}),
        ("小米没有华为好用。", {"小米": "negative", "华为": "neutral"}),
        ("没有比华为更好的了。", {"华为": "recommended"}),
        ("除了华为，小米也很好。", {"华为": "neutral", "小米": "recommended"}),
        ("与华为相比，小米更流畅。", {"华为": "neutral", "小米": "recommended"}),
    ],
)
def test_a_comparison_tells_its_sides_apart(text: str, expected: dict[str, str]) -> None:
    assert stances(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Is Slack the best choice?",
        "Whether Slack is reliable depends on your team.",
        "If Slack is slow, restart it.",
        "If Slack were faster, it would be perfect.",
        "Slack used to be great.",
        "小米值得买吗？",
        "是否推荐小米要看预算。",
        "如果小米卡顿，请重启。",
        "曾经小米很出色。",
    ],
)
def test_what_is_asked_supposed_or_past_is_no_stance(text: str) -> None:
    assert list(stances(text).values()) == ["neutral"]


@pytest.mark.parametrize(
    ("text", "stance"),
    [
        ("Although Slack is slow, it is reliable.", "recommended"),
        ("Although Slack is reliable, it is slow.", "negative"),
        ("Slack is reliable, but slow.", "unjudged"),
        ("Slack is slow, but I recommend Slack.", "recommended"),
        ("Slack is reliable, but avoid Slack.", "negative"),
        ("I recommend Slack. Avoid Slack.", "unjudged"),
        ("Slack is fast, reliable and is slow.", "unjudged"),
        ("Slack is expensive.", "neutral"),
        ("Slack is expensive but reliable.", "recommended"),
        ("Slack is a bit slow.", "neutral"),
        ("Slack is slow.", "negative"),
        ("Slack is reliable, intuitive and powerful, but slow.", "recommended"),
        ("Slack is reliable and powerful, but slow.", "unjudged"),
        ("Slack is slow, buggy and clunky, but reliable.", "negative"),
        ("Slack is slow and buggy, but reliable.", "unjudged"),
        ("Slack fixes crashes often.", "neutral"),
        ("如果你不介意广告，可以选择小米。", "neutral"),
        ("可以选择小米。", "recommended"),
    ],
)
def test_the_heavier_cues_decide_and_equal_ones_stay_unjudged(text: str, stance: str) -> None:
    assert list(stances(text).values()) == [stance]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "1. Slack: fast chat.\n   - Reliable and intuitive.\n2. Skype\n   - Outdated.",
            {"Slack": "recommended", "Skype": "negative"},
        ),
        (
            "### Slack\n\nReliable.\n\n### Skype\n\nOutdated.",
            {"Slack": "recommended", "Skype": "negative"},
        ),
        ("1. Slack\n\nIn summary, security is excellent.", {"Slack": "neutral"}),
        ("Brands to avoid:\n- Slack\n- Skype", {"Slack": "negative", "Skype": "negative"}),
        ("Brands to know:\n- Slack\n- Skype", {"Slack": "neutral", "Skype": "neutral"}),
        ("值得推荐的品牌：\n1. 小米\n2. 华为", {"小米": "recommended", "华为": "recommended"}),
        ("Top picks:\n\nSome text.\n\n- Slack", {"Slack": "neutral"}),
        ("- Firefox: based on Slack. It is slow.", {"Slack": "neutral"}),
        (
            "| Slack | reliable |\n| Skype | outdated |",
            {"Slack": "recommended", "Skype": "negative"},
        ),
    ],
)
def test_a_line_that_names_nobody_belongs_to_its_head(text: str, expected: dict[str, str]) -> None:
    assert stances(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Slack is fine. It is reliable.", {"Slack": "recommended"}),
        ("Slack is here. Traffic is terrible.", {"Slack": "neutral"}),
        ("Slack is here. Avoid.", {"Slack": "negative"}),
        ("Slack is reliable, and Foo is terrible.", {"Slack": "recommended"}),
        (
            "Slack, Zoom and Skype are reliable.",
            dict.fromkeys(("Slack", "Zoom", "Skype"), "recommended"),
        ),
        ("小米、华为和OPPO都很好。", dict.fromkeys(("小米", "华为", "OPPO"), "recommended")),
        ("Slack recommends strong passwords.", {"Slack": "neutral"}),
        ("Best Slack forums to read", {"Slack": "neutral"}),
        ("If Notion fails, Slack is reliable.", {"Notion": "neutral", "Slack": "recommended"}),
    ],
)
def test_a_cue_speaks_only_of_whom_it_is_about(text: str, expected: dict[str, str]) -> None:
    assert stances(text) == expected


@pytest.mark.parametrize(
    ("text", "cue", "rule"),
    [
        ("I **recommend** Slack.", "recommend", Rule.VERDICT),
        ("Slack is reliable.", "reliable", Rule.QUALITY),
        ("Slack is expensive.", "expensive", Rule.MILD),
        ("Slack is not **intuitive**.", "not **intuitive", Rule.NEGATED),
        ("Slack falls short of Zoom.", "falls short of", Rule.COMPARISON),
        ("Some users say Slack is slow.", "slow", Rule.REPORTED),
        ("Top picks:\n- Slack", "Top picks", Rule.LIST_INTRO),
        ("I could not find information about Slack.", None, Rule.ABSENCE),
        ("小米ＰＲＯ不推薦。", "不推薦", Rule.VERDICT),
    ],
)
def test_a_cue_is_shown_as_it_stands_in_the_answer(text: str, cue: str | None, rule: Rule) -> None:
    first = next(iter(judge(text).values())).cues[0]

    assert first.rule is rule
    assert first.text == text[first.start_offset : first.end_offset]
    assert cue is None or first.text == cue
    assert text[first.mention_offset :].startswith(("Slack", "小米"))


def test_a_brand_that_is_also_mentioned_is_not_absent() -> None:
    text = "I could not find information about Slack. Slack is reliable."

    assert stances(text) == {"Slack": "recommended"}


def test_an_answer_without_a_brand_has_no_stances() -> None:
    assert judge("The best choice is none.") == {}


def test_the_heaviest_cue_comes_first() -> None:
    found = judge("Slack is slow, but I recommend Slack.")["Slack"]

    assert found.stance is Stance.RECOMMENDED
    assert [cue.weight for cue in found.cues] == [3, -2]
