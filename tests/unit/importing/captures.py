"""Captured answers for tests, and a lake with a night's own answers to the same questions."""

import csv
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pyarrow as pa
import pyarrow.parquet as pq

from brand_visibility.adapters.importing.importer import Defaults, Importer, ImportReport
from brand_visibility.adapters.lake.files import Lake
from brand_visibility.adapters.lake.schemas import IMPORTED_ANSWERS, QUERY_PLAN, RAW_ANSWERS
from brand_visibility.domain.catalog import Catalog
from brand_visibility.domain.planning import build_plan
from tests.builders import DAY, a_catalog

NOON = datetime(2026, 11, 30, 4, 0, tzinfo=UTC)
SHANGHAI = ZoneInfo("Asia/Shanghai")
PARTITION = {"date": "2026-11-30", "platform": "deepseek"}
PROMPT = "Which vacuum number 0 is best?"
CATALOG = a_catalog(questions=3, platforms=("deepseek", "kimi"))

Row = dict[str, Any]


def capture(**changes: Any) -> Row:
    """A row that is good as it is; a change to None leaves the field out."""
    row = {"platform_id": "deepseek", "date": "2026-11-30", "prompt": PROMPT, "text": "Dyson."}
    return {name: value for name, value in (row | changes).items() if value is not None}


def json_file(folder: Path, rows: Iterable[object], name: str = "app.jsonl") -> Path:
    path = folder / name
    lines = (row if isinstance(row, str) else json.dumps(row) for row in rows)
    path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    return path


def csv_file(folder: Path, rows: Sequence[Mapping[str, str]], name: str = "app.csv") -> Path:
    path = folder / name
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return path


def parquet_file(folder: Path, rows: list[Row], name: str = "app.parquet") -> Path:
    path = folder / name
    pq.write_table(pa.Table.from_pylist(rows), path)
    return path


def importer(lake: Lake, catalog: Catalog = CATALOG, *, now: datetime = NOON) -> Importer:
    return Importer(lake, catalog, zone=SHANGHAI, first_day=date(2026, 11, 1), now=now)


def take_in(
    lake: Lake, path: Path, *, catalog: Catalog = CATALOG, replace: bool = False, **defaults: Any
) -> ImportReport:
    return importer(lake, catalog).take_in(path, Defaults(**defaults), replace=replace)


def faults(report: ImportReport) -> list[tuple[int, str]]:
    return [(fault.line, fault.field) for fault in report.faults]


def imported(lake: Lake, partition: Mapping[str, str] = PARTITION) -> list[Row]:
    rows: list[Row] = lake.read(IMPORTED_ANSWERS, partition).to_pylist()
    return rows


def stored_plan(lake: Lake, catalog: Catalog = CATALOG, platform_id: str = "deepseek") -> None:
    """Freeze a platform's day in the lake, as its asset does."""
    plan = build_plan(catalog, plan_date=DAY, platform_id=platform_id)
    prompts = {query.prompt_id: query.prompt for query in plan.queries}
    rows = [
        {
            **asdict(task),
            "question_kind": task.kind.value,
            "channel": "api",
            "prompt": prompts[task.prompt_id],
            "catalog_version": plan.catalog_version,
        }
        for task in plan.tasks
    ]
    table = pa.Table.from_pylist(rows, schema=QUERY_PLAN.schema)
    lake.write(QUERY_PLAN, {**PARTITION, "platform": platform_id}, table, name="plan")


def stored_night(lake: Lake) -> None:
    """A platform's day in the lake: its plan, and an answer to every query but one."""
    stored_plan(lake)
    plan = build_plan(CATALOG, plan_date=DAY, platform_id="deepseek")
    rows = [
        {
            "plan_date": DAY,
            "query_id": query.query_id,
            "platform_id": query.platform_id,
            "channel": query.channel,
            "prompt_id": query.prompt_id,
            "prompt": query.prompt,
            "repeat": query.repeat,
            "text": ("Roborock.", "Dyson or Roborock.", "Neither.")[place % 3],
        }
        for place, query in enumerate(plan.queries[1:])
    ]
    table = pa.Table.from_pylist(rows, schema=RAW_ANSWERS.schema)
    lake.write(RAW_ANSWERS, PARTITION, table, name="shard-00-of-01")


def another_question(text: str) -> Catalog:
    """The catalog with another text for its first question."""
    first, *others = CATALOG.questions
    return replace(CATALOG, version="f" * 16, questions=(replace(first, text=text), *others))
