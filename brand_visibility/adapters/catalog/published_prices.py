"""Prices that platforms publish, from the `genai-prices` package: no network, a dated copy.

Taken where the catalog has no price of its own for a platform's model and day.
"""

from datetime import UTC, date, datetime, time
from decimal import Decimal
from typing import TYPE_CHECKING

from brand_visibility.adapters.platforms.registry import adapter_of
from brand_visibility.domain.catalog import Platform, Price

if TYPE_CHECKING:
    from genai_prices.types import ModelPrice, TieredPrices

_HOURS = 24
_THOUSAND = 1_000


def published_price(platform: Platform, day: date) -> Price | None:
    """Return the published price of a platform's model, None when there is none.

    Where it changes with the hour, the dearest of the day counts. Where long prompts cost
    more, that of the short ones does: questions are short.
    """
    provider = adapter_of(platform).price_provider
    return None if provider is None else price_in_list(provider, platform.model, day)


def price_in_list(provider: str, model: str, day: date) -> Price | None:
    """Return the price of a provider's model, both as the list names them."""
    # The list takes a fifth of a second to load, and most catalogs bring their own prices.
    import genai_prices

    hours = (datetime.combine(day, time(hour), UTC) for hour in range(_HOURS))
    try:
        found = [
            genai_prices.calc_price(
                genai_prices.Usage(input_tokens=0, output_tokens=0),
                model,
                provider_id=provider,
                genai_request_timestamp=hour,
            ).model_price
            for hour in hours
        ]
    except LookupError:
        return None
    source = f"genai-prices {genai_prices.__version__}"
    prices = [price for one in found if (price := _price(one, source)) is not None]
    return max(prices, key=_tokens_of_each, default=None)


def _tokens_of_each(price: Price) -> float:
    return price.prompt_per_million + price.completion_per_million


def _price(published: "ModelPrice", source: str) -> Price | None:
    prompt, completion = _amount(published.input_mtok), _amount(published.output_mtok)
    if prompt is None or completion is None:
        return None
    return Price(
        prompt_per_million=prompt,
        completion_per_million=completion,
        cached_prompt_per_million=_amount(published.cache_read_mtok),
        search_each=_each(published.web_searches_kcount),
        request_each=_each(published.requests_kcount),
        source=source,
    )


def _each(thousand: "Decimal | TieredPrices | None") -> float | None:
    amount = _amount(thousand)
    return None if amount is None else amount / _THOUSAND


def _amount(published: "Decimal | TieredPrices | None") -> float | None:
    if published is None or isinstance(published, Decimal):
        return None if published is None else float(published)
    return float(published.base)
