"""`prices.yaml`: one edit makes one fault, and a valid file gives each model its prices."""

from datetime import date
from pathlib import Path

import pytest
from catalog_files import Case, Edit, apply, assert_one_fault, faults_of

from brand_visibility.adapters.catalog.loader import load_catalog
from brand_visibility.domain.catalog import Price


def prices(old: str, new: str) -> Edit:
    return Edit("prices.yaml", old, new)


SECOND = "model: deepseek-chat\n    currency: USD"
RATE = "CNY: {usd: 0.14, as_of: 2026-01-01, source: example}"

FAULTS: dict[str, Case] = {
    "an unknown platform": (
        prices("platform: gpt", "§platform: gtp"),
        "prices[2].platform",
        "the unknown platform 'gtp'",
        "the id of a platform in platforms.yaml",
    ),
    "two prices of a model from one day on": (
        prices("platform: gpt\n    model: gpt-4o", "platform: deepseek\n    model: deepseek-chat"),
        "prices[2].valid_from",
        "the price of deepseek, 'deepseek-chat' from 2026-01-01 again (first on line 12)",
        "one price of a model from a day on",
    ),
    "a currency without a rate": (
        prices(SECOND, "model: deepseek-chat\n    §currency: EUR"),
        "prices[1].currency",
        "the currency 'EUR' without a rate",
        "USD, or a currency of exchange_rates",
    ),
    "a currency in words": (
        prices(SECOND, "model: deepseek-chat\n    §currency: yuan"),
        "prices[1].currency",
        "'yuan'",
        "a currency of three capital letters",
    ),
    "no currency": (
        prices("    currency: CNY\n", ""),
        "prices[0].currency",
        "no field 'currency'",
        "the field 'currency'",
    ),
    "a price below nothing": (
        prices("prompt_per_million: 0.8", "§prompt_per_million: -0.8"),
        "prices[0].prompt_per_million",
        "-0.8",
        "0 or more",
    ),
    "a price beyond reason": (
        prices("prompt_per_million: 0.8", "§prompt_per_million: 100001"),
        "prices[0].prompt_per_million",
        "100001",
        "100000.0 or less",
    ),
    "a cached token dearer than others": (
        prices("cached_prompt_per_million: 0.07", "cached_prompt_per_million: 0.28"),
        "prices[1]",
        "cached_prompt_per_million 0.28 above 0.27",
        "cached tokens no dearer than the others",
    ),
    "a price of no date": (
        prices("valid_from: 2026-01-01", "§valid_from: last spring"),
        "prices[0].valid_from",
        "'last spring'",
        "a date such as 2026-01-31",
    ),
    "an empty date": (
        prices("valid_from: 2026-01-01", "§valid_from: ''"),
        "prices[0].valid_from",
        "''",
        "a date such as 2026-01-31",
    ),
    "a price of no source": (
        prices("    source: example\n", ""),
        "prices[0].source",
        "no field 'source'",
        "the field 'source'",
    ),
    "an unknown field": (
        prices("    source: example\n", "    source: example\n    §per_image: 1\n"),
        "prices[0].per_image",
        "the unknown field 'per_image'",
        "search_each, request_each, valid_from, source",
    ),
    "an unknown list": (
        prices("exchange_rates:", "§rates:\n  EUR: {}\nexchange_rates:"),
        "rates",
        "the unknown field 'rates'",
        "one of the fields prices, exchange_rates",
    ),
    "rates that are none": (
        prices(f"exchange_rates:\n  {RATE}", "§exchange_rates: [CNY]"),
        "exchange_rates",
        "a list",
        "a mapping of currencies",
    ),
    "a rate of nothing": (
        prices("usd: 0.14", "usd: 0"),
        "exchange_rates.CNY.usd",
        "0",
        "a number above 0",
    ),
    "a rate upside down": (
        prices("usd: 0.14", "usd: 714"),
        "exchange_rates.CNY.usd",
        "714",
        "100.0 or less",
    ),
    "a rate of no date": (
        prices("as_of: 2026-01-01, ", ""),
        "exchange_rates.CNY.as_of",
        "no field 'as_of'",
        "the field 'as_of'",
    ),
    "a rate of the dollar": (
        prices(RATE, f"{RATE}\n  §USD: {{usd: 2, as_of: 2026-01-01, source: me}}"),
        "exchange_rates.USD",
        "a rate of USD",
        "other currencies",
    ),
    "a rate of what is no currency": (
        prices(RATE, f"{RATE}\n  §euro: {{usd: 2, as_of: 2026-01-01, source: me}}"),
        "exchange_rates.euro",
        "'euro'",
        "a currency of three capital letters",
    ),
}


@pytest.mark.parametrize("case", FAULTS.values(), ids=FAULTS.keys())
def test_a_fault_in_the_prices_names_its_line_its_field_and_what_is_expected(
    catalog: Path, case: Case
) -> None:
    # The one currency's own fault aside, its users would have a second one.
    if case[1] == "exchange_rates":
        apply(catalog, prices("currency: CNY", "currency: USD"))
    assert_one_fault(catalog, case)


@pytest.mark.parametrize("content", ["prices: []", "exchange_rates: {}", "just text"])
def test_a_file_without_a_price_is_a_fault(catalog: Path, content: str) -> None:
    (catalog / "prices.yaml").write_text(content)

    (fault,) = faults_of(catalog)

    assert fault.file == str(catalog / "prices.yaml")


def test_without_the_file_no_platform_has_a_price_of_the_catalogs(catalog: Path) -> None:
    (catalog / "prices.yaml").unlink()

    assert [platform.prices for platform in load_catalog(catalog).platforms] == [(), (), ()]


FULL = """
prices:
  - {platform: gpt, model: gpt-4o, currency: CNY, prompt_per_million: 3, completion_per_million: 4,
     valid_from: 2026-06-01, source: page}
  - platform: gpt
    model: gpt-4o
    currency: USD
    prompt_per_million: 1
    completion_per_million: 2.5
    cached_prompt_per_million: 0.5
    search_each: 0.01
    request_each: 0.002
    valid_from: 2026-02-01
    source: page
  - {platform: gpt, model: gpt-5, currency: USD, prompt_per_million: 9, completion_per_million: 9,
     valid_from: 2026-02-01, source: page}
exchange_rates:
  CNY: {usd: 0.14, as_of: 2026-01-31, source: bank}
"""


def test_a_platform_has_the_prices_of_its_own_model_in_order_of_their_days(catalog: Path) -> None:
    (catalog / "prices.yaml").write_text(FULL)

    assert load_catalog(catalog).platform("gpt").prices == (
        Price(1.0, 2.5, 0.5, 0.01, 0.002, valid_from=date(2026, 2, 1), source="page"),
        Price(
            3.0,
            4.0,
            currency="CNY",
            usd=0.14,
            usd_source="bank, 2026-01-31",
            valid_from=date(2026, 6, 1),
            source="page",
        ),
    )
    assert load_catalog(catalog).platform("deepseek").prices == ()


def test_the_order_of_prices_keeps_the_version(catalog: Path) -> None:
    (catalog / "prices.yaml").write_text(FULL)
    before = load_catalog(catalog).version
    head, first, *others = FULL.split("  - ")
    last, rates = others[-1].split("exchange_rates:")
    moved = "  - ".join([head, last, *others[:-1], first])

    (catalog / "prices.yaml").write_text(f"{moved}exchange_rates:{rates}")

    assert load_catalog(catalog).version == before
