"""A day's figures through the graph: made together, checked, and published last."""

import json
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import dagster as dg
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from assets.checks import FIGURES_CHECK, build_checks
from assets.out_day_report import build_out_day_report
from assets.out_figures import FIGURE_NAMES, build_out_figures
from assets.out_manifest import build_out_manifest
from assets.partitions import build_partitions
from brand_visibility.adapters.lake.files import Lake
from brand_visibility.adapters.lake.schemas import (
    ATTEMPTS,
    CORE_RANKS,
    FAILURES,
    OUT_RANK_DAILY,
    QUERY_PLAN,
    RAW_ANSWERS,
    Dataset,
)
from resources.catalog import CatalogResource
from resources.lake import LakeResource
from resources.night import NightResource

pytestmark = pytest.mark.filterwarnings(
    "ignore::dagster.BetaWarning", "ignore::dagster.PreviewWarning"
)

# A day that is over, whenever the tests run: it is final.
DAY = date(2026, 10, 1)
TODAY = datetime.now(UTC).date()
Row = dict[str, Any]


class Stage:
    """A stored day of two brands, and the graph that makes its figures."""

    def __init__(self, folder: Path, repository: Path) -> None:
        self.lake = Lake(folder / "lake")
        self.resources = {
            "catalog": CatalogResource(directory=str(repository / "examples" / "catalog")),
            "lake": LakeResource(root=str(self.lake.root), report_root=str(folder / "reports")),
            "night": NightResource(timezone="UTC", cut_off_at="23:58", deadline_at="23:59"),
        }

    def store(self, dataset: Dataset, rows: list[Row], plan_date: date) -> None:
        partition = {"date": plan_date.isoformat(), "platform": "gpt"}
        shared = {"plan_date": plan_date, "platform_id": "gpt", "channel": "api"}
        allowed = set(dataset.schema.names)
        whole = [{k: v for k, v in (shared | row).items() if k in allowed} for row in rows]
        table = pa.Table.from_pylist(whole, schema=dataset.schema)
        self.lake.write(dataset, partition, table, name="all")

    def store_day(self, plan_date: date = DAY, *, first_offset: int = 0) -> None:
        task = {
            "tenant_id": "acme",
            "topic_id": "vacuums",
            "question_kind": "non_brand",
            "prompt_id": "p",
            "repeats": 1,
            "catalog_version": "c1",
        }
        self.store(
            QUERY_PLAN, [task | {"brand_id": name} for name in ("dyson", "roborock")], plan_date
        )
        self.store(
            RAW_ANSWERS,
            [{"query_id": "q", "prompt_id": "p", "repeat": 0, "text": "Dyson", "prompt": "?"}],
            plan_date,
        )
        self.store(FAILURES, [], plan_date)
        self.store(
            ATTEMPTS,
            [{"query_id": "q", "account_id": "main", "attempt_number": 1}],
            plan_date,
        )
        place = {"order_of_mention": 1, "first_offset": first_offset, "text_length": 5}
        self.store(
            CORE_RANKS,
            [
                place
                | {"query_id": "q", "tenant_id": "acme", "brand_id": "dyson"}
                | {"list_index": 0, "rank": 1, "list_length": 3}
            ],
            plan_date,
        )

    def publish(self, plan_date: date = DAY) -> dg.ExecuteInProcessResult:
        partitions = build_partitions(start_date=DAY, timezone="UTC", platform_ids=("gpt",))
        checks = [
            check
            for check in build_checks(partitions)
            if all(key.name == FIGURES_CHECK for key in check.check_keys)
        ]
        with dg.DagsterInstance.ephemeral() as instance:
            return dg.materialize(
                [
                    build_out_figures(partitions),
                    build_out_day_report(partitions),
                    build_out_manifest(partitions),
                    *checks,
                ],
                partition_key=plan_date.isoformat(),
                resources=self.resources,
                instance=instance,
                raise_on_error=False,
            )

    def manifest(self, plan_date: date = DAY) -> Path:
        return self.lake.root / "_manifest" / f"date={plan_date}" / "manifest.json"

    def figure_files(self) -> dict[Path, bytes]:
        return {path: path.read_bytes() for path in self.lake.root.glob("out_*/*/*.parquet")}


@pytest.fixture
def stage(tmp_path: Path, repository: Path) -> Stage:
    return Stage(tmp_path, repository)


def made(result: dg.ExecuteInProcessResult) -> set[str]:
    return {
        event.asset_key.to_user_string()
        for event in result.get_asset_materialization_events()
        if event.asset_key
    }


def test_all_figures_are_made_in_one_step_and_the_manifest_last(stage: Stage) -> None:
    stage.store_day()

    result = stage.publish()

    assert result.success
    assert made(result) == {*FIGURE_NAMES, "out_day_report", "out_manifest"}
    order = [event.step_key for event in result.get_step_success_events()]
    assert order[0] == "figures_of_the_day"
    assert order[-1] == "out_manifest"
    assert len(order) == 4
    assert all(one.passed for one in result.get_asset_check_evaluations())
    assert len(result.get_asset_check_evaluations()) == len(FIGURE_NAMES)


def test_a_final_day_that_is_made_again_gives_the_same_bytes(stage: Stage) -> None:
    stage.store_day()
    stage.publish()
    before, manifest = stage.figure_files(), stage.manifest().read_bytes()

    stage.publish()

    assert len(before) == len(FIGURE_NAMES)
    assert stage.figure_files() == before
    assert stage.manifest().read_bytes() == manifest
    assert json.loads(manifest)["day_state"] == "final"


def test_impossible_figures_hold_up_the_publication(stage: Stage) -> None:
    # A mention behind the end of its answer.
    stage.store_day(first_offset=50)

    result = stage.publish()

    assert not result.success
    failed = [one for one in result.get_asset_check_evaluations() if not one.passed]
    assert [one.asset_key.to_user_string() for one in failed] == ["out_rank_daily"]
    assert "mean_prominence" in (failed[0].description or "")
    assert made(result) == set(FIGURE_NAMES)
    assert not stage.manifest().exists()


@pytest.mark.parametrize(
    ("reason", "plan_date", "state"),
    [
        ("cut_off", TODAY, "provisional"),
        # Nobody asks a day that is over unbidden.
        (None, DAY, "final"),
    ],
)
def test_a_day_is_provisional_while_outcomes_may_still_come(
    stage: Stage, reason: str | None, plan_date: date, state: str
) -> None:
    stage.store_day(plan_date)
    stage.store(RAW_ANSWERS, [], plan_date)
    failure = {"query_id": "q", "prompt_id": "p", "repeat": 0, "reason": reason}
    stage.store(FAILURES, [failure] if reason else [], plan_date)

    stage.publish(plan_date)

    assert json.loads(stage.manifest(plan_date).read_text())["day_state"] == state
    table = stage.lake.read(OUT_RANK_DAILY, {"date": plan_date.isoformat()})
    assert set(table["day_state"].to_pylist()) == {state}


def test_the_figures_files_say_which_version_they_are_of(stage: Stage) -> None:
    stage.store_day()
    stage.publish()

    (path,) = stage.lake.files(OUT_RANK_DAILY, {"date": DAY.isoformat()})
    metadata = pq.read_schema(path).metadata
    document = json.loads(stage.manifest().read_text())
    assert (
        metadata[b"schema_version"].decode()
        == document["datasets"]["out_rank_daily"]["schema_version"]
    )
    assert document["catalog_versions"] == ["c1"]
    assert document["measure_versions"]
