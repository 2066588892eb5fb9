"""Costs without a budget: counted for every attempt, and the same in ledger and lake."""

import dataclasses
from datetime import UTC, date
from decimal import Decimal

import psycopg
import pyarrow.compute as pc
import pytest
from budgeted_days import SHARD, a_budgeted_plan, freeze, own, worst_cost
from hypothesis import given
from hypothesis import strategies as st

from brand_visibility.adapters.ledger.costs import price_column, price_id, read_price, read_tariff
from brand_visibility.adapters.ledger.outcomes import OutcomeStore
from brand_visibility.adapters.ledger.plans import PlanStore
from brand_visibility.adapters.ledger.shards import ShardJournal
from brand_visibility.domain.budget import Tariff
from brand_visibility.domain.catalog import Price
from brand_visibility.domain.feasibility import Verdict
from brand_visibility.domain.outcomes import Answer, Attempt, Failure, Outcome, Reason, Usage
from brand_visibility.domain.planning import Plan, build_plan
from tests.builders import DAY, a_catalog, a_failure, a_plan, an_answer, an_attempt

USED = Decimal("0.000080")
PRICE = Price(
    0.8, 2.0, 0.2, 0.03, 0.01, "CNY", 0.14, "bank, 2026-11-01", date(2026, 11, 1), "the price page"
)


def unpriced_plan() -> Plan:
    catalog = a_catalog()
    platform = dataclasses.replace(catalog.platforms[0], prices=(), allow_unknown_price=True)
    free = dataclasses.replace(catalog, platforms=(platform,))
    return build_plan(free, plan_date=DAY, platform_id="deepseek")


def charged(database_url: str) -> list[tuple[Decimal | None, bool | None]]:
    with psycopg.connect(database_url) as session:
        rows = session.execute(
            "SELECT cost_usd, is_cost_estimated FROM ledger.attempt ORDER BY attempt_number"
        ).fetchall()
    return [(cost, is_estimated) for cost, is_estimated in rows]


@pytest.mark.parametrize("budget_usd", [None, 100.0], ids=["no budget", "a budget"])
@pytest.mark.parametrize(
    ("outcome", "share", "is_estimated"),
    [
        (an_answer(), "used", False),
        (Answer("fine"), "worst", True),
        (a_failure(Reason.RATE_LIMITED, 429), "nothing", False),
        (a_failure(Reason.TIMED_OUT), "worst", True),
        (a_failure(Reason.BLOCKED, 200), "worst", True),
        (Failure(Reason.REFUSED, usage=Usage(12, 34)), "used", False),
        (Failure(Reason.SERVER_FAULT, usage=Usage(12, 34)), "used", False),
    ],
    ids=["answer", "no usage", "refused rate", "timed out", "blocked", "refused", "used in vain"],
)
def test_an_attempt_costs_the_same_with_and_without_a_budget(
    database_url: str, outcome: Outcome, share: str, budget_usd: float | None, *, is_estimated: bool
) -> None:
    plan = freeze(database_url, a_budgeted_plan({"acme": budget_usd, "beta": budget_usd}))
    query_id = plan.queries[0].query_id

    async def ask(journal: ShardJournal) -> None:
        await journal.mark_running([query_id], "main")
        await journal.record([an_attempt(query_id, outcome)])

    own(database_url, ask)

    costs = {"used": USED, "worst": worst_cost(plan, query_id), "nothing": Decimal(0)}
    assert charged(database_url) == [(costs[share], is_estimated)]


def test_where_the_price_is_unknown_a_cost_is_null_and_never_zero(database_url: str) -> None:
    plan = freeze(database_url, unpriced_plan())

    own(database_url, lambda journal: journal.record([an_attempt(plan.queries[0].query_id)]))

    assert charged(database_url) == [(None, None)]
    outcomes = OutcomeStore(database_url, UTC)
    for table in (outcomes.answers(SHARD), outcomes.attempts(SHARD)):
        assert table["cost_usd"].to_pylist() == [None]


