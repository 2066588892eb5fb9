"""What was planned and what became of it: every query once, every dollar once."""

from decimal import Decimal
from typing import Any

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_days import Day, Row, answer, failure, frame, measured_schema, task

from brand_visibility.adapters.lake.schemas import (
    FAILURES,
    OUT_ACCOUNT_DAILY,
    OUT_COLLECTION_DAILY,
    OUT_FAILURE_DAILY,
    QUERY_PLAN,
    RAW_ANSWERS,
)
from brand_visibility.domain.errors import IncompleteError
from brand_visibility.measures.collection import (
    NO_ACCOUNT,
    Collected,
    account_daily,
    collection_daily,
    failure_daily,
)


def call(of: Row, number: int = 1, units: int | None = 1000, account: str = "main") -> Row:
    return {
        "plan_date": of["plan_date"],
        "query_id": of["query_id"],
        "account_id": account,
        "attempt_number": number,
        "cost_units": units,
    }


def collected(day: Day, calls: list[Row]) -> Collected:
    attempts = pd.DataFrame(calls, columns=list(call(answer())))
    attempts["cost_units"] = attempts["cost_units"].astype("Int64")
    return Collected(
        frame(QUERY_PLAN, day.tasks),
        frame(RAW_ANSWERS, day.answers),
        frame(FAILURES, day.failures),
        attempts,
    )


def night(**changes: Any) -> tuple[Day, list[Row]]:
    """Return five planned queries: answered, answered late, refused, given up, and open."""
    prompts = [f"p{number}" for number in range(5)]
    fields = {"latency_ms": 100, "search": "searched", "prompt_tokens": 7, "completion_tokens": 10}
    day = Day(
        tasks=[task(prompt=prompt) for prompt in prompts],
        answers=[answer("p0", **fields), answer("p1", **fields | changes)],
        failures=[failure("p2", reason="refused"), failure("p3", reason="timed_out")],
    )
    calls = [
        call(day.answers[0]),
        *(call(day.answers[1], number) for number in (1, 2, 3)),
        call(day.failures[0]),
        *(call(day.failures[1], number, units=0) for number in (1, 2, 3, 4)),
    ]
    return day, calls


def test_every_planned_query_ends_in_exactly_one_column() -> None:
    rows = account_daily(collected(*night())).set_index("account_id")

    main, nobody = rows.loc["main"], rows.loc[NO_ACCOUNT]
    assert [main[f"{how}_count"] for how in ("planned", "answer", "refused_or_blocked")] == [
        4,
        2,
        1,
    ]
    assert (main["failed_count"], main["open_count"]) == (1, 0)
    assert (nobody["planned_count"], nobody["open_count"]) == (1, 1)
    retries = ("no_retry_count", "one_retry_count", "two_retries_count", "more_retries_count")
    assert [main[name] for name in retries] == [2, 0, 1, 1]
    assert [nobody[name] for name in retries] == [0, 0, 0, 0]


def test_time_search_calls_and_cost_are_those_of_the_account() -> None:
    day, calls = night(latency_ms=300, search="unknown")

    row = account_daily(collected(day, calls)).set_index("account_id").loc["main"]

    assert (row["latency_ms_p50"], row["latency_ms_p99"]) == (200, pytest.approx(298))
    assert (row["searched_answer_count"], row["search_known_answer_count"]) == (1, 1)
    assert row["searched_rate"] == 1
    assert row["call_count"] == 9
    assert row["cost_usd"] == Decimal("0.000005")
    assert (row["prompt_tokens"], row["completion_tokens"]) == (14, 20)


def test_a_query_belongs_to_its_last_account_and_each_call_to_its_own() -> None:
    day = Day(tasks=[task()], failures=[failure()])
    calls = [call(day.failures[0], 1, 10, "first"), call(day.failures[0], 2, 20, "second")]

    rows = account_daily(collected(day, calls)).set_index("account_id")

    assert rows["planned_count"].to_dict() == {"first": 0, "second": 1}
    assert rows["call_count"].to_dict() == {"first": 1, "second": 1}
    assert rows["cost_usd"].to_dict() == {"first": Decimal("1e-8"), "second": Decimal("2e-8")}


