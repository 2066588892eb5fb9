"""What a query costs and whose budget pays for it.

Before a query is sent its worst-case cost is reserved, when its attempt has ended it is
settled by real usage, or released when the attempt cost nothing. Amounts are US dollars,
as decimals in whole billionths, so that parts add up. Where they are kept belongs to the
ledger.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_UP, Decimal

from brand_visibility.domain.catalog import Platform
from brand_visibility.domain.outcomes import Answer, Outcome, Reason, Usage

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
_MILLION = 1_000_000
# A limit that the platform itself keeps, by the names it has in request bodies.
_LIMIT_PARAMETERS = ("max_completion_tokens", "max_tokens")
_LONGEST_OVER_TYPICAL = 2


@dataclass(frozen=True, slots=True)
class Tariff:
    """What a platform's calls cost; `most_completion_tokens` is the longest answer."""

    prompt_usd_per_million: Decimal
    completion_usd_per_million: Decimal
    most_completion_tokens: int

    def worst_cost_usd(self, prompt: str) -> Decimal:
        """Return the most that one call with this prompt is expected to cost."""
        prompt_tokens = -(-len(prompt.encode()) // BYTES_PER_TOKEN)
        return self._cost(prompt_tokens, self.most_completion_tokens)

    def cost_usd(self, usage: Usage) -> Decimal | None:
        """Return what was used, None where the platform did not say all of it."""
        if usage.prompt_tokens is None or usage.completion_tokens is None:
            return None
        return self._cost(usage.prompt_tokens, usage.completion_tokens)

    def _cost(self, prompt_tokens: int, completion_tokens: int) -> Decimal:
        millionths = (
            prompt_tokens * self.prompt_usd_per_million
            + completion_tokens * self.completion_usd_per_million
        )
        return (millionths / _MILLION).quantize(_SMALLEST, ROUND_UP)


def tariff_of(platform: Platform) -> Tariff | None:
    """Return a platform's tariff, None when it has no price."""
    if platform.price is None:
        return None
    return Tariff(
        prompt_usd_per_million=usd(platform.price.prompt_usd_per_million),
        completion_usd_per_million=usd(platform.price.completion_usd_per_million),
        most_completion_tokens=_most_completion_tokens(platform),
    )


def _most_completion_tokens(platform: Platform) -> int:
    for name in _LIMIT_PARAMETERS:
        limit = platform.parameters.get(name)
        if isinstance(limit, int) and limit > 0:
            return limit
    return _LONGEST_OVER_TYPICAL * platform.completion_tokens


def usd(amount: float) -> Decimal:
    """Return an amount as people wrote it: 0.1 is a tenth."""
    return Decimal(str(amount))


@dataclass(frozen=True, slots=True)
class Charge:
    """What one attempt cost. Estimated means that it was taken for its worst case."""

    cost_usd: Decimal
    is_estimated: bool = False


def charge_of(outcome: Outcome, tariff: Tariff, worst_cost_usd: Decimal) -> Charge:
    """Return what an attempt cost; what may have been billed counts as its worst case."""
    if isinstance(outcome, Answer):
        used = tariff.cost_usd(outcome.usage)
        return Charge(worst_cost_usd, is_estimated=True) if used is None else Charge(used)
    if outcome.reason in MAYBE_BILLED:
        return Charge(worst_cost_usd, is_estimated=True)
    return Charge(Decimal(0))


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
