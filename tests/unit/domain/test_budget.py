"""What a query costs, who pays for it and who cannot."""

import dataclasses
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
    reserve,
    split,
    tariff_of,
    usd,
)
from brand_visibility.domain.catalog import Price
from brand_visibility.domain.outcomes import Answer, Failure, Reason, Usage
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
    ],
)
def test_the_longest_answer_is_the_limit_in_the_request_else_twice_the_typical_one(
    parameters: dict[str, object], tokens: int
) -> None:
    platform = dataclasses.replace(a_platform(), completion_tokens=800, parameters=parameters)

    tariff = tariff_of(platform)

    assert tariff is not None
    assert tariff.most_completion_tokens == tokens


def test_a_platform_without_a_price_has_no_tariff() -> None:
    assert tariff_of(dataclasses.replace(a_platform(), price=None)) is None


@pytest.mark.parametrize(("prompt", "tokens"), [("", 0), ("abc", 1), ("abcd", 2), ("戴森", 2)])
def test_the_worst_cost_is_that_of_the_prompt_and_the_longest_answer(
    prompt: str, tokens: int
) -> None:
    assert TARIFF.worst_cost_usd(prompt) == Decimal(tokens + 200) / 1_000_000


def test_prices_are_taken_as_they_are_written() -> None:
    platform = dataclasses.replace(a_platform(), price=Price(0.1, 0.3))

    tariff = tariff_of(platform)

    assert tariff is not None
    assert tariff.cost_usd(Usage(1, 1)) == Decimal("0.0000004")
    assert usd(0.1) == Decimal("0.1")


def test_a_part_of_a_billionth_counts_as_a_whole_one() -> None:
    tariff = Tariff(Decimal("0.0001"), Decimal(0), 1)

    assert tariff.cost_usd(Usage(1, 0)) == Decimal("1e-9")


@pytest.mark.parametrize(
    ("usage", "charge"),
    [
        (Usage(10, 20), Charge(Decimal("0.00005"))),
        (Usage(10, 2_000), Charge(Decimal("0.00401"))),
        (Usage(0, 0), Charge(Decimal(0))),
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
def test_a_failure_costs_nothing_unless_the_platform_may_have_worked(reason: Reason) -> None:
    is_billed = reason in {
        Reason.TIMED_OUT,
        Reason.CONNECTION_LOST,
        Reason.REFUSED,
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