def test_without_a_price_the_cost_is_unknown_and_not_0() -> None:
    day = Day(tasks=[task()], failures=[failure()])

    (row,) = account_daily(collected(day, [call(day.failures[0], units=None)])).to_dict("records")

    assert row["cost_usd"] is None


def test_a_query_that_failed_and_was_answered_later_is_answered() -> None:
    day = Day(tasks=[task()], answers=[answer()], failures=[failure()])

    (row,) = account_daily(collected(day, [call(day.answers[0])])).to_dict("records")

    assert (row["answer_count"], row["failed_count"]) == (1, 0)


def test_a_shared_query_counts_in_full_for_each_brand_and_its_cost_in_parts() -> None:
    day = Day(
        tasks=[task("acme"), task("bolt"), task("chic", tenant_id="other")],
        answers=[answer(prompt_tokens=4, completion_tokens=9, latency_ms=5, search="unknown")],
    )

    rows = collection_daily(collected(day, [call(day.answers[0], units=101)]))

    by_brand = rows.set_index("brand_id")
    assert by_brand["answer_count"].to_dict() == {"acme": 1, "bolt": 1, "chic": 1}
    # Each tenant bears a half, and a tenant's brands share it.
    units = {brand: int(cost.scaleb(9)) for brand, cost in by_brand["cost_usd"].items()}
    assert units == {"chic": 51, "acme": 25, "bolt": 25}
    assert by_brand["prompt_tokens"].to_dict() == {"acme": 1, "bolt": 1, "chic": 2}
    assert by_brand["completion_tokens"].sum() == 9


@settings(max_examples=6, deadline=None)
@given(
    units=st.lists(st.integers(0, 10**12), min_size=1, max_size=3),
    tenants=st.lists(st.sampled_from(["shop", "other", "third"]), min_size=1, max_size=5),
)
def test_the_parts_of_a_cost_add_up_to_it(units: list[int], tenants: list[str]) -> None:
    tasks = [
        task(f"brand{number}", prompt, tenant_id=tenant)
        for number, tenant in enumerate(tenants)
        for prompt in [f"p{place}" for place in range(len(units))][: 1 + number]
    ]
    answers = [answer(f"p{place}") for place in range(len(units)) if place < len(tenants)]
    day = Day(tasks=tasks, answers=answers)
    calls = [call(one, units=cost) for one, cost in zip(answers, units, strict=False)]

    parts = collection_daily(collected(day, calls))["cost_usd"]
    whole = account_daily(collected(day, calls))["cost_usd"]

    assert sum(parts) == sum(whole) == Decimal(sum(row["cost_units"] for row in calls)).scaleb(-9)


def test_failures_are_listed_by_reason_for_each_brand() -> None:
    day, calls = night()
    day.failures.append(failure("p4", reason="cut_off"))

    rows = failure_daily(collected(day, calls))

    found = {(row["account_id"], row["reason"]): row["failure_count"] for _, row in rows.iterrows()}
    assert found == {("-", "cut_off"): 1, ("main", "refused"): 1, ("main", "timed_out"): 1}


def test_the_order_of_rows_changes_nothing_and_columns_are_the_datasets() -> None:
    day, calls = night()
    turned = Day(tasks=day.tasks[::-1], answers=day.answers[::-1], failures=day.failures[::-1])

    for dataset, measure in (
        (OUT_COLLECTION_DAILY, collection_daily),
        (OUT_ACCOUNT_DAILY, account_daily),
        (OUT_FAILURE_DAILY, failure_daily),
    ):
        rows = measure(collected(day, calls))
        pd.testing.assert_frame_equal(rows, measure(collected(turned, calls[::-1])))
        assert list(rows) == measured_schema(dataset).names


def test_an_empty_day_has_no_rows() -> None:
    for measure in (collection_daily, account_daily, failure_daily):
        assert measure(collected(Day(), [])).empty


def test_a_missing_column_is_named() -> None:
    day, calls = night()
    whole = collected(day, calls)
    without = Collected(
        whole.plan, whole.answers, whole.failures, whole.attempts.drop(columns="cost_units")
    )

    with pytest.raises(IncompleteError, match=r"^attempts: found no column cost_units"):
        account_daily(without)
