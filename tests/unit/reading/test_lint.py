from dataclasses import replace

import pytest
from readers import a_brand

from brand_visibility.domain.catalog import Alias, AliasPolicy
from brand_visibility.reading.gazetteer import build_gazetteer
from brand_visibility.reading.lint import Finding, LintSettings, Rule, lint_aliases, take_advice
from brand_visibility.reading.reader import read_answer

GUARDED = AliasPolicy.GUARDED
ORDINARY = ["Nothing is named here."] * 97


def findings(alias: Alias | str, answers: list[str], **settings: float) -> list[Finding]:
    gazetteer = build_gazetteer([a_brand("b", alias), a_brand("peer", "Peerless")])
    return lint_aliases(gazetteer, answers, replace(LintSettings(), **settings))


def rules(alias: Alias | str, answers: list[str], **settings: float) -> set[Rule]:
    return {finding.rule for finding in findings(alias, answers, **settings)}


@pytest.mark.parametrize(
    ("alias", "is_found"),
    [
        ("X", True),
        ("宝", True),
        ("GM", True),
        (Alias("GM", is_case_sensitive=True), False),
        ("小米", False),
        ("IBM", False),
        ("3M", False),
        (Alias("X", GUARDED), False),
        (Alias("X", AliasPolicy.COMPOUND_ONLY), False),
    ],
)
def test_an_alias_is_too_short_or_it_is_not(alias: Alias | str, is_found: bool) -> None:
    assert (Rule.TOO_SHORT in rules(alias, [])) is is_found


@pytest.mark.parametrize(
    ("alias", "is_found"),
    [
        ("Target", True),
        ("You", True),
        ("ＫＥＥＰ", True),
        ("Salesforce", False),
        ("Target Corporation", False),
        (Alias("Target", is_case_sensitive=True), False),
        (Alias("Target", GUARDED), False),
    ],
)
def test_a_common_word_needs_its_case_and_company(alias: Alias | str, is_found: bool) -> None:
    found = [one for one in findings(alias, []) if one.rule is Rule.COMMON_WORD]
    assert bool(found) is is_found
    assert all(one.suggested.policy is GUARDED for one in found)
    assert all(one.suggested.is_case_sensitive for one in found)


@pytest.mark.parametrize(("small", "is_found"), [(2, False), (3, True)])
def test_a_name_that_is_often_written_small_is_a_word(small: int, is_found: bool) -> None:
    answers = ["the notion of Peerless"] * small + ["Notion and Peerless"] * (5 - small)
    assert (Rule.WRITTEN_SMALL in rules("Notion", answers)) is is_found


@pytest.mark.parametrize(("small", "is_found"), [(19, False), (20, True)])
def test_written_small_is_a_share_of_all_mentions(small: int, is_found: bool) -> None:
    answers = ["notion, Peerless"] * small + ["Notion, Peerless"] * (100 - small)
    assert (Rule.WRITTEN_SMALL in rules("Notion", answers)) is is_found


def test_a_name_that_the_catalog_writes_small_may_be_written_small() -> None:
    assert rules("iphone", ["an iphone by Peerless"] * 9) == set()


@pytest.mark.parametrize(
    ("alone", "in_company", "others", "is_found"),
    [
        (3, 0, 297, True),
        (3, 0, 298, False),
        (2, 0, 50, False),
        (9, 1, 90, True),
        (8, 1, 91, False),
    ],
)
def test_what_fires_often_and_alone_is_doubtful(
    alone: int, in_company: int, others: int, is_found: bool
) -> None:
    answers = ["Zendo."] * alone + ["Zendo, Peerless"] * in_company + ["None."] * others
    assert (Rule.FIRES_OFTEN in rules("Zendo", answers)) is is_found


def test_a_longer_expression_that_an_alias_begins_is_suggested_as_a_decoy() -> None:
    answers = ["这是美的享受"] * 4 + ["美的很好，Peerless"] * 4 + ORDINARY
    (found,) = (one for one in findings("美的", answers) if one.rule is Rule.RUNS_ON)
    assert found.suggested_decoys == ("美的享受",)
    assert found.suggested == Alias("美的")


def test_a_chinese_name_before_a_common_word_in_company_runs_on_into_nothing() -> None:
    assert rules("华为", ["华为手机和 Peerless 都好"] * 9) == set()


def test_a_finding_shows_where_and_how_often() -> None:
    answers = ["They hit their target early. " * 2, "No.", "On Target."]
    (found, *_) = findings("Target", answers)
    assert (found.mention_count, found.answer_count, found.read_count) == (3, 2, 3)
    assert found.hit_rate == pytest.approx(2 / 3)
    assert found.samples[0] == "They hit their [target] early. They hit their t"


def test_without_answers_only_spelling_speaks() -> None:
    assert [(one.rule, one.hit_rate) for one in findings("X", [])] == [(Rule.TOO_SHORT, 0.0)]


def test_the_worst_comes_first() -> None:
    gazetteer = build_gazetteer([a_brand("a", "Target"), a_brand("b", "Keep")])
    found = lint_aliases(gazetteer, ["keep it", "keep on", "a target"])
    assert [one.alias for one in found][:2] == ["Keep", "Target"]


def test_taken_advice_silences_the_word_and_keeps_the_brand_in_company() -> None:
    brands = [a_brand("t", "Target", "Target Corporation", topics=("shops",))]
    advised = take_advice(brands, lint_aliases(build_gazetteer(brands), []))
    gazetteer = build_gazetteer(advised)
    assert read_answer("Hit your Target first.", gazetteer).mentions == ()
    named = read_answer("Target Corporation is large. Try Target.", gazetteer).mentions
    assert [mention.surface for mention in named] == ["Target Corporation", "Target"]


def test_taken_advice_adds_the_decoys_and_joins_all_suggestions_for_an_alias() -> None:
    brands = [a_brand("m", "美的", "U"), a_brand("peer", "Peerless")]
    answers = ["美的享受"] * 5 + ["U"] * 5
    advised = take_advice(brands, lint_aliases(build_gazetteer(brands), answers))
    assert advised[0].decoys == ("美的享受",)
    assert advised[0].aliases[1] == Alias("U", GUARDED)
    assert advised[1] == brands[1]