def mixed_attempts(plan: Plan) -> list[Attempt]:
    """Two thirds are answered, some at the second call; half the failures were paid for."""
    attempts = []
    for number, query in enumerate(plan.queries):
        if number % 3 == 0:
            reason = Reason.TIMED_OUT if number % 2 else Reason.RATE_LIMITED
            attempts.append(an_attempt(query.query_id, a_failure(reason), wait_s=1.0))
        last = number % 3 + (2 if number % 3 == 0 else 1)
        answer = Answer("fine", usage=Usage(number + 1, 7 * number))
        outcome: Outcome = a_failure(Reason.EMPTY, 200) if number % 3 == 2 else answer
        attempts.append(an_attempt(query.query_id, outcome, number=2 if last == 2 else 1))
    return attempts


def test_sums_over_the_lakes_rows_are_those_of_the_ledger_to_the_last_billionth(
    database_url: str,
) -> None:
    plan = freeze(database_url, a_plan(questions=40))

    own(database_url, lambda journal: journal.record(mixed_attempts(plan)))

    outcomes = OutcomeStore(database_url, UTC)
    answers, attempts = outcomes.answers(SHARD), outcomes.attempts(SHARD)
    with psycopg.connect(database_url) as session:
        row = session.execute(
            "SELECT sum(cost_usd), sum(cost_usd) FILTER (WHERE reason IS NULL),"
            " count(*) FILTER (WHERE is_cost_estimated) FROM ledger.attempt"
        ).fetchone()
    assert row is not None
    assert row[0] > row[1] > 0
    assert pc.sum(attempts["cost_usd"]).as_py() == row[0]
    assert pc.sum(answers["cost_usd"]).as_py() == row[1]
    assert pc.sum(attempts["is_cost_estimated"]).as_py() == row[2] > 0


def priced_plan(price: Price) -> Plan:
    catalog = a_catalog()
    platform = dataclasses.replace(catalog.platforms[0], prices=(price,))
    priced = dataclasses.replace(catalog, platforms=(platform,))
    return build_plan(priced, plan_date=DAY, platform_id="deepseek")


def test_the_price_is_frozen_with_the_plan_and_shown_in_its_forecast(database_url: str) -> None:
    verdict = Verdict("deepseek", "main", 1, 1.0, 2.0, "rate")
    store = PlanStore(database_url)
    store.freeze(priced_plan(PRICE), [verdict], 0.5)

    stored = store.freeze(priced_plan(dataclasses.replace(PRICE, source="later")), [], None)

    assert stored.price == PRICE
    (row,) = stored.forecasts().to_pylist()
    assert row["price_id"] == price_id(PRICE)
    assert (row["price_currency"], row["price_usd"]) == ("CNY", 0.14)
    assert (row["price_prompt_per_million"], row["price_search_each"]) == (0.8, 0.03)
    assert (row["price_valid_from"], row["price_source"]) == (date(2026, 11, 1), "the price page")


def test_a_plan_without_a_price_has_none_in_its_forecast(database_url: str) -> None:
    verdict = Verdict("deepseek", "main", 1, 1.0, 2.0, "rate")

    stored = PlanStore(database_url).freeze(unpriced_plan(), [verdict], None)

    (row,) = stored.forecasts().to_pylist()
    assert stored.price is None
    assert (row["price_id"], row["price_currency"], row["expected_cost_usd"]) == (None,) * 3


def test_a_tariff_of_an_earlier_version_is_read() -> None:
    column = {
        "prompt_usd_per_million": "0.1",
        "completion_usd_per_million": "0.3",
        "most_completion_tokens": 100,
    }

    assert read_tariff(column) == Tariff(Decimal("0.1"), Decimal("0.3"), 100)


amounts = st.floats(0, 100_000)
prices = st.builds(
    Price,
    prompt_per_million=amounts,
    completion_per_million=amounts,
    search_each=st.none() | amounts,
    valid_from=st.none() | st.dates(),
    source=st.text(max_size=5),
)


@given(prices, prices)
def test_a_price_comes_back_as_it_was_and_its_id_stands_for_it(one: Price, other: Price) -> None:
    column = price_column(dataclasses.replace(a_plan(), price=one))

    assert column is not None
    assert read_price(column.obj) == one
    assert (price_id(one) == price_id(other)) == (one == other)
