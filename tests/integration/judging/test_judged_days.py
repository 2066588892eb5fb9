"""A day's stances judged for real: ledger, collector, HTTP and lake."""

import gc
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import dagster as dg
import pytest
from judged_day import ATTACK, BAD, GOOD, TORN, Stage, reply, write_catalog

from assets.partitions import build_partitions
from assets.stance_judgements import build_stance_judgements, build_stance_judgements_check
from brand_visibility.adapters.catalog.loader import load_catalog
from brand_visibility.adapters.judging.sample_files import SampleRules, sample_of_day
from brand_visibility.adapters.lake.schemas import CORE_STANCES, RAW_ANSWERS
from brand_visibility.adapters.ledger.budgets import read_spends
from brand_visibility.adapters.ledger.night_status import read_night
from brand_visibility.adapters.ledger.plans import PlanStore
from brand_visibility.domain.errors import PlanError
from brand_visibility.simulator.settings import FaultKind, PlatformBehaviour
from resources.alerts import AlertsResource
from tests.builders import DAY, a_plan

pytestmark = [
    pytest.mark.integration,
    pytest.mark.filterwarnings("ignore::dagster.BetaWarning", "ignore::dagster.PreviewWarning"),
]

FAULTY = PlatformBehaviour(faults={FaultKind.SERVER_FAULT: 1.0})


@pytest.fixture(autouse=True)
def untuned_garbage_collection() -> Iterator[None]:
    """Undo what a collecting process sets for all of its life."""
    thresholds = gc.get_threshold()
    yield
    gc.set_threshold(*thresholds)
    gc.unfreeze()


@pytest.fixture
def stage(tmp_path: Path, database_url: str, monkeypatch: pytest.MonkeyPatch) -> Stage:
    write_catalog(tmp_path / "catalog", tenants={"acme": None})
    return Stage(tmp_path, database_url, monkeypatch.setenv)


def agree(brand: str, text: str) -> str:
    """Say of Dyson that it is bad, in words that stand in the text."""
    return reply("negative", "overpriced" if "overpriced" in text else "terrible")


def test_negative_and_conflicting_stances_of_all_platforms_are_judged(stage: Stage) -> None:
    stage.store([BAD, GOOD])
    stage.store([TORN, GOOD], "gpt")

    with stage.judge_says(agree) as judge:
        day = stage.judge_day()

    assert sorted(judge.asked) == [("Dyson", TORN), ("Dyson", BAD)]
    first, second = day.judgements.to_pylist()
    assert {name: first[name] for name in ("query_id", "platform_id", "brand_id")} == {
        "query_id": "deepseek-000",
        "platform_id": "deepseek",
        "brand_id": "dyson-acme",
    }
    assert (first["rule_stance"], first["judged_stance"]) == ("negative", "negative")
    assert (second["rule_stance"], second["judged_stance"]) == ("unjudged", "negative")
    assert (first["sampled_because"], second["sampled_because"]) == ("negative", "conflict")
    for row in (first, second):
        assert (row["is_verified"], row["reason"], row["sampling_rate"]) == (True, None, 1.0)
        assert row["judge_platform_id"] == "judge"
        assert row["judge_model"]
        assert row["cost_usd"] > 0


def test_the_rest_is_judged_by_its_share(stage: Stage) -> None:
    stage.store([GOOD, f"{GOOD} Really."])

    with stage.judge_says(lambda *_: reply("recommended", "best choice")) as judge:
        rows = stage.judge_day(random_rate=1.0).judgements.to_pylist()

    assert {brand for brand, _ in judge.asked} == {"Roborock"}
    assert [(row["sampled_because"], row["judged_stance"]) for row in rows] == [
        ("random", "recommended")
    ] * 2


def test_a_judge_leaves_the_night_as_it_was(stage: Stage) -> None:
    stage.store([BAD])
    plans = PlanStore(stage.database_url)
    plans.freeze(a_plan(questions=3), [], None)
    partition = {"date": DAY.isoformat(), "platform": "deepseek"}
    (stances,) = stage.lake.files(CORE_STANCES, partition)
    before = stances.read_bytes(), plans.progress(DAY), read_night(stage.database_url, DAY).tenants

    with stage.judge_says(lambda *_: reply("recommended", "avoid")):
        stage.judge_day()

    after = stances.read_bytes(), plans.progress(DAY), read_night(stage.database_url, DAY).tenants
    assert after == before
    assert [one.platform_id for one in read_night(stage.database_url, DAY).platforms] == [
        "deepseek"
    ]
    assert stage.lake.platforms_of(RAW_ANSWERS, DAY.isoformat()) == ["deepseek"]


def test_a_day_judged_again_asks_nothing_twice_and_says_the_same(stage: Stage) -> None:
    stage.store([BAD, TORN, f"{ATTACK} {BAD}"])

    with stage.judge_says(
        lambda brand, text: "no JSON" if text == TORN else agree(brand, text)
    ) as (judge):
        first = stage.judge_day()
        again = stage.judge_day()

    assert len(judge.asked) == 3
    assert first.report is not None
    assert again.report is None
    assert again.judgements.equals(first.judgements)


def test_what_failed_is_asked_again_and_nothing_else(stage: Stage) -> None:
    stage.store([BAD])
    with stage.judge_says(agree, FAULTY):
        (failed,) = stage.judge_day().judgements.to_pylist()
    stage.store([BAD, TORN])

    with stage.judge_says(agree) as judge:
        (judged,) = stage.judge_day().judgements.to_pylist()

    assert (failed["reason"], failed["judged_stance"]) == ("server_fault", None)
    assert judge.asked == [("Dyson", BAD)]
    assert (judged["reason"], judged["judged_stance"]) == (None, "negative")


