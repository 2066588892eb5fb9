"""What attempts cost, counted whether or not anybody has a budget for it.

The price is frozen with the plan. Reserving and settling against budgets belongs to
`budgets`, the rules to `domain.budget`.
"""

import dataclasses
from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import Any

import psycopg
from psycopg.types.json import Jsonb

from brand_visibility.domain.budget import Charge, Tariff, known_charge
from brand_visibility.domain.catalog import Price
from brand_visibility.domain.outcomes import Attempt
from brand_visibility.domain.planning import Plan, identify

# What an attempt cost, by its query and number.
Charges = Mapping[tuple[str, int], Charge]

_PRICE_ID_LENGTH = 16


def price_id(price: Price) -> str:
    """Return what identifies a price: the same for the same figures and sources."""
    return identify(*dataclasses.astuple(price))[:_PRICE_ID_LENGTH]


def price_fields(price: Price | None) -> dict[str, object]:
    """Return the columns of a price in the lake, none when it is unknown."""
    if price is None:
        return {}
    return {
        "price_id": price_id(price),
        "price_currency": price.currency,
        "price_prompt_per_million": price.prompt_per_million,
        "price_completion_per_million": price.completion_per_million,
        "price_cached_prompt_per_million": price.cached_prompt_per_million,
        "price_search_each": price.search_each,
        "price_request_each": price.request_each,
        "price_usd": price.usd,
        "price_usd_source": price.usd_source,
        "price_valid_from": price.valid_from,
        "price_source": price.source,
    }


def price_column(plan: Plan) -> Jsonb | None:
    """Return the price that a plan's costs are counted by, None when it is unknown."""
    if plan.price is None:
        return None
    fields = dataclasses.asdict(plan.price)
    day = plan.price.valid_from
    return Jsonb(fields | {"valid_from": day.isoformat() if day else None})


def read_price(column: Mapping[str, Any] | None) -> Price | None:
    """Return the price of a plan's column."""
    if column is None:
        return None
    day = column["valid_from"]
    return Price(**{**column, "valid_from": date.fromisoformat(day) if day else None})


def tariff_column(plan: Plan) -> Jsonb | None:
    """Return how a plan's costs are counted, None when its price is unknown."""
    if plan.tariff is None:
        return None
    fields = dataclasses.asdict(plan.tariff)
    return Jsonb(
        {
            name: str(value) if isinstance(value, Decimal) else value
            for name, value in fields.items()
        }
    )


def read_tariff(column: Mapping[str, Any]) -> Tariff:
    """Return the tariff of a plan's column; those of earlier versions lack some fields."""
    fields: dict[str, Any] = {
        name: Decimal(value) if isinstance(value, str) else value for name, value in column.items()
    }
    return Tariff(**fields)


class ShardCosts:
    """The costs of one shard's attempts where no tenant has a budget."""

    def __init__(
        self, session: psycopg.AsyncConnection, plan_date: date, tariff: Mapping[str, Any]
    ) -> None:
        self._session = session
        self._plan_date = plan_date
        self._tariff = read_tariff(tariff)

    async def count(self, attempts: Sequence[Attempt]) -> Charges:
        """Return what the attempts cost. What may have been billed counts as its worst case."""
        known = [(attempt, known_charge(attempt.outcome, self._tariff)) for attempt in attempts]
        unknown = {attempt.query_id for attempt, charge in known if charge is None}
        prompts = await self._prompts(sorted(unknown)) if unknown else {}
        return {
            (attempt.query_id, attempt.number): charge or self._worst(prompts[attempt.query_id])
            for attempt, charge in known
        }

    def _worst(self, prompt: str) -> Charge:
        return Charge(self._tariff.worst_cost_usd(prompt), is_estimated=True)

    async def _prompts(self, query_ids: Sequence[str]) -> Mapping[str, str]:
        cursor = await self._session.execute(_PROMPTS, (self._plan_date, list(query_ids)))
        return dict(await cursor.fetchall())


_PROMPTS = """
SELECT query_id, prompt FROM ledger.query WHERE plan_date = %s AND query_id = ANY(%s)
"""
