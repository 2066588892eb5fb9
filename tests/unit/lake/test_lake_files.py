"""The lake's files as an analyst and a crashed writer meet them."""

from pathlib import Path

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from brand_visibility.adapters.lake.files import Lake, write_parquet
from brand_visibility.adapters.lake.schemas import DATASETS, FAILURES, OUT_VISIBILITY_DAILY
from brand_visibility.domain.errors import InputError
from tests.builders import DAY

PARTITION = {"date": "2026-11-30", "platform": "deepseek"}


def failures(*reasons: str) -> pa.Table:
    rows = [
        {
            "plan_date": DAY,
            "query_id": f"q{number}",
            "platform_id": "deepseek",
            "channel": "api",
            "prompt_id": "p",
            "prompt": "哪个好？",
            "repeat": 0,
            "reason": reason,
            "detail": "",
            "attempt_count": 4,
        }
        for number, reason in enumerate(reasons)
    ]
    return pa.Table.from_pylist(rows, schema=FAILURES.schema)


@pytest.fixture
def lake(tmp_path: Path) -> Lake:
    return Lake(tmp_path / "lake")


def test_a_partition_is_read_in_order_of_its_files(lake: Lake) -> None:
    lake.write(FAILURES, PARTITION, failures("empty"), name="shard-01")
    lake.write(FAILURES, PARTITION, failures("timed_out", "refused"), name="shard-00")

    assert lake.read(FAILURES, PARTITION)["reason"].to_pylist() == ["timed_out", "refused", "empty"]


def test_writing_a_file_again_replaces_it(lake: Lake) -> None:
    lake.write(FAILURES, PARTITION, failures("empty", "empty"), name="shard-00")
    lake.write(FAILURES, PARTITION, failures("refused"), name="shard-00")

    assert lake.read(FAILURES, PARTITION).num_rows == 1


def test_a_partition_that_was_never_written_is_empty_with_its_columns(lake: Lake) -> None:
    assert lake.read(FAILURES, PARTITION).schema.names == FAILURES.schema.names


def test_a_table_of_another_schema_is_refused(lake: Lake) -> None:
    with pytest.raises(ValueError, match="expected its own schema"):
        lake.write(FAILURES, PARTITION, failures("empty").drop(["detail"]), name="shard-00")
    assert lake.files(FAILURES, PARTITION) == []


@pytest.mark.parametrize("columns", [None, ["query_id", "http_status", "detail"]])
def test_what_a_file_of_an_earlier_version_lacks_is_null(
    lake: Lake, columns: list[str] | None
) -> None:
    path = lake.write(FAILURES, PARTITION, failures("empty"), name="shard-00")
    write_parquet(failures("timed_out").drop(["detail", "http_status"]), path)
    lake.write(FAILURES, PARTITION, failures("refused"), name="shard-01")

    table = lake.read(FAILURES, PARTITION, columns)

    assert table.schema.names == (columns or FAILURES.schema.names)
    assert table["detail"].to_pylist() == [None, ""]
    assert table["query_id"].to_pylist() == ["q0", "q0"]


@pytest.mark.parametrize("value", ["../up", "a/b", "", "A", "a" * 65, ".hidden"])
def test_a_value_that_could_leave_the_lake_is_no_folder(lake: Lake, value: str) -> None:
    with pytest.raises(InputError, match="partition platform of failures"):
        lake.folder(FAILURES, {"date": "2026-11-30", "platform": value})


@pytest.mark.parametrize("value", ["a" * 64, "9lives", "gpt-4o_mini"])
def test_a_plain_id_is_a_folder(lake: Lake, value: str) -> None:
    folder = lake.folder(FAILURES, {"date": "2026-11-30", "platform": value})
    assert folder.name == f"platform={value}"


def test_what_a_crashed_writer_left_is_not_read(lake: Lake) -> None:
    path = lake.write(FAILURES, PARTITION, failures("empty"), name="shard-00")
    path.with_name(".shard-01.parquet.77.tmp").write_bytes(b"PAR1 half")

    assert lake.read(FAILURES, PARTITION).num_rows == 1


def test_a_failed_write_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "f.parquet"
    write_parquet(failures("empty"), path)

    with pytest.raises(AttributeError):
        write_parquet("no table", path)  # type: ignore[arg-type]

    assert pq.read_table(path).num_rows == 1
    assert [file.name for file in tmp_path.iterdir()] == ["f.parquet"]


def test_files_of_another_shard_count_are_removed(lake: Lake) -> None:
    for name in ("shard-00-of-02", "shard-01-of-02", "shard-00-of-01"):
        lake.write(FAILURES, PARTITION, failures("empty"), name=name)

    lake.remove_others(FAILURES, PARTITION, frozenset({"shard-00-of-01"}))

    assert [path.stem for path in lake.files(FAILURES, PARTITION)] == ["shard-00-of-01"]


def test_pandas_duckdb_and_polars_read_the_same_rows(lake: Lake, tmp_path: Path) -> None:
    lake.write(FAILURES, PARTITION, failures("empty", "refused"), name="shard-00")
    root = tmp_path / "lake" / "failures"

    by_pandas = pd.read_parquet(root)
    by_polars = pl.read_parquet(root / "**/*.parquet", hive_partitioning=True)
    by_duckdb = duckdb.sql(
        f"SELECT * FROM read_parquet('{root}/**/*.parquet', hive_partitioning = true)"
    )

    expected = ["empty", "refused"]
    assert sorted(by_pandas["reason"]) == expected
    assert sorted(by_polars["reason"]) == expected
    assert sorted(row[0] for row in by_duckdb.select("reason").fetchall()) == expected
    assert set(by_pandas["platform"]) == {"deepseek"}


def test_every_column_of_every_dataset_says_what_it_means() -> None:
    for dataset in DATASETS:
        for field in dataset.schema:
            assert field.metadata[b"description"].endswith(b"."), (dataset.name, field.name)


def test_a_written_file_tells_its_schema_version(lake: Lake) -> None:
    table = OUT_VISIBILITY_DAILY.schema.empty_table()

    path = lake.write(OUT_VISIBILITY_DAILY, {"date": "2026-11-30"}, table, name="all")

    metadata = pq.read_schema(path).metadata
    assert metadata[b"schema_version"] == b"2"
    assert metadata[b"dataset"] == b"out_visibility_daily"


@pytest.mark.parametrize(
    ("at_most", "sampled"), [(7, "abcdefg"), (6, "aceg"), (3, "adg"), (1, "a"), (99, "abcdefg")]
)
def test_a_sample_is_spread_evenly_over_a_partitions_files(
    lake: Lake, at_most: int, sampled: str
) -> None:
    lake.write(FAILURES, PARTITION, failures(*"abc"), name="shard-00")
    lake.write(FAILURES, PARTITION, failures(*"defg"), name="shard-01")

    assert "".join(lake.sample(FAILURES, PARTITION, "reason", at_most=at_most)) == sampled


def test_a_sample_of_nothing_is_empty(lake: Lake) -> None:
    assert list(lake.sample(FAILURES, PARTITION, "reason", at_most=5)) == []
