"""What a query costs, who pays for it and who cannot."""

import dataclasses
from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brand_visibility.domain.budget import (
    MAYBE_BILLED,
    Charge,
    Claim,
    Tariff,
    charge_of,
    price_on,
    reserve,
    split,
    tariff_of,
    usd,
)
from brand_visibility.domain.catalog import Price
from brand_visibility.domain.outcomes import Answer, Failure, Reason, SearchEvidence, Usage
from tests.builders import a_platform

TARIFF = Tariff(Decimal(1), Decimal(2), most_completion_tokens=100)
WORST = Decimal("0.0003")

AMOUNTS = st.integers(0, 10**12).map(lambda units: Decimal(units).scaleb(-9))
TENANTS = st.sets(st.sampled_from("abcde"), min_size=1).map(lambda found: tuple(sorted(found)))


@pytest.mark.parametrize(
    ("parameters", "tokens"),
    [
        ({}, 1_600),
        ({"max_tokens": 300}, 300),
        ({"max_completion_tokens": 200, "max_tokens": 300}, 200),
        ({"max_tokens": 0}, 1_600),
        ({"max_tokens": "many"}, 1_600),
        ({"max_tokens": 10**18}, 10**7),
    ],
)
def test_the_longest_answer_is_the_limit_in_the_request_else_twice_the_typical_one(
    parameters: dict[str, object], tokens: int
) -> None:
    platform = dataclasses.replace(a_platform(), completion_tokens=800, parameters=parameters)

    assert tariff_of(platform, Price(1.0, 2.0)).most_completion_tokens == tokens


@pytest.mark.parametrize(("prompt", "tokens"), [("", 0), ("abc", 1), ("abcd", 2), ("戴森", 2)])
def test_the_worst_cost_is_that_of_the_prompt_and_the_longest_answer(
    prompt: str, tokens: int
) -> None:
    assert TARIFF.worst_cost_usd(prompt) == Decimal(tokens + 200) / 1_000_000


def test_the_worst_call_searches_once_and_its_whole_prompt_is_new() -> None:
    tariff = Tariff(Decimal(1), Decimal(2), 100, Decimal("0.1"), Decimal("0.01"), Decimal("0.005"))

    assert tariff.worst_cost_usd("abc") == Decimal("0.000201") + Decimal("0.015")


def test_prices_are_taken_as_they_are_written() -> None:
    tariff = tariff_of(a_platform(), Price(0.1, 0.3))

    assert tariff.charge(Usage(1, 1)) == Charge(Decimal("0.0000004"))
    assert usd(0.1) == Decimal("0.1")


def test_a_price_in_another_currency_is_counted_in_dollars() -> None:
    price = Price(0.8, 2.0, 0.2, 0.03, 0.01, currency="CNY", usd=0.14)

    tariff = tariff_of(a_platform(), price)

    assert tariff.prompt_usd_per_million == Decimal("0.112")
    assert tariff.completion_usd_per_million == Decimal("0.28")
    assert tariff.cached_prompt_usd_per_million == Decimal("0.028")
    assert tariff.search_usd == Decimal("0.0042")
    assert tariff.request_usd == Decimal("0.0014")


DATED = tuple(Price(float(day), 1.0, valid_from=date(2026, 11, day)) for day in (10, 20, 30))


@pytest.mark.parametrize(("day", "found"), [(9, None), (10, 10), (19, 10), (20, 20), (30, 30)])
@pytest.mark.parametrize("prices", [DATED, DATED[::-1]])
def test_the_latest_price_that_is_valid_by_the_day_counts(
    prices: tuple[Price, ...], day: int, found: int | None
) -> None:
    price = price_on(dataclasses.replace(a_platform(), prices=prices), date(2026, 11, day))

    assert (price and price.prompt_per_million) == found


def test_a_part_of_a_billionth_counts_as_a_whole_one() -> None:
    tariff = Tariff(Decimal("0.0001"), Decimal(0), 1)

    assert tariff.charge(Usage(1, 0)) == Charge(Decimal("1e-9"))


SEARCHED, SILENT = SearchEvidence.SEARCHED, SearchEvidence.UNKNOWN
NOT_SEARCHED = SearchEvidence.NOT_SEARCHED
SEARCHING = dataclasses.replace(TARIFF, search_usd=Decimal("0.01"))


@pytest.mark.parametrize(
    ("tariff", "count", "search", "searches", "is_estimated"),
    [
        (TARIFF, 3, SEARCHED, 0, False),
        (TARIFF, None, SILENT, 0, False),
        (SEARCHING, 3, SEARCHED, 3, False),
        (SEARCHING, 0, SILENT, 0, False),
        (SEARCHING, None, NOT_SEARCHED, 0, False),
        (SEARCHING, None, SEARCHED, 1, True),
        (SEARCHING, None, SILENT, 1, True),
        (SEARCHING, 1_000, SEARCHED, 1_000, False),
        (SEARCHING, 1_001, SEARCHED, 1, True),
    ],
)
def test_searches_cost_by_their_number_and_one_is_guessed_where_none_is_ruled_out(
    tariff: Tariff, count: int | None, search: SearchEvidence, searches: int, *, is_estimated: bool
) -> None:
    charge = tariff.charge(Usage(10, 20, search_count=count), search)

    tokens = Decimal("0.00005")
    assert charge == Charge(tokens + searches * Decimal("0.01"), is_estimated)


