"""What a query costs and whose budget pays for it.

Before a query is sent its worst-case cost is reserved, when its attempt has ended it is
settled by real usage, or released when the attempt cost nothing. Amounts are US dollars,
as decimals in whole billionths, so that parts add up. Where they are kept belongs to the
ledger.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import ROUND_UP, Decimal

from brand_visibility.domain.catalog import Platform, Price
from brand_visibility.domain.outcomes import Answer, Outcome, Reason, SearchEvidence, Usage

# Prompts are text of mixed languages: about 3 UTF-8 bytes a Chinese token and 4 an
# English one. Estimates take the dearer.
BYTES_PER_TOKEN = 3

# The platform may have worked, and may charge, although no usable answer came of it.
MAYBE_BILLED = frozenset(
    {
        Reason.TIMED_OUT,
        Reason.CONNECTION_LOST,
        Reason.REFUSED,
        Reason.BLOCKED,
        Reason.EMPTY,
        Reason.TRUNCATED,
        Reason.MALFORMED,
    }
)

_SMALLEST = Decimal("1e-9")
# No call uses more. A platform that reports such a figure errs, and says nothing by it.
_MOST_TOKENS = 10_000_000
_MOST_SEARCHES = 1_000
_MILLION = 1_000_000
# A limit that the platform itself keeps, by the names it has in request bodies.
_LIMIT_PARAMETERS = ("max_completion_tokens", "max_tokens")
_LONGEST_OVER_TYPICAL = 2


@dataclass(frozen=True, slots=True)
class Tariff:
    """What a platform's calls cost; `most_completion_tokens` is the longest answer.

    `search_usd` is None where searches cost nothing of their own.
    """

    prompt_usd_per_million: Decimal
    completion_usd_per_million: Decimal
    most_completion_tokens: int
    cached_prompt_usd_per_million: Decimal | None = None
    search_usd: Decimal | None = None
    request_usd: Decimal = Decimal(0)

    def worst_cost_usd(self, prompt: str) -> Decimal:
        """Return the most that one call with this prompt is expected to cost."""
        prompt_tokens = -(-len(prompt.encode()) // BYTES_PER_TOKEN)
        return self._cost(prompt_tokens, self.most_completion_tokens, searches=1)

    def typical_cost_usd(self, prompt_tokens: int, completion_tokens: int, calls: int) -> Decimal:
        """Return what calls of so many tokens in all cost, each of them with one search."""
        return self._cost(prompt_tokens, completion_tokens, searches=calls, calls=calls)

    def charge(
        self, usage: Usage, search: SearchEvidence = SearchEvidence.UNKNOWN
    ) -> "Charge | None":
        """Return what was used, None where the platform did not say how many tokens.

        Without the number of searches one is counted, and the charge is an estimate,
        unless the platform says that it did not search.
        """
        prompt_tokens, completion_tokens = usage.prompt_tokens, usage.completion_tokens
        if prompt_tokens is None or completion_tokens is None:
            return None
        if max(prompt_tokens, completion_tokens) > _MOST_TOKENS:
            return None
        searches, is_estimated = self._searches(usage, search)
        cached = min(usage.cached_tokens or 0, prompt_tokens)
        cost = self._cost(prompt_tokens, completion_tokens, cached=cached, searches=searches)
        return Charge(cost, is_estimated)

    def _searches(self, usage: Usage, search: SearchEvidence) -> tuple[int, bool]:
        """Return the searches to pay for, and whether they are a guess."""
        if usage.search_count is not None and usage.search_count <= _MOST_SEARCHES:
            return usage.search_count, False
        if self.search_usd is None or search is SearchEvidence.NOT_SEARCHED:
            return 0, False
        return 1, True

    def _cost(
        self,
        prompt_tokens: int,
        completion_tokens: int,
        *,
        cached: int = 0,
        searches: int,
        calls: int = 1,
    ) -> Decimal:
        millionths = (
            prompt_tokens * self.prompt_usd_per_million
            + completion_tokens * self.completion_usd_per_million
        )
        if cached and self.cached_prompt_usd_per_million is not None:
            millionths -= cached * (
                self.prompt_usd_per_million - self.cached_prompt_usd_per_million
            )
        fees = calls * self.request_usd + searches * (self.search_usd or 0)
        return (millionths / _MILLION + fees).quantize(_SMALLEST, ROUND_UP)


def price_on(platform: Platform, day: date) -> Price | None:
    """Return the price that the catalog has for a day: the latest that is valid by then."""
    valid = [
        price for price in platform.prices if price.valid_from is None or price.valid_from <= day
    ]
    return max(valid, key=lambda price: price.valid_from or date.min, default=None)


def tariff_of(platform: Platform, price: Price) -> Tariff:
    """Return what a platform's calls cost at a price, in US dollars."""

    def in_usd(amount: float) -> Decimal:
        return usd(amount) * usd(price.usd)

    def if_any(amount: float | None) -> Decimal | None:
        return None if amount is None else in_usd(amount)

    return Tariff(
        prompt_usd_per_million=in_usd(price.prompt_per_million),
        completion_usd_per_million=in_usd(price.completion_per_million),
        most_completion_tokens=_most_completion_tokens(platform),
        cached_prompt_usd_per_million=if_any(price.cached_prompt_per_million),
        search_usd=if_any(price.search_each),
        request_usd=in_usd(price.request_each or 0),
    )


