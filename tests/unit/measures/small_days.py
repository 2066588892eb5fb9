"""Small days for the tests of measures: rows in the lake's own types, by hand or drawn."""

from dataclasses import dataclass, field
from datetime import date
from typing import Any

import pandas as pd
import pyarrow as pa
from hypothesis import settings
from hypothesis import strategies as st

from brand_visibility.adapters.lake.schemas import (
    CORE_MENTIONS,
    FAILURES,
    QUERY_PLAN,
    RAW_ANSWERS,
    Dataset,
)

DAY = date(2026, 5, 12)
BRANDS = ("acme", "bolt", "chic")

Row = dict[str, Any]

# A frame costs milliseconds where a plain value costs none.
each_drawn_day = settings(max_examples=15, deadline=None)


def task(brand: str = "acme", prompt: str = "p1", **changes: Any) -> Row:
    row = {
        "plan_date": DAY,
        "tenant_id": "shop",
        "brand_id": brand,
        "topic_id": "phones",
        "question_kind": "non_brand",
        "platform_id": "deepseek",
        "channel": "api",
        "prompt_id": prompt,
        "repeats": 1,
    }
    return row | changes


def answer(prompt: str = "p1", repeat: int = 0, **changes: Any) -> Row:
    row = {
        "plan_date": DAY,
        "platform_id": "deepseek",
        "channel": "api",
        "prompt_id": prompt,
        "repeat": repeat,
    } | changes
    query_id = f"{row['platform_id']}/{row['channel']}/{row['prompt_id']}/{row['repeat']}"
    return {"query_id": query_id} | row


def failure(prompt: str = "p1", repeat: int = 0, reason: str = "timed_out", **changes: Any) -> Row:
    return answer(prompt, repeat, **changes) | {"reason": reason}


def mention(of: Row, brand: str = "acme", *, is_suppressed: bool = False) -> Row:
    return {
        "plan_date": of["plan_date"],
        "query_id": of["query_id"],
        "brand_id": brand,
        "is_suppressed": is_suppressed,
    }


def frame(dataset: Dataset, rows: list[Row]) -> pd.DataFrame:
    return pa.Table.from_pylist(rows, schema=dataset.schema).to_pandas()


def measured_schema(dataset: Dataset) -> pa.Schema:
    """Return the columns that a measure makes: the day's state is put in when they are stored."""
    return pa.schema([field for field in dataset.schema if field.name != "day_state"])


@dataclass
class Day:
    """The rows of one day, to be changed freely before they become frames."""

    tasks: list[Row] = field(default_factory=list)
    answers: list[Row] = field(default_factory=list)
    mentions: list[Row] = field(default_factory=list)
    failures: list[Row] = field(default_factory=list)

    def frames(self) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
        return (
            frame(QUERY_PLAN, self.tasks),
            frame(RAW_ANSWERS, self.answers),
            frame(CORE_MENTIONS, self.mentions),
        )

    def collection_frames(self) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
        return (
            frame(QUERY_PLAN, self.tasks),
            frame(RAW_ANSWERS, self.answers),
            frame(FAILURES, self.failures),
        )


@st.composite
def days(draw: st.DrawFn) -> Day:
    """Draw a day of up to three brands, four prompts, two platforms and three repeats."""
    brands = draw(st.lists(st.sampled_from(BRANDS), min_size=1, max_size=3, unique=True))
    prompts = [f"p{number}" for number in range(draw(st.integers(1, 4)))]
    platforms = draw(st.sampled_from([("deepseek",), ("deepseek", "doubao")]))
    repeats = draw(st.integers(1, 3))
    kinds = {prompt: draw(st.sampled_from(["non_brand", "brand"])) for prompt in prompts}
    day = Day(
        tasks=[
            task(
                brand,
                prompt,
                platform_id=platform,
                repeats=repeats,
                question_kind=kinds[prompt],
            )
            for platform in platforms
            for prompt in prompts
            for brand in brands
        ]
    )
    for platform in platforms:
        for prompt in prompts:
            for repeat in range(repeats):
                query = answer(prompt, repeat, platform_id=platform)
                _draw_outcome(draw, day, query, brands)
    return day


def _draw_outcome(draw: st.DrawFn, day: Day, query: Row, brands: list[str]) -> None:
    if draw(st.booleans()):
        day.failures.append(query | {"reason": draw(st.sampled_from(["empty", "timed_out"]))})
        return
    day.answers.append(query)
    for brand in draw(st.lists(st.sampled_from(brands), max_size=4)):
        day.mentions.append(mention(query, brand, is_suppressed=draw(st.booleans())))
