"""A stored day as the measures take it: what is measured is read, and nothing else."""

from datetime import date
from decimal import Decimal
from pathlib import Path

import pyarrow as pa
import pytest

from brand_visibility.adapters.lake.files import Lake
from brand_visibility.adapters.lake.schemas import (
    ATTEMPTS,
    CORE_RANKS,
    QUERY_PLAN,
    RAW_ANSWERS,
    Dataset,
)
from brand_visibility.adapters.stored_day import StoredDay

DAY = date(2026, 5, 12)
PARTITION = {"date": DAY.isoformat(), "platform": "gpt"}


@pytest.fixture
def lake(tmp_path: Path) -> Lake:
    lake = Lake(tmp_path)
    store(lake, QUERY_PLAN, {"prompt": "?"})
    return lake


def store(lake: Lake, dataset: Dataset, *rows: dict[str, object]) -> None:
    shared = {"plan_date": DAY, "platform_id": "gpt", "channel": "api", "query_id": "q"}
    whole = [{k: v for k, v in (shared | row).items() if k in dataset.schema.names} for row in rows]
    table = pa.Table.from_pylist(whole, schema=dataset.schema)
    lake.write(dataset, PARTITION, table, name="all")


def test_texts_bodies_and_sources_stay_on_the_disk(lake: Lake) -> None:
    store(lake, RAW_ANSWERS, {"text": "T", "raw_body": b"B", "prompt": "?"})
    day = StoredDay(lake, DAY)

    assert not {"text", "prompt", "raw_body", "sources", "cost_usd"} & set(day.answers())
    assert day.answers(with_text=True)["text"].tolist() == ["T"]
    assert "prompt" not in day.plan()


@pytest.mark.parametrize(
    ("cost", "units"),
    [("0.000000001", 1), ("123456789.987654321", 123456789987654321), ("0", 0), (None, None)],
)
def test_a_cost_is_read_to_the_last_billionth(
    lake: Lake, cost: str | None, units: int | None
) -> None:
    store(lake, ATTEMPTS, {"cost_usd": None if cost is None else Decimal(cost)}, {"cost_usd": None})

    found = StoredDay(lake, DAY).attempts()["cost_units"]

    assert found.isna().tolist() == [units is None, True]
    assert units is None or found[0] == units


def test_a_day_has_its_own_answers_readings_only(lake: Lake) -> None:
    store(lake, CORE_RANKS, {"brand_id": "acme"}, {"brand_id": "bolt", "channel": "import"})

    assert StoredDay(lake, DAY).ranks()["brand_id"].tolist() == ["acme"]


def test_the_day_before_is_another_day(lake: Lake) -> None:
    assert StoredDay(lake, DAY).before() == StoredDay(lake, date(2026, 5, 11))
    assert StoredDay(lake, DAY).before().plan().empty
