"""What a deployment consists of, as Dagster sees it."""

import dataclasses
import os
import subprocess
import sys
from datetime import UTC, date, datetime, time
from pathlib import Path
from typing import Any

import dagster as dg
import pytest

from assets.partitions import platform_day
from assets.raw_answers import COLLECTS_TAG, SHARD_RETRY
from brand_visibility.adapters.settings import Settings
from brand_visibility.definitions import build_definitions
from tests.builders import a_platform

pytestmark = pytest.mark.filterwarnings(
    "ignore::dagster.BetaWarning", "ignore::dagster.PreviewWarning"
)

FOUR_SHARDS = Settings(shard_count=4, start_date=date(2026, 11, 1))


def platforms() -> tuple[Any, ...]:
    fast, slow = a_platform("gpt"), a_platform("hunyuan")
    return (fast, slow)


@pytest.fixture(scope="module")
def definitions() -> dg.Definitions:
    return build_definitions(settings=FOUR_SHARDS, platforms=platforms())


def test_the_names_that_people_and_tools_rely_on_do_not_change(definitions: dg.Definitions) -> None:
    repository = definitions.get_repository_def()

    assert sorted(key.to_user_string() for key in repository.assets_defs_by_key) == [
        "core_citations",
        "core_mentions",
        "core_ranks",
        "core_stances",
        "out_account_daily",
        "out_changes_daily",
        "out_citation_daily",
        "out_collection_daily",
        "out_day_report",
        "out_failure_daily",
        "out_manifest",
        "out_rank_daily",
        "out_share_of_voice_daily",
        "out_source_domain_daily",
        "out_stability_daily",
        "out_stance_daily",
        "out_visibility_daily",
        "query_plan",
        "raw_answers",
    ]
    assert {"night", "figures", "deadline_alert"} <= set(repository.job_names)
    assert [schedule.name for schedule in repository.schedule_defs] == ["nightly"]
    assert sorted(sensor.name for sensor in repository.sensor_defs) == [
        "deadline",
        "figures_follow_answers",
    ]


def test_every_sensor_is_on_and_the_schedule_waits_for_an_operator(
    definitions: dg.Definitions,
) -> None:
    repository = definitions.get_repository_def()

    statuses = {sensor.name: sensor.default_status for sensor in repository.sensor_defs}
    assert set(statuses.values()) == {dg.DefaultSensorStatus.RUNNING}
    (schedule,) = repository.schedule_defs
    assert schedule.default_status is dg.DefaultScheduleStatus.STOPPED


# Dagster's own builder of schedules calls what it has deprecated, and its own tags of a
# partition with two dimensions break its own rule for tags.
@pytest.mark.filterwarnings(
    "ignore:Function `JobDefinition.run_request_for_partition`",
    "ignore:Non-compliant tag keys like .*dagster/partition/date",
)
def test_the_schedule_asks_every_platform_for_the_day_that_begins(
    definitions: dg.Definitions,
) -> None:
    (schedule,) = definitions.get_repository_def().schedule_defs
    just_after_midnight = datetime(2026, 11, 29, 16, 5, tzinfo=UTC)

    with dg.DagsterInstance.ephemeral() as instance:
        context = dg.build_schedule_context(
            instance=instance,
            scheduled_execution_time=just_after_midnight,
            repository_def=definitions.get_repository_def(),
        )
        data = schedule.evaluate_tick(context)

    assert (schedule.cron_schedule, schedule.execution_timezone) == ("5 0 * * *", "Asia/Shanghai")
    assert sorted(request.partition_key or "" for request in data.run_requests or []) == [
        "2026-11-30|gpt",
        "2026-11-30|hunyuan",
    ]
    assert len({request.run_key for request in data.run_requests or []}) == 2


def test_the_times_of_the_night_follow_the_settings() -> None:
    settings = Settings(timezone="Europe/Berlin", night_starts_at=time(1, 30))
    built = build_definitions(settings=settings, platforms=platforms())

    (schedule,) = built.get_repository_def().schedule_defs
    assert (schedule.cron_schedule, schedule.execution_timezone) == ("30 1 * * *", "Europe/Berlin")


