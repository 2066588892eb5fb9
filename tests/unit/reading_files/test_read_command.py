"""`brand-visibility read` as a person calls it: files in, one file and one line out."""

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner, Result

from brand_visibility.adapters.mention_files import SCHEMA
from brand_visibility.cli import cli
from brand_visibility.domain.errors import CatalogError, InputError

_BRANDS = """
decoys: [小米粥]
brands:
  - brand_id: xiaomi
    tenant_id: acme
    name: 小米
    aliases: [{text: 小米, policy: guarded, context_any: [手机]}, Xiaomi]
    topics: [phones]
  - brand_id: dyson
    tenant_id: acme
    name: Dyson
    aliases: [Dyson]
    topics: [vacuums]
"""

_ANSWERS = [
    {"question": "?", "answer": "小米手机和Dyson"},
    {"question": "?", "answer": "喝小米粥"},
    {"question": "?", "answer": "none"},
]


@pytest.fixture
def catalog(tmp_path: Path) -> Path:
    folder = tmp_path / "catalog"
    folder.mkdir()
    (folder / "brands.yaml").write_text(_BRANDS, "utf-8")
    return folder


@pytest.fixture
def answers(tmp_path: Path) -> Path:
    return _write_lines(tmp_path / "answers.jsonl", _ANSWERS)


def _write_lines(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


def _read(catalog: Path, answers: Path, out: Path, *options: str) -> Result:
    arguments = ["read", "--catalog", catalog, "--answers", answers, "--out", out, *options]
    return CliRunner().invoke(cli, [str(argument) for argument in arguments])


def _rows(path: Path) -> list[dict[str, Any]]:
    if path.suffix == ".parquet":
        rows: list[dict[str, Any]] = pq.read_table(path).to_pylist()
        return rows
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_it_says_what_it_read(catalog: Path, answers: Path, tmp_path: Path) -> None:
    result = _read(catalog, answers, tmp_path / "out.jsonl")

    assert result.exit_code == 0
    assert result.output == (
        "3 answers read, 1 of them mention a brand: 2 mentions of 2 of 2 brands, 1 suppressed\n"
    )


@pytest.mark.parametrize("suffix", [".jsonl", ".ndjson", ".parquet"])
def test_each_mention_is_a_row(catalog: Path, answers: Path, tmp_path: Path, suffix: str) -> None:
    out = tmp_path / f"out{suffix}"

    _read(catalog, answers, out)

    rows = _rows(out)
    assert [list(row) for row in rows] == [SCHEMA.names] * 2
    versions = {
        "reader_version": rows[0]["reader_version"],
        "gazetteer_hash": rows[0]["gazetteer_hash"],
    }
    assert len(versions["gazetteer_hash"]) == 32
    assert rows[0] == {
        "answer_id": "1",
        "brand_id": "xiaomi",
        "alias": "小米",
        "alias_policy": "guarded",
        "surface": "小米",
        "start_offset": 0,
        "end_offset": 2,
        "zone": "text",
        "is_suppressed": False,
        "suppressed_reason": None,
        **versions,
    }
    assert (rows[1]["brand_id"], rows[1]["start_offset"]) == ("dyson", 5)


def test_what_does_not_count_comes_on_demand(catalog: Path, answers: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"

    _read(catalog, answers, out, "--with-suppressed")

    assert [(row["answer_id"], row["suppressed_reason"]) for row in _rows(out)] == [
        ("1", None), ("1", None), ("2", "decoy"),
    ]  # fmt: skip


def test_parquet_columns_keep_their_descriptions(
    catalog: Path, answers: Path, tmp_path: Path
) -> None:
    _read(catalog, answers, tmp_path / "out.parquet")

    schema = pq.read_schema(tmp_path / "out.parquet")
    assert schema.equals(SCHEMA)
    assert all(b"description" in field.metadata for field in schema)


def test_no_mention_makes_an_empty_file_with_its_columns(catalog: Path, tmp_path: Path) -> None:
    answers = _write_lines(tmp_path / "answers.jsonl", [{"text": "nothing"}])

    result = _read(catalog, answers, tmp_path / "out.parquet")

    assert result.exit_code == 0
    assert pq.read_table(tmp_path / "out.parquet").num_rows == 0


def test_more_rows_than_one_batch_are_all_written(catalog: Path, tmp_path: Path) -> None:
    answers = _write_lines(tmp_path / "answers.jsonl", [{"text": "Dyson " * 4_001}] * 3)

    _read(catalog, answers, tmp_path / "out.parquet")

    assert pq.read_table(tmp_path / "out.parquet").num_rows == 12_003


def test_a_folder_of_the_lake_is_read(catalog: Path, tmp_path: Path) -> None:
    folder = tmp_path / "raw_answers" / "date=2026-01-01" / "platform=deepseek"
    folder.mkdir(parents=True)
    table = pa.table({"query_id": ["q1", "q2"], "text": ["Dyson", "Dyson"]})
    pq.write_table(table, folder / "shard-0.parquet")

    _read(catalog, tmp_path / "raw_answers", tmp_path / "out.jsonl")

    assert [row["answer_id"] for row in _rows(tmp_path / "out.jsonl")] == ["q1", "q2"]


@pytest.mark.parametrize("out", ["out.csv", "missing/out.jsonl", "catalog/brands.yaml/out.jsonl"])
def test_a_place_that_cannot_be_written_is_named(
    catalog: Path, answers: Path, tmp_path: Path, out: str
) -> None:
    result = _read(catalog, answers, tmp_path / out)

    assert isinstance(result.exception, InputError)
    assert str(result.exception).startswith(f"{tmp_path / out}: found ")
    assert "; expected " in str(result.exception)


def test_a_fault_half_way_leaves_what_was_there(
    catalog: Path, answers: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out.jsonl"
    _read(catalog, answers, out)
    before = out.read_bytes()
    _write_lines(answers, [*_ANSWERS, {"question": "?"}])
    files = sorted(tmp_path.iterdir())

    result = _read(catalog, answers, out)

    assert isinstance(result.exception, InputError)
    assert "line 4" in str(result.exception)
    assert out.read_bytes() == before
    assert sorted(tmp_path.iterdir()) == files


def test_the_answers_are_never_overwritten(catalog: Path, answers: Path) -> None:
    before = answers.read_bytes()

    result = _read(catalog, answers, answers)

    assert isinstance(result.exception, InputError)
    assert answers.read_bytes() == before


def test_an_invalid_catalog_is_reported_with_its_faults(
    catalog: Path, answers: Path, tmp_path: Path
) -> None:
    (catalog / "brands.yaml").write_text("brands: [{name: x}]", "utf-8")

    result = _read(catalog, answers, tmp_path / "out.jsonl")

    assert isinstance(result.exception, CatalogError)
    assert not (tmp_path / "out.jsonl").exists()
