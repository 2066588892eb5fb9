"""`prices.yaml`: what models cost, from which day on, and what currencies are worth.

The file may be missing. Which price counts on a day belongs to `domain.budget`, what is
taken where the file has none to `published_prices`.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping
from datetime import date
from pathlib import Path
from typing import Annotated

from pydantic import Field, TypeAdapter, ValidationError, model_validator

from brand_visibility.adapters.catalog.faults import FaultLog, describe, word
from brand_visibility.adapters.catalog.fields import Currency, Door, Id, IsoDate, Text, refusal
from brand_visibility.adapters.catalog.models import Entry
from brand_visibility.adapters.catalog.sections import Section, read_section
from brand_visibility.domain.catalog import Price

# Prices by the ids of platforms and the names of models.
Prices = Mapping[tuple[str, str], tuple[Price, ...]]

_BASE = "USD"
_RATES = "exchange_rates"
_CODE: TypeAdapter[str] = TypeAdapter(Currency)

# Bounds that keep the dearest call within what the ledger's columns hold.
Amount = Annotated[float, Field(ge=0, le=100_000)]
Fee = Annotated[float, Field(ge=0, le=1_000)]


class PriceEntry(Entry):
    """A price as written."""

    platform: Id
    model: Text
    currency: Currency
    prompt_per_million: Amount
    completion_per_million: Amount
    cached_prompt_per_million: Amount | None = None
    search_each: Fee | None = None
    request_each: Fee | None = None
    valid_from: IsoDate
    source: Text

    @model_validator(mode="after")
    def _cached_is_not_dearer(self) -> "PriceEntry":
        cached = self.cached_prompt_per_million
        if cached is not None and cached > self.prompt_per_million:
            found = f"cached_prompt_per_million {cached:g} above {self.prompt_per_million:g}"
            raise refusal("cached tokens no dearer than the others", found=found)
        return self

    def to_domain(self, rate: "RateEntry") -> Price:
        """Return the price as a value, its currency at a rate."""
        return Price(
            prompt_per_million=self.prompt_per_million,
            completion_per_million=self.completion_per_million,
            cached_prompt_per_million=self.cached_prompt_per_million,
            search_each=self.search_each,
            request_each=self.request_each,
            currency=self.currency,
            usd=rate.usd,
            usd_source=rate.spell(),
            valid_from=date.fromisoformat(self.valid_from),
            source=self.source,
        )


class RateEntry(Door):
    """What one unit of a currency is worth in US dollars, as written."""

    usd: Annotated[float, Field(gt=0, le=100)]
    as_of: IsoDate
    source: Text

    def spell(self) -> str:
        """Return the source with its day, empty for the dollar itself."""
        return f"{self.source}, {self.as_of}" if self.source else ""


_PAR = RateEntry.model_construct(usd=1.0, as_of="", source="")


def read_prices(path: Path, log: FaultLog, platform_ids: Collection[str] | None) -> Prices:
    """Return the prices of a file, none when there is no such file.

    None for platform ids that are not known skips their check.
    """
    if not path.exists():
        return {}
    section = read_section(path, "prices", PriceEntry, log, others=(_RATES,))
    if section is None:
        return {}
    rates = _read_rates(section)
    _check_platforms(section, platform_ids)
    _check_dates(section)
    prices: dict[tuple[str, str], list[Price]] = defaultdict(list)
    for index, entry in section.entries:
        if entry.currency not in rates:
            found = f"the currency {describe(entry.currency)} without a rate"
            expected = f"{_BASE}, or a currency of {_RATES}"
            section.fault(index, "currency", found=found, expected=expected)
        elif (rate := rates[entry.currency]) is not None:
            prices[entry.platform, entry.model].append(entry.to_domain(rate))
    return {key: tuple(sorted(dated, key=_valid_from)) for key, dated in prices.items()}


def _valid_from(price: Price) -> date:
    return price.valid_from or date.min


def _check_platforms(section: Section[PriceEntry], known: Collection[str] | None) -> None:
    for index, entry in section.entries:
        if known is not None and entry.platform not in known:
            found = f"the unknown platform {describe(entry.platform)}"
            expected = "the id of a platform in platforms.yaml"
            section.fault(index, "platform", found=found, expected=expected)


def _check_dates(section: Section[PriceEntry]) -> None:
    lines: dict[tuple[str, str, str], int] = {}
    for index, entry in section.entries:
        key = (entry.platform, entry.model, entry.valid_from)
        if key in lines:
            found = (
                f"the price of {entry.platform}, {describe(entry.model)} from"
                f" {entry.valid_from} again (first on line {lines[key]})"
            )
            expected = "one price of a model from a day on"
            section.fault(index, "valid_from", found=found, expected=expected)
        lines.setdefault(key, section.line(index))


def _read_rates(section: Section[PriceEntry]) -> dict[str, RateEntry | None]:
    """Return the rates by currency; None for one whose fault is noted."""
    top = section.document.value
    written = top.get(_RATES, {}) if isinstance(top, dict) else {}
    if not isinstance(written, dict):
        section.fault_at(_RATES, found=describe(written), expected="a mapping of currencies")
        written = {}
    rates: dict[str, RateEntry | None] = {
        code: _read_rate(section, code, rate) for code, rate in written.items()
    }
    return {**rates, _BASE: _PAR}


def _read_rate(section: Section[PriceEntry], code: str, written: object) -> RateEntry | None:
    if code == _BASE:
        section.fault_at(_RATES, code, found=f"a rate of {_BASE}", expected="other currencies")
        return None
    try:
        _CODE.validate_python(code)
        return RateEntry.model_validate(written)
    except ValidationError as error:
        for detail in error.errors(include_url=False):
            found, expected = word(detail, RateEntry)
            section.fault_at(_RATES, code, *detail["loc"], found=found, expected=expected)
        return None