def test_the_fan_out_is_static_with_as_many_shards_as_configured(
    definitions: dg.Definitions,
) -> None:
    job = definitions.resolve_job_def("night")
    nodes = job.graph.node_named("raw_answers").definition.node_defs  # type: ignore[attr-defined]
    shards = [node for node in nodes if node.name.startswith("collect_shard_")]

    assert len(shards) == 4
    assert not any(output.is_dynamic for node in nodes for output in node.output_defs)
    for shard in shards:
        assert shard.retry_policy == SHARD_RETRY
        assert shard.tags.items() >= COLLECTS_TAG.items()
    assert SHARD_RETRY.backoff is dg.Backoff.EXPONENTIAL
    assert SHARD_RETRY.jitter is dg.Jitter.PLUS_MINUS


def test_a_runs_executor_limits_come_from_its_platform() -> None:
    built = build_definitions(
        settings=FOUR_SHARDS,
        platforms=(a_platform("gpt"), dataclasses.replace(a_platform("hunyuan"), shards_at_once=5)),
    )
    job = built.resolve_job_def("night")

    def limits(platform_id: str) -> tuple[int, int]:
        config = job.get_run_config_for_partition_key(f"2026-11-30|{platform_id}")
        executor = config["execution"]["config"]
        (tag_limit,) = executor["tag_concurrency_limits"]
        assert {tag_limit["key"]: tag_limit["value"]} == COLLECTS_TAG
        return executor["max_concurrent"], tag_limit["limit"]

    assert (limits("gpt"), limits("hunyuan")) == ((2, 2), (5, 5))


def test_todays_partition_is_there_from_local_midnight_on(definitions: dg.Definitions) -> None:
    asset = definitions.get_repository_def().assets_defs_by_key[dg.AssetKey("out_visibility_daily")]
    assert asset.partitions_def is not None

    with dg.partition_loading_context(datetime(2026, 11, 29, 16, 0, tzinfo=UTC)):
        assert asset.partitions_def.get_last_partition_key() == "2026-11-30"
    with dg.partition_loading_context(datetime(2026, 11, 29, 15, 59, tzinfo=UTC)):
        assert asset.partitions_def.get_last_partition_key() == "2026-11-29"


def test_a_partition_key_names_a_day_and_a_platform() -> None:
    part = platform_day("2026-11-30|gpt-4o")

    assert (part.plan_date, part.platform_id) == (date(2026, 11, 30), "gpt-4o")
    assert part.folder_keys == {"date": "2026-11-30", "platform": "gpt-4o"}


def test_the_database_url_is_configured_by_name_and_never_by_value(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    url = "postgresql://u:canary@host/db"  # pragma: allowlist secret
    monkeypatch.setenv("BRAND_VISIBILITY_DATABASE_URL", url)

    built = build_definitions(settings=Settings(database_url=url), platforms=platforms())

    ledger = (built.resources or {})["ledger"]
    assert isinstance(ledger.database_url, dg.EnvVar)
    assert "canary" not in repr(ledger)


def test_importing_any_module_reads_nothing_and_needs_no_variable(repository: Path) -> None:
    code = (
        "import importlib, pkgutil, sys, assets, resources, brand_visibility\n"
        "for package in (brand_visibility, assets, resources):\n"
        "    for module in pkgutil.walk_packages(package.__path__, package.__name__ + '.'):\n"
        "        # Alembic runs these with a connection; nobody imports them.\n"
        "        if '__main__' not in module.name and '.migrations.' not in module.name:\n"
        "            importlib.import_module(module.name)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=repository,
        env={"PATH": os.environ["PATH"]},
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stderr


def test_dagsters_own_validation_passes_in_a_fresh_checkout(
    repository: Path, tmp_path: Path
) -> None:
    environment = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("BRAND_VISIBILITY_", "DAGSTER_"))
    }
    done = subprocess.run(
        [sys.executable, "-m", "dagster", "definitions", "validate", "-w", "workspace.yaml"],
        cwd=repository,
        env={**environment, "BRAND_VISIBILITY_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stderr
    assert "All code locations passed validation" in done.stderr + done.stdout