def _most_completion_tokens(platform: Platform) -> int:
    for name in _LIMIT_PARAMETERS:
        limit = platform.parameters.get(name)
        if isinstance(limit, int) and limit > 0:
            return min(limit, _MOST_TOKENS)
    return min(_LONGEST_OVER_TYPICAL * platform.completion_tokens, _MOST_TOKENS)


def usd(amount: float) -> Decimal:
    """Return an amount as people wrote it: 0.1 is a tenth."""
    return Decimal(str(amount))


@dataclass(frozen=True, slots=True)
class Charge:
    """What one attempt cost. Estimated means that it was taken for its worst case."""

    cost_usd: Decimal
    is_estimated: bool = False


def known_charge(outcome: Outcome, tariff: Tariff) -> Charge | None:
    """Return what an attempt cost, None where all that is known is what it cost at most.

    Usage that the platform reported counts, whether an answer came or not. Without any a
    failure was free unless it may have been billed.
    """
    if isinstance(outcome, Answer):
        return tariff.charge(outcome.usage, outcome.search)
    charge = tariff.charge(outcome.usage)
    if charge is None and outcome.reason not in MAYBE_BILLED:
        return Charge(Decimal(0))
    return charge


def charge_of(outcome: Outcome, tariff: Tariff, worst_cost_usd: Decimal) -> Charge:
    """Return what an attempt cost; what may have been billed counts as its worst case."""
    return known_charge(outcome, tariff) or Charge(worst_cost_usd, is_estimated=True)


def split(amount_usd: Decimal, payer_ids: Sequence[str]) -> dict[str, Decimal]:
    """Return equal parts that add up to the amount, each in whole billionths."""
    units = int(amount_usd.scaleb(9))
    each, left = divmod(units, len(payer_ids))
    return {
        payer_id: Decimal(each + (position < left)).scaleb(-9)
        for position, payer_id in enumerate(payer_ids)
    }


@dataclass(frozen=True, slots=True)
class Claim:
    """A query that wants to be sent, and the most it may cost the tenants it serves."""

    query_id: str
    tenant_ids: tuple[str, ...]
    worst_cost_usd: Decimal


@dataclass(frozen=True, slots=True)
class Reservation:
    """Who pays for a query that may be sent, and how much is kept back for it."""

    query_id: str
    payer_ids: tuple[str, ...]
    worst_cost_usd: Decimal

    @property
    def parts(self) -> dict[str, Decimal]:
        """The part of each payer."""
        return split(self.worst_cost_usd, self.payer_ids)


def reserve(
    claims: Iterable[Claim], left_usd: Mapping[str, Decimal | None]
) -> tuple[list[Reservation], list[str]]:
    """Return the reservations that the budgets allow, in order, and the ids refused.

    `left_usd` is what each tenant has left, None without a bound; a tenant that is not
    named has none. A query is refused when none of its tenants can pay; otherwise those
    who can pay for all of it in equal parts.
    """
    left = dict(left_usd)
    reservations: list[Reservation] = []
    refused: list[str] = []
    for claim in claims:
        payer_ids = _payers(claim, left)
        if not payer_ids:
            refused.append(claim.query_id)
            continue
        reservation = Reservation(claim.query_id, payer_ids, claim.worst_cost_usd)
        for payer_id, part in reservation.parts.items():
            rest = left.get(payer_id)
            if rest is not None:
                left[payer_id] = rest - part
        reservations.append(reservation)
    return reservations, refused


def _payers(claim: Claim, left_usd: Mapping[str, Decimal | None]) -> tuple[str, ...]:
    """Return those who can pay. Fewer payers pay more each, so the rest is asked again."""
    payer_ids = claim.tenant_ids
    while payer_ids:
        parts = split(claim.worst_cost_usd, payer_ids)
        able = tuple(name for name in payer_ids if _can_pay(left_usd.get(name), parts[name]))
        if able == payer_ids:
            return payer_ids
        payer_ids = able
    return ()


def _can_pay(left_usd: Decimal | None, part: Decimal) -> bool:
    return left_usd is None or part <= left_usd
