"""A judge is in the graph when the catalog has one, and never in the night."""

from datetime import date

import dagster as dg
import pytest

from brand_visibility.adapters.settings import Settings
from brand_visibility.definitions import build_definitions
from tests.builders import a_platform

pytestmark = pytest.mark.filterwarnings(
    "ignore::dagster.BetaWarning", "ignore::dagster.PreviewWarning"
)

JUDGEMENTS = dg.AssetKey("core_stance_judgements")
SETTINGS = Settings(shard_count=2, start_date=date(2026, 11, 1))


def graph(*, has_judge: bool) -> dg.RepositoryDefinition:
    judge = a_platform("judge") if has_judge else None
    built = build_definitions(settings=SETTINGS, platforms=(a_platform("gpt"),), judge=judge)
    return built.get_repository_def()


@pytest.fixture(scope="module")
def judged() -> dg.RepositoryDefinition:
    return graph(has_judge=True)


def followed(repository: dg.RepositoryDefinition) -> set[str]:
    (sensor,) = [one for one in repository.sensor_defs if one.name == "figures_follow_answers"]
    assert isinstance(sensor, dg.AutomationConditionSensorDefinition)
    keys = sensor.asset_selection.resolve(repository.asset_graph)
    return {key.to_user_string() for key in keys}


def test_without_a_judge_there_is_nothing_of_it_in_the_graph() -> None:
    repository = graph(has_judge=False)

    assert JUDGEMENTS not in repository.assets_defs_by_key
    assert "core_stance_judgements" not in followed(repository)
    assert not [key for key in repository.asset_graph.asset_check_keys if "judge" in key.name]


def test_the_example_catalog_has_no_judge() -> None:
    built = build_definitions(settings=SETTINGS)

    assert JUDGEMENTS not in built.get_repository_def().assets_defs_by_key


def test_judgements_follow_the_stances_of_all_platforms_of_a_day(
    judged: dg.RepositoryDefinition,
) -> None:
    asset = judged.assets_defs_by_key[JUDGEMENTS]

    assert asset.dependency_keys == {dg.AssetKey("core_stances")}
    assert isinstance(asset.partitions_def, dg.DailyPartitionsDefinition)
    assert "core_stance_judgements" in followed(judged)
    assert [
        key.name for key in judged.asset_graph.asset_check_keys if key.asset_key == JUDGEMENTS
    ] == ["judge_and_rules_agree"]


def test_the_night_neither_partitions_by_the_judge_nor_waits_for_it(
    judged: dg.RepositoryDefinition,
) -> None:
    asked = judged.assets_defs_by_key[dg.AssetKey("raw_answers")].partitions_def
    assert isinstance(asked, dg.MultiPartitionsDefinition)

    assert asked.get_partitions_def_for_dimension("platform").get_partition_keys() == ["gpt"]
    for name in ("night", "figures"):
        selected = judged.get_job(name).asset_layer.selected_asset_keys
        assert JUDGEMENTS not in selected
        assert selected
