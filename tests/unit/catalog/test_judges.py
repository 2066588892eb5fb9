"""A catalog may have one judge; it is no platform whose answers are watched."""

from pathlib import Path

import pytest
from catalog_files import Case, Edit, apply, assert_one_fault, faults_of

from brand_visibility.adapters.catalog.loader import load_catalog, load_judge, load_platforms
from brand_visibility.launcher.place import with_manners
from brand_visibility.simulator.settings import SimulatorSettings

FIRST = "adapter: hunyuan\n    simulated: true\n    model"
SECOND = "adapter: deepseek\n    simulated: true\n    model"
THIRD = "adapter: openai_responses\n    simulated: true\n    model"


def judging(written: str, *, purpose: str = "judge") -> Edit:
    return Edit(
        "platforms.yaml", written, written.replace("model", f"purpose: {purpose}\n    model")
    )


def test_the_example_has_no_judge(catalog: Path) -> None:
    assert load_judge(catalog) is None
    assert load_catalog(catalog).judge is None


def test_a_judge_is_none_of_the_platforms_and_has_its_price(catalog: Path) -> None:
    apply(catalog, judging(SECOND))

    judge, loaded = load_judge(catalog), load_catalog(catalog)

    assert judge is not None
    assert judge.platform_id == "deepseek"
    assert [one.platform_id for one in load_platforms(catalog)] == ["hunyuan", "gpt"]
    assert [one.platform_id for one in loaded.platforms] == ["hunyuan", "gpt"]
    assert loaded.judge is not None
    assert loaded.judge.prices
    assert [one.platform_id for one in loaded.called_platforms] == ["hunyuan", "gpt", "deepseek"]


def test_a_platform_that_becomes_the_judge_makes_another_catalog(catalog: Path) -> None:
    before = load_catalog(catalog)
    apply(catalog, judging(SECOND))

    assert load_catalog(catalog).version != before.version


def test_saying_that_answers_are_wanted_changes_nothing(catalog: Path) -> None:
    before = load_catalog(catalog)
    apply(catalog, judging(SECOND, purpose="answers"))

    assert load_catalog(catalog) == before


def test_the_simulator_plays_a_judge_in_the_manner_of_its_adapter(catalog: Path) -> None:
    apply(catalog, judging(SECOND))

    settings = with_manners(SimulatorSettings(), load_catalog(catalog))

    assert settings.behaviour_of("deepseek").personality == "deepseek"


def test_the_keys_of_a_judge_are_checked_as_any_others(catalog: Path) -> None:
    platforms = catalog / "platforms.yaml"
    judge = (
        "platforms:\n  - {platform_id: judge, adapter: deepseek, model: deepseek-chat,"
        " purpose: judge, allow_unknown_price: true, accounts: [{account_id: main,"
        " key_env: JUDGE_API_KEY, rate_per_second: 1, concurrency: 1}]}\n"
    )
    platforms.write_text(platforms.read_text("utf-8").replace("platforms:\n", judge, 1), "utf-8")

    simulator = {"BRAND_VISIBILITY_SIMULATOR_URL": "http://127.0.0.1:1"}
    (fault,) = faults_of(catalog, simulator)

    assert fault.found == "JUDGE_API_KEY not set"


def test_a_second_judge_is_a_fault(catalog: Path) -> None:
    apply(catalog, judging(FIRST))
    edit = Edit("platforms.yaml", SECOND, SECOND.replace("model", "§purpose: judge\n    model"))
    case: Case = (edit, "platforms[1].purpose", "a second judge", "one judge at most")

    assert_one_fault(catalog, case)


def test_a_judge_alone_is_a_fault(catalog: Path) -> None:
    for written in (FIRST, SECOND, THIRD):
        apply(catalog, judging(written))

    assert "nothing but a judge" in [fault.found for fault in faults_of(catalog)]


@pytest.mark.parametrize("written", ["Judge", "referee", "1", "null", "[judge]"])
def test_no_other_purpose_is_taken(catalog: Path, written: str) -> None:
    edit = Edit("platforms.yaml", SECOND, SECOND.replace("model", f"purpose: {written}\n    model"))
    apply(catalog, edit)

    (fault,) = faults_of(catalog)

    assert fault.place.endswith("platforms[1].purpose")
