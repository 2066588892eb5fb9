"""Two days of one market for the tests of changes, from rates that are simply said."""

from collections.abc import Mapping
from datetime import date, timedelta

import pandas as pd
import pyarrow as pa
from small_days import DAY, Day, answer, frame, mention, task

from brand_visibility.adapters.lake.schemas import CORE_RANKS, Dataset
from brand_visibility.measures.day_frames import DayFrames

NEXT = DAY + timedelta(days=1)
AFTER = DAY + timedelta(days=2)


def measured(dataset: Dataset) -> pa.Schema:
    """Return a dataset's columns but the state of its day, which no measure knows."""
    return pa.schema([field for field in dataset.schema if field.name != "day_state"])


def a_day(
    day: date = DAY,
    rates: Mapping[str, float] | None = None,
    *,
    questions: int = 40,
    first: int = 0,
    answered: float = 1.0,
    repeats: int = 1,
    model: str | None = "model-1",
    searched: float = 0.0,
    channel: str = "api",
    ranks: Mapping[str, float] | None = None,
) -> DayFrames:
    """Build a day on which the first questions, as many as its rate says, mention a brand.

    `first` is the number of the first question, `answered` the share of questions that have
    answers, `searched` that of answers which searched.
    """
    wanted = rates or {"acme": 0.25, "bolt": 0.5}
    prompts = [f"p{number:03}" for number in range(first, first + questions)]
    shared = {"plan_date": day, "channel": channel}
    made = Day(
        tasks=[task(brand, p, repeats=repeats, **shared) for p in prompts for brand in wanted]
    )
    for place, prompt in enumerate(prompts[: round(answered * questions)]):
        search = "searched" if place < searched * questions else "not_searched"
        for repeat in range(repeats):
            row = answer(prompt, repeat, model=model, search=search, **shared)
            made.answers.append(row)
            made.mentions += [
                mention(row, brand) for brand, rate in wanted.items() if place < rate * questions
            ]
    return DayFrames(day, *made.frames(), ranks=None if ranks is None else _ranks(made, ranks))


def _ranks(made: Day, first: Mapping[str, float]) -> pd.DataFrame:
    keys = ("plan_date", "query_id", "platform_id", "channel")
    rows = [
        {name: row[name] for name in keys}
        | {"tenant_id": "shop", "brand_id": brand, "list_index": 0}
        | {"rank": 1 if place < rate * len(made.answers) else 2}
        for place, row in enumerate(made.answers)
        for brand, rate in first.items()
    ]
    return frame(CORE_RANKS, rows)