@pytest.mark.parametrize(
    ("cached_price", "cached", "cost"),
    [
        (None, 6, "0.00005"),
        ("0.1", None, "0.00005"),
        ("0.1", 0, "0.00005"),
        ("0.1", 6, "0.0000446"),
        ("0.1", 10, "0.000041"),
        ("0.1", 11, "0.000041"),
    ],
)
def test_cached_tokens_of_the_prompt_cost_their_own_price_where_there_is_one(
    cached_price: str | None, cached: int | None, cost: str
) -> None:
    price = None if cached_price is None else Decimal(cached_price)
    tariff = dataclasses.replace(TARIFF, cached_prompt_usd_per_million=price)

    assert tariff.charge(Usage(10, 20, cached_tokens=cached)) == Charge(Decimal(cost))


@pytest.mark.parametrize(
    ("usage", "charge"),
    [
        (Usage(10, 20), Charge(Decimal("0.00005"))),
        (Usage(10, 2_000), Charge(Decimal("0.00401"))),
        (Usage(0, 0), Charge(Decimal(0))),
        (Usage(10**7, 0), Charge(Decimal(10))),
        (Usage(10**7 + 1, 0), Charge(WORST, is_estimated=True)),
        (Usage(0, 2**62), Charge(WORST, is_estimated=True)),
        (Usage(None, 20), Charge(WORST, is_estimated=True)),
        (Usage(10, None), Charge(WORST, is_estimated=True)),
        (Usage(), Charge(WORST, is_estimated=True)),
    ],
)
def test_an_answer_costs_what_was_used_or_the_worst_case_when_that_is_unknown(
    usage: Usage, charge: Charge
) -> None:
    assert charge_of(Answer("fine", usage=usage), TARIFF, WORST) == charge


@pytest.mark.parametrize("reason", Reason)
def test_what_a_failure_used_as_the_platform_reports_it_is_what_it_cost(reason: Reason) -> None:
    failure = Failure(reason, usage=Usage(10, 20))

    assert charge_of(failure, TARIFF, WORST) == Charge(Decimal("0.00005"))


@pytest.mark.parametrize("reason", Reason)
def test_a_failure_costs_nothing_unless_the_platform_may_have_worked(reason: Reason) -> None:
    is_billed = reason in {
        Reason.TIMED_OUT,
        Reason.CONNECTION_LOST,
        Reason.REFUSED,
        Reason.BLOCKED,
        Reason.EMPTY,
        Reason.TRUNCATED,
        Reason.MALFORMED,
    }

    charge = charge_of(Failure(reason), TARIFF, WORST)

    assert charge == (Charge(WORST, is_estimated=True) if is_billed else Charge(Decimal(0)))
    assert (reason in MAYBE_BILLED) is is_billed


def test_what_does_not_divide_goes_to_the_first_payers() -> None:
    assert split(Decimal("0.000000008"), ("a", "b", "c")) == {
        "a": Decimal("3e-9"),
        "b": Decimal("3e-9"),
        "c": Decimal("2e-9"),
    }


@given(AMOUNTS, TENANTS)
def test_parts_add_up_and_differ_by_at_most_a_billionth(
    amount: Decimal, payer_ids: tuple[str, ...]
) -> None:
    parts = split(amount, payer_ids).values()

    assert sum(parts) == amount
    assert max(parts) - min(parts) <= Decimal("1e-9")


def claim(query_id: str, tenants: str, cost: str = "1") -> Claim:
    return Claim(query_id, tuple(tenants), Decimal(cost))


@pytest.mark.parametrize(
    ("left", "payers"),
    [
        ({"a": "0.5", "b": "0.5"}, "ab"),
        ({"a": "0.499999999", "b": "1"}, "b"),
        ({"a": "0", "b": "1"}, "b"),
        ({"a": "0.499999999", "b": "0.999999999"}, ""),
        ({"a": None, "b": "0"}, "a"),
        ({"a": None, "b": None}, "ab"),
        ({}, "ab"),
        ({"a": "-1", "b": "-1"}, ""),
    ],
)
def test_those_who_can_pay_do_in_equal_parts_and_without_any_the_query_is_refused(
    left: dict[str, str | None], payers: str
) -> None:
    amounts = {name: None if amount is None else Decimal(amount) for name, amount in left.items()}

    reservations, refused = reserve([claim("q", "ab")], amounts)

    assert [one.payer_ids for one in reservations] == ([tuple(payers)] if payers else [])
    assert refused == ([] if payers else ["q"])


def test_a_block_pays_in_its_order_until_the_budget_is_used_up() -> None:
    claims = [claim("q1", "a"), claim("q2", "a"), claim("q3", "b"), claim("q4", "a", "0.5")]

    reservations, refused = reserve(claims, {"a": Decimal("1.5"), "b": Decimal(9)})

    assert [one.query_id for one in reservations] == ["q1", "q3", "q4"]
    assert refused == ["q2"]


def test_a_query_that_costs_nothing_is_asked_with_an_empty_budget() -> None:
    reservations, refused = reserve([claim("q", "a", "0")], {"a": Decimal(0)})

    assert ([one.query_id for one in reservations], refused) == (["q"], [])


@given(
    st.lists(st.tuples(TENANTS, AMOUNTS), max_size=30),
    st.dictionaries(st.sampled_from("abcde"), AMOUNTS),
)
def test_no_tenant_ever_reserves_more_than_it_has_left(
    wanted: list[tuple[tuple[str, ...], Decimal]], left: dict[str, Decimal]
) -> None:
    claims = [Claim(f"q{n}", tenants, cost) for n, (tenants, cost) in enumerate(wanted)]

    reservations, refused = reserve(claims, left)

    assert sorted([*(one.query_id for one in reservations), *refused]) == sorted(
        one.query_id for one in claims
    )
    for tenant_id, amount in left.items():
        assert sum(one.parts.get(tenant_id, Decimal(0)) for one in reservations) <= amount
