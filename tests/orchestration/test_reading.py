"""Reading a stored day through the graph: four datasets, again with an edited catalog."""

from datetime import date
from pathlib import Path
from typing import Any

import dagster as dg
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from assets.checks import build_checks
from assets.partitions import build_partitions
from assets.reading import build_reading
from brand_visibility.adapters.lake.files import Lake
from brand_visibility.adapters.lake.schemas import QUERY_PLAN, RAW_ANSWERS
from resources.catalog import CatalogResource
from resources.lake import LakeResource

pytestmark = pytest.mark.filterwarnings(
    "ignore::dagster.BetaWarning", "ignore::dagster.PreviewWarning"
)

DAY = date(2026, 11, 30)
PARTITION = {"date": DAY.isoformat(), "platform": "gpt"}
TEXT = "1. **戴森**：推荐，见[1]\n2. **石头**：不推荐\n\n拿石头砸。"
BRANDS = """
brands:
  - {brand_id: dyson, tenant_id: acme, name: 戴森, topics: [vacuums], domains: [dyson.com]}
  - brand_id: roborock
    tenant_id: acme
    name: 石头
    aliases: [{text: 石头, policy: POLICY}]
    topics: [vacuums]
"""


@pytest.fixture
def resources(tmp_path: Path) -> dict[str, Any]:
    write_catalog(tmp_path, policy="guarded")
    lake = Lake(tmp_path / "lake")
    shared = {"plan_date": DAY, "platform_id": "gpt", "channel": "api", "prompt_id": "p"}
    answer = {
        **shared,
        "query_id": "q",
        "text": TEXT,
        "sources": [
            {"position": 1, "url": "https://dyson.com/v15", "title": "V15", "is_cited": False}
        ],
    }
    answers = pa.Table.from_pylist([answer], schema=RAW_ANSWERS.schema)
    lake.write(RAW_ANSWERS, PARTITION, answers, name="shard-00-of-01")
    task = {**shared, "task_id": "t", "topic_id": "vacuums"}
    lake.write(
        QUERY_PLAN,
        PARTITION,
        pa.Table.from_pylist([task], schema=QUERY_PLAN.schema),
        name="plan",
    )
    return {
        "catalog": CatalogResource(directory=str(tmp_path / "catalog")),
        "lake": LakeResource(root=str(tmp_path / "lake"), report_root=str(tmp_path / "reports")),
    }


def write_catalog(folder: Path, *, policy: str) -> None:
    (folder / "catalog").mkdir(exist_ok=True)
    written = BRANDS.replace("POLICY", policy)
    (folder / "catalog" / "brands.yaml").write_text(written, encoding="utf-8")


def read(resources: dict[str, Any], gazetteer_hash: str = "") -> dg.ExecuteInProcessResult:
    partitions = build_partitions(start_date=DAY, timezone="UTC", platform_ids=("gpt",))
    mentions = dg.AssetKey("core_mentions")
    checks = [
        check
        for check in build_checks(partitions)
        if all(key.asset_key == mentions for key in check.check_keys)
    ]
    # An instance that nobody disposes of leaves a temporary folder behind, which warns.
    with dg.DagsterInstance.ephemeral() as instance:
        return dg.materialize(
            [build_reading(partitions), *checks],
            partition_key=f"{DAY}|gpt",
            resources=resources,
            run_config={"ops": {"reading": {"config": {"gazetteer_hash": gazetteer_hash}}}},
            instance=instance,
        )


def rows(folder: Path, dataset: str) -> list[dict[str, Any]]:
    path = folder / "lake" / dataset / f"date={DAY}" / "platform=gpt" / "asked.parquet"
    with pq.ParquetFile(path) as file:
        found: list[dict[str, Any]] = file.read().to_pylist()
    return found


def test_one_pass_makes_all_four_datasets(tmp_path: Path, resources: dict[str, Any]) -> None:
    read(resources)

    ranks = {row["brand_id"]: row["rank"] for row in rows(tmp_path, "core_ranks")}
    stances = {row["brand_id"]: row["stance"] for row in rows(tmp_path, "core_stances")}
    assert ranks == {"dyson": 1, "roborock": 2}
    assert stances == {"dyson": "recommended", "roborock": "negative"}
    assert [
        (row["url"], row["role"], row["owner_brand_ids"])
        for row in rows(tmp_path, "core_citations")
    ] == [("https://dyson.com/v15", "cited", ["dyson"])]
    assert len(rows(tmp_path, "core_mentions")) == 3


def test_the_questions_topic_reaches_the_reader(tmp_path: Path, resources: dict[str, Any]) -> None:
    read(resources)

    counted = [row for row in rows(tmp_path, "core_mentions") if not row["is_suppressed"]]
    assert [row["brand_id"] for row in counted] == ["dyson", "roborock", "roborock"]


def test_an_edited_alias_changes_the_day_and_the_earlier_reading_can_be_made_again(
    tmp_path: Path, resources: dict[str, Any]
) -> None:
    read(resources)
    earlier = {name: rows(tmp_path, name) for name in ("core_mentions", "core_ranks")}
    write_catalog(tmp_path, policy="compound_only")
    read(resources)
    edited = rows(tmp_path, "core_mentions")
    read(resources, gazetteer_hash=earlier["core_mentions"][0]["gazetteer_hash"])

    assert {row["suppressed_reason"] for row in edited} == {None, "compound_only"}
    assert edited[0]["gazetteer_hash"] != earlier["core_mentions"][0]["gazetteer_hash"]
    assert {name: rows(tmp_path, name) for name in earlier} == earlier


def test_an_alias_that_fires_on_ordinary_text_is_a_warning_with_proof(
    tmp_path: Path, resources: dict[str, Any]
) -> None:
    written = (
        BRANDS.replace("POLICY", "safe")
        .replace("name: 石头", "name: 砸")
        .replace("{text: 石头, policy: safe}", "砸")
    )
    (tmp_path / "catalog" / "brands.yaml").write_text(written, encoding="utf-8")

    (evaluation,) = read(resources).get_asset_check_evaluations()

    assert not evaluation.passed
    assert evaluation.severity is dg.AssetCheckSeverity.WARN
    (record,) = evaluation.metadata["doubts"].value.records
    assert (record.data["alias"], record.data["doubt"]) == ("砸", "too_short")