def test_a_sample_that_a_dying_process_drew_is_the_one_that_is_asked(stage: Stage) -> None:
    stage.store([BAD])
    catalog = load_catalog(stage.catalog)
    assert catalog.judge is not None
    sample_of_day(stage.lake, DAY, catalog, catalog.judge, SampleRules(0.0, 100))
    stage.store([GOOD, TORN])

    with stage.judge_says(agree) as judge:
        (row,) = stage.judge_day().judgements.to_pylist()

    assert judge.asked == [("Dyson", BAD)]
    assert (row["rule_stance"], row["judged_stance"]) == ("negative", "negative")


def test_an_answer_that_gives_orders_is_shown_to_the_judge_as_it_is(stage: Stage) -> None:
    stage.store([f"{BAD} {ATTACK}"])

    with stage.judge_says(lambda brand, text: reply("negative", ATTACK)) as judge:
        (row,) = stage.judge_day().judgements.to_pylist()

    assert judge.asked == [("Dyson", f"{BAD} {ATTACK}")]
    assert (row["judged_stance"], row["is_verified"]) == ("negative", True)


@pytest.mark.parametrize(
    ("said", "stance", "reason"),
    [
        ("It is negative.", None, "malformed"),
        ('{"stance": "awful", "quote": "avoid"}', None, "malformed"),
        (f"```json\n{reply('negative', 'avoid')}\n```", None, "malformed"),
        (reply("negative", "words that nobody wrote"), "negative", None),
    ],
)
def test_a_reply_that_is_no_judgement_or_proves_nothing_is_kept_as_such(
    stage: Stage, said: str, stance: str | None, reason: str | None
) -> None:
    stage.store([BAD])

    with stage.judge_says(lambda *_: said):
        (row,) = stage.judge_day().judgements.to_pylist()

    assert (row["judged_stance"], row["reason"], row["is_verified"]) == (stance, reason, False)


def test_beyond_its_tenants_budget_nothing_is_asked_and_the_rows_say_why(stage: Stage) -> None:
    write_catalog(stage.catalog, tenants={"acme": 0.000001})
    stage.store([BAD, TORN])

    with stage.judge_says(agree) as judge:
        rows = stage.judge_day().judgements.to_pylist()

    assert judge.asked == []
    assert [row["reason"] for row in rows] == ["over_budget"] * 2
    assert [row["judged_stance"] for row in rows] == [None] * 2


def test_tenants_who_watch_one_brand_share_one_question_and_its_cost(stage: Stage) -> None:
    write_catalog(stage.catalog, tenants={"acme": 1.0, "beta": 1.0})
    stage.store([BAD])

    with stage.judge_says(agree) as judge:
        rows = stage.judge_day().judgements.to_pylist()

    assert judge.asked == [("Dyson", BAD)]
    assert [row["tenant_id"] for row in rows] == ["acme", "beta"]
    assert len({row["judge_query_id"] for row in rows}) == 1
    spends = read_spends(stage.database_url, DAY)
    assert {spend.tenant_id for spend in spends} == {"acme", "beta"}
    assert sum((spend.settled_usd for spend in spends), Decimal(0)) == rows[0]["cost_usd"]
    assert all(spend.reserved_usd == 0 < spend.settled_usd for spend in spends)


def test_a_day_without_a_stance_to_judge_asks_nobody(stage: Stage) -> None:
    stage.store([GOOD])

    with stage.judge_says(agree) as judge:
        day = stage.judge_day()

    assert judge.asked == []
    assert (day.report, day.judgements.num_rows) == (None, 0)


def test_the_judgements_of_an_earlier_judge_stay(stage: Stage) -> None:
    stage.store([BAD])
    with stage.judge_says(agree, FAULTY):
        stage.judge_day()
    write_catalog(stage.catalog, tenants={"acme": None}, judge_id="successor")

    with stage.judge_says(agree) as judge:
        (row,) = stage.judge_day().judgements.to_pylist()

    assert judge.asked == []
    assert (row["judge_platform_id"], row["reason"]) == ("judge", "server_fault")


def test_without_a_judge_in_the_catalog_the_message_says_what_is_expected(stage: Stage) -> None:
    write_catalog(stage.catalog, tenants={"acme": None}, judge_id=None)

    with (
        stage.judge_says(agree),
        pytest.raises(PlanError, match="found no platform with purpose: judge"),
    ):
        stage.judge_day()


@pytest.mark.parametrize(("stance", "is_passed"), [("negative", True), ("recommended", False)])
def test_the_asset_tells_how_far_judge_and_rules_agree(
    stage: Stage, stance: str, is_passed: bool
) -> None:
    stage.store([f"{BAD} {number}" for number in range(12)])
    partitions = build_partitions(
        start_date=DAY, timezone="Asia/Shanghai", platform_ids=("deepseek",)
    )
    resources = {
        "judge": stage.resource(),
        "lake": stage.resource().lake,
        "alerts": AlertsResource(webhook_url_env="NO_SUCH_VARIABLE"),
    }

    with stage.judge_says(lambda *_: reply(stance, "overpriced")):
        result = dg.materialize(
            [build_stance_judgements(partitions), build_stance_judgements_check(partitions)],
            partition_key=DAY.isoformat(),
            resources=resources,
        )

    (made,) = result.asset_materializations_for_node("core_stance_judgements")
    agreed = 12 if is_passed else 0
    assert (made.metadata["judged"].value, made.metadata["verified"].value) == (12, 12)
    (record,) = made.metadata["agreement"].records  # type: ignore[union-attr]
    assert (record.data["rules"], record.data["agreed"]) == ("negative", agreed)
    assert 0 <= record.data["low"] <= record.data["rate"] <= record.data["high"] <= 1  # type: ignore[operator]
    (check,) = result.get_asset_check_evaluations()
    assert check.passed is is_passed
