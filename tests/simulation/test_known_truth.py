"""Simulated platforms know how often they mention a brand: the figures have to find it.

Every answer is written by the simulator, read by the reader and measured, without HTTP.
"""

from collections.abc import Mapping
from datetime import date, timedelta

import pandas as pd
import pytest

from brand_visibility.measures.changes import changes_daily
from brand_visibility.measures.day_frames import DayFrames
from brand_visibility.measures.share_of_voice import share_of_voice_daily
from brand_visibility.measures.stability import stability_daily
from brand_visibility.measures.visibility import visibility_daily
from brand_visibility.reading.gazetteer import build_gazetteer
from brand_visibility.reading.reader import read_mentions
from brand_visibility.simulator.repertoire import build_repertoire
from brand_visibility.simulator.written import MentionOdds, WrittenAnswers
from tests.builders import DAY, a_catalog

NIGHTS = 100
QUESTIONS = 30
REPEATS = 2
PLATFORM = "deepseek"
TOPIC = "vacuums"

CATALOG = a_catalog(questions=QUESTIONS, platforms=(PLATFORM,))
REPERTOIRE = build_repertoire(CATALOG)
GAZETTEER = build_gazetteer(CATALOG.brands)
ODDS = {"dyson": 0.35, "roborock": 0.2}
PROMPTS = [question.text for question in CATALOG.questions[:QUESTIONS]]


def a_night(seed: int, odds: Mapping[str, float], *, day: date = DAY, platform: str) -> DayFrames:
    """Ask, read and put in frames; every night of one seed has answers of its own."""
    writer = WrittenAnswers(REPERTOIRE, seed=seed, odds=MentionOdds(seed, {PLATFORM: odds}))
    assert writer.truth(PLATFORM) == {TOPIC: odds}
    keys = {"plan_date": day, "platform_id": platform, "channel": "api"}
    answers, mentions = [], []
    for number, prompt in enumerate(PROMPTS):
        for repeat in range(REPEATS):
            query_id = f"{platform}/{number}/{repeat}"
            row = {**keys, "query_id": query_id, "prompt_id": f"p{number:02}", "repeat": repeat}
            answers.append(row | {"model": "model-1", "search": "not_searched"})
            found = read_mentions(writer.answer(PLATFORM, prompt, repeat), GAZETTEER).mentions
            mentions += [
                {"plan_date": day, "query_id": query_id, "brand_id": one.brand_id}
                | {"is_suppressed": False}
                for one in found
            ]
    task = {**keys, "tenant_id": "acme", "topic_id": TOPIC, "repeats": REPEATS}
    plan = [
        task | {"brand_id": brand, "prompt_id": f"p{number:02}", "question_kind": "non_brand"}
        for brand in odds
        for number in range(QUESTIONS)
    ]
    return DayFrames(day, *(pd.DataFrame(rows) for rows in (plan, answers, mentions)))


def many_nights(odds: Mapping[str, float], *, first_seed: int, day: date = DAY) -> DayFrames:
    """Build many nights at once, each as a platform of its own: rows never mix."""
    nights = [
        a_night(first_seed + place, odds, day=day, platform=f"night-{place:03}")
        for place in range(NIGHTS)
    ]
    parts = [[getattr(one, name) for one in nights] for name in ("plan", "answers", "mentions")]
    return DayFrames(day, *(pd.concat(part, ignore_index=True) for part in parts))


@pytest.fixture(scope="module")
def before() -> DayFrames:
    return many_nights(ODDS, first_seed=1_000)


@pytest.fixture(scope="module")
def unchanged() -> DayFrames:
    return many_nights(ODDS, first_seed=2_000, day=DAY + timedelta(days=1))


@pytest.fixture(scope="module")
def risen() -> DayFrames:
    raised = ODDS | {"dyson": 0.75}
    return many_nights(raised, first_seed=3_000, day=DAY + timedelta(days=1))


def test_both_intervals_hold_the_truth_of_the_simulator(before: DayFrames) -> None:
    rows = visibility_daily(before.plan, before.answers, before.mentions)

    assert len(rows) == 2 * NIGHTS
    truth = rows["brand_id"].map(ODDS)
    for name in ("basket", "general"):
        held = (rows[f"{name}_low"] <= truth) & (truth <= rows[f"{name}_high"])
        # 200 intervals of 95 %: fewer than 180 or all of them would be odd.
        assert 0.9 <= held.mean() < 1


def test_the_mean_of_many_nights_is_the_truth(before: DayFrames) -> None:
    rows = visibility_daily(before.plan, before.answers, before.mentions)

    for brand, rate in rows.groupby("brand_id")["mention_rate"].mean().items():
        assert rate == pytest.approx(ODDS[str(brand)], abs=0.02)


def test_the_interval_of_the_share_holds_the_share_that_follows_from_the_odds(
    before: DayFrames,
) -> None:
    rows = share_of_voice_daily(before.plan, before.answers, before.mentions)
    dyson, roborock = ODDS["dyson"], ODDS["roborock"]
    named = 1 - (1 - dyson) * (1 - roborock)
    truths = {
        brand: (own * (1 - other) + own * other / 2) / named
        for brand, own, other in (("dyson", dyson, roborock), ("roborock", roborock, dyson))
    }
    truth = rows["brand_id"].map(truths)

    held = (rows["share_by_answers_low"] <= truth) & (truth <= rows["share_by_answers_high"])
    assert 0.88 <= held.mean() < 1


def test_nights_on_which_nothing_happened_bring_no_change(
    unchanged: DayFrames, before: DayFrames
) -> None:
    found = changes_daily(unchanged, before)

    assert found["is_comparable"].all()
    assert found["is_significant"].sum() <= 2
    rates = found[found["measure"] == "mention_rate"]
    assert 0.9 <= ((rates["change_low"] <= 0) & (rates["change_high"] >= 0)).mean() <= 1


def test_a_doubled_rate_is_told_and_the_brand_beside_it_is_not(
    risen: DayFrames, before: DayFrames
) -> None:
    found = changes_daily(risen, before)
    rates = found[found["measure"] == "mention_rate"].groupby("brand_id")

    assert rates["is_significant"].mean()["dyson"] >= 0.9
    # Of all that is told a tenth may be false.
    assert rates["is_significant"].mean()["roborock"] <= 0.15


def test_the_noise_floor_is_what_repeats_alone_move_a_rate_by(
    unchanged: DayFrames, before: DayFrames
) -> None:
    found = stability_daily(unchanged, before)
    spread = [2 * rate * (1 - rate) / (QUESTIONS * REPEATS) for rate in ODDS.values()]
    expected = (sum(spread) / len(spread)) ** 0.5

    assert (found["noise_floor"] ** 2).mean() ** 0.5 == pytest.approx(expected, rel=0.15)
    assert found["drift"].mean() == pytest.approx(0, abs=0.02)
    assert found["between_distance"].mean() == pytest.approx(
        found["within_distance"].mean(), abs=0.02
    )


def test_a_risen_brand_shows_as_drift(risen: DayFrames, before: DayFrames) -> None:
    assert stability_daily(risen, before)["drift"].mean() > 0.05
