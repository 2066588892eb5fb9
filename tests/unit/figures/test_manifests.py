"""A day's manifest: whole, the same for the same files, and a witness against changed ones."""

import json
from datetime import date
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from click.testing import CliRunner

from brand_visibility.adapters.lake.files import Lake
from brand_visibility.adapters.lake.schemas import CORE_MENTIONS, OUT_RANK_DAILY, QUERY_PLAN
from brand_visibility.adapters.manifest import (
    build_manifest,
    find_differences,
    manifest_path,
    read_manifest,
    write_manifest,
)
from brand_visibility.commands.verify import verify
from brand_visibility.domain.errors import InputError
from brand_visibility.domain.night import DayState

DAY = date(2026, 5, 12)
PER_DAY = {"date": DAY.isoformat()}


@pytest.fixture
def lake(tmp_path: Path) -> Lake:
    """Return a lake with a day of two platforms and one dataset of figures."""
    lake = Lake(tmp_path / "lake")
    for name in ("deepseek", "gpt"):
        part = PER_DAY | {"platform": name}
        plan = [{"catalog_version": "c1"}]
        lake.write(QUERY_PLAN, part, pa.Table.from_pylist(plan, QUERY_PLAN.schema), name="plan")
    store_mentions(lake, reader_version="7")
    ranks = [{"brand_id": "acme", "measure_version": "2"}] * 3
    lake.write(
        OUT_RANK_DAILY, PER_DAY, pa.Table.from_pylist(ranks, OUT_RANK_DAILY.schema), name="all"
    )
    return lake


def store_mentions(lake: Lake, *, reader_version: str) -> None:
    rows = [{"reader_version": reader_version, "gazetteer_hash": "g"}] * 2
    table = pa.Table.from_pylist(rows, CORE_MENTIONS.schema)
    lake.write(CORE_MENTIONS, PER_DAY | {"platform": "gpt"}, table, name="asked")


def publish(lake: Lake) -> dict[str, Any]:
    document = build_manifest(lake, DAY, DayState.FINAL)
    write_manifest(lake, document)
    return document


def test_a_manifest_lists_every_file_and_the_versions_behind_them(lake: Lake) -> None:
    document = publish(lake)

    plan = document["datasets"]["query_plan"]
    assert plan["row_count"] == 2
    assert [one["path"] for one in plan["files"]] == [
        f"query_plan/date={DAY}/platform={name}/plan.parquet" for name in ("deepseek", "gpt")
    ]
    assert document["datasets"]["out_rank_daily"]["files"][0]["row_count"] == 3
    assert document["datasets"]["raw_answers"] == {
        "schema_version": plan["schema_version"],
        "row_count": 0,
        "files": [],
    }
    assert document["catalog_versions"] == ["c1"]
    assert (document["reader_versions"], document["gazetteer_hashes"]) == (["7"], ["g"])
    assert (document["measure_versions"], document["day_state"]) == (["2"], "final")


def test_the_same_files_give_the_same_manifest_and_what_was_written_is_read(lake: Lake) -> None:
    document = publish(lake)
    before = manifest_path(lake, DAY).read_bytes()
    publish(lake)

    assert manifest_path(lake, DAY).read_bytes() == before
    assert read_manifest(lake, DAY) == document == json.loads(before)
    assert [path.name for path in manifest_path(lake, DAY).parent.iterdir()] == ["manifest.json"]


def test_a_day_as_published_has_no_differences(lake: Lake) -> None:
    publish(lake)

    assert find_differences(lake, DAY) == ()


def test_a_changed_a_lost_and_an_added_file_are_each_named(lake: Lake) -> None:
    publish(lake)
    (ranks,) = lake.files(OUT_RANK_DAILY, PER_DAY)
    ranks.rename(ranks.with_name("other.parquet"))
    store_mentions(lake, reader_version="8")

    mentions, lost, added, versions = sorted(find_differences(lake, DAY))[:4]

    assert mentions.startswith(f"core_mentions/date={DAY}/platform=gpt/asked.parquet: found 2 rows")
    assert lost.endswith("all.parquet: found no such file; it was published")
    assert added.endswith("other.parquet: found a file that was not published")
    assert versions == "reader_versions: found ['8']; published with ['7']"


@pytest.mark.parametrize(("content", "found"), [(None, "no such file"), ("{", "no JSON")])
def test_a_day_without_a_readable_manifest_is_an_error(
    lake: Lake, content: str | None, found: str
) -> None:
    if content is not None:
        publish(lake)
        manifest_path(lake, DAY).write_text(content)

    with pytest.raises(InputError, match=rf"manifest\.json: {found}"):
        find_differences(lake, DAY)


def test_the_command_says_whether_the_day_stands(
    lake: Lake, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BRAND_VISIBILITY_HOME", str(lake.root.parent))
    publish(lake)

    well = CliRunner().invoke(verify, ["--date", DAY.isoformat()])
    store_mentions(lake, reader_version="8")
    changed = CliRunner().invoke(verify, ["--date", DAY.isoformat()])

    assert (well.exit_code, changed.exit_code) == (0, 1)
    assert well.output == f"{DAY}: 4 files as published, final\n"
    assert "2 differences to what was published" in changed.output
