"""The price list of the `genai-prices` package, offline: what is taken from it and what not."""

import dataclasses
from datetime import date
from importlib.metadata import version

import pytest

from brand_visibility.adapters.catalog.published_prices import price_in_list, published_price
from brand_visibility.domain.catalog import Price
from tests.builders import a_platform

DAY = date(2025, 11, 1)


def test_an_adapter_without_a_provider_has_no_published_price() -> None:
    platform = dataclasses.replace(a_platform(), adapter="simulator", model="gpt-4o")

    assert published_price(platform, DAY) is None


@pytest.mark.parametrize(
    ("provider", "model"), [("openai", "no-such-model"), ("tencent", "hunyuan-turbos")]
)
def test_what_the_list_does_not_know_has_no_price(provider: str, model: str) -> None:
    assert price_in_list(provider, model, DAY) is None


def test_a_known_model_has_its_price_with_the_lists_version_as_source() -> None:
    price = price_in_list("openai", "gpt-4o", DAY)

    assert price is not None
    assert price.source == f"genai-prices {version('genai-prices')}"
    assert (price.currency, price.usd, price.valid_from) == ("USD", 1.0, None)
    assert price.prompt_per_million > (price.cached_prompt_per_million or 0) > 0
    assert price.completion_per_million > price.prompt_per_million


def test_fees_for_each_call_and_each_search_are_taken_over() -> None:
    asked, searched = (
        price_in_list("perplexity", "sonar", DAY),
        price_in_list("openai", "gpt-4o", DAY),
    )

    assert asked is not None
    assert 0.001 < (asked.request_each or 0) < 0.1
    assert searched is not None
    assert 0.001 < (searched.search_each or 0) < 0.1


def test_of_prices_that_change_with_the_hour_the_dearest_counts() -> None:
    # Half as much at night, says the list of this model.
    price = price_in_list("deepseek", "deepseek-chat", DAY)

    assert price == dataclasses.replace(
        Price(0.27, 1.1, 0.07), source=f"genai-prices {version('genai-prices')}"
    )


def test_of_prices_that_grow_with_the_prompt_that_of_short_ones_counts() -> None:
    price = price_in_list("google", "gemini-2.5-pro", DAY)

    assert price is not None
    assert price.prompt_per_million == 1.25
