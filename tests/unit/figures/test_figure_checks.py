"""Checks of figures: what is possible passes, what is not is named."""

from datetime import date
from typing import Any

import pyarrow as pa
import pytest

from brand_visibility.adapters.figure_checks import find_faults, key_columns
from brand_visibility.adapters.figures import FIGURES
from brand_visibility.adapters.lake.schemas import OUT_COLLECTION_DAILY, OUT_STANCE_DAILY, Dataset

STANCE = {
    "plan_date": date(2026, 5, 12),
    "tenant_id": "shop",
    "brand_id": "acme",
    "topic_id": "phones",
    "platform_id": "deepseek",
    "channel": "api",
    "question_kind": "brand",
    "answer_count": 3,
    "mentioning_answer_count": 2,
    "mentioning_question_count": 2,
    "absent_answer_count": 1,
    "recommended_answer_count": 1,
    "neutral_answer_count": 1,
    "negative_answer_count": 0,
    "unjudged_answer_count": 0,
    **{
        f"{stance}_rate{bound}": value
        for stance, values in {
            "recommended": (0.5, 0.1, 0.9),
            "neutral": (0.5, 0.1, 0.9),
            "negative": (0.0, 0.0, 0.6),
            "unjudged": (0.0, 0.0, 0.6),
        }.items()
        for bound, value in zip(("", "_low", "_high"), values, strict=True)
    },
}
COLLECTION = {name: STANCE[name] for name in ("plan_date", "tenant_id", "brand_id", "channel")} | {
    "platform_id": "deepseek",
    "account_id": "main",
    "planned_count": 4,
    "answer_count": 1,
    "refused_or_blocked_count": 1,
    "failed_count": 1,
    "open_count": 1,
}


def faults(dataset: Dataset, *rows: dict[str, Any]) -> tuple[str, ...]:
    return find_faults(dataset, pa.Table.from_pylist(list(rows), schema=dataset.schema))


def test_possible_figures_pass() -> None:
    assert faults(OUT_STANCE_DAILY, STANCE, STANCE | {"brand_id": "bolt"}) == ()
    assert faults(OUT_COLLECTION_DAILY, COLLECTION) == ()


def test_unknown_rates_pass_and_so_does_a_day_without_rows() -> None:
    unknown = {name: None for name in STANCE if "_rate" in name}
    empty = {name: 0 for name in STANCE if name.endswith("_count")}

    assert faults(OUT_STANCE_DAILY, STANCE | unknown | empty) == ()
    assert faults(OUT_STANCE_DAILY) == ()


@pytest.mark.parametrize(
    ("changes", "wanted"),
    [
        ({"brand_id": None}, "brand_id: found 1 rows that break the rule: not_nullable"),
        ({"neutral_rate_high": 1.1}, "neutral_rate_high: found 1 rows that break the rule: in_ran"),
        ({"answer_count": -1, "absent_answer_count": -3}, "answer_count: found 1 rows"),
        ({"neutral_rate_low": 0.6}, "rule: neutral_rate lies within its bounds"),
        ({"neutral_rate_low": None}, "rule: neutral_rate lies within its bounds"),
        ({"absent_answer_count": 0}, "rule: every answer mentions the brand or not"),
        ({"negative_answer_count": 1}, "rule: every mentioning answer has one stance"),
        ({"unjudged_rate": 0.1}, "rule: stances divide the mentioning answers"),
    ],
)
def test_what_cannot_be_is_named(changes: dict[str, Any], wanted: str) -> None:
    found = faults(OUT_STANCE_DAILY, STANCE | changes)

    assert any(wanted in fault for fault in found), found
    assert all(fault.startswith("out_stance_daily: ") for fault in found)


def test_two_rows_of_one_thing_are_refused() -> None:
    (fault,) = faults(OUT_STANCE_DAILY, STANCE, STANCE)

    assert "found 2 rows that break the rule: multiple_fields_uniqueness" in fault


def test_a_planned_query_that_ended_nowhere_is_refused() -> None:
    (fault,) = faults(OUT_COLLECTION_DAILY, COLLECTION | {"failed_count": 0})

    assert "every planned query has one outcome or is open" in fault


def test_every_dataset_of_figures_says_what_its_rows_are_about() -> None:
    for figures in FIGURES:
        assert {"plan_date", "platform_id"} <= set(key_columns(figures.dataset))
