"""One small real question to every account: does the platform answer, as whom, at what cost?

No retries and no records. What a response means belongs to `platforms`, how findings are
shown to the command.
"""

import asyncio
import re
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal

from brand_visibility.adapters.catalog.published_prices import published_price
from brand_visibility.adapters.platforms.http import HttpSender
from brand_visibility.adapters.platforms.registry import base_url_of, key_of
from brand_visibility.domain.budget import known_charge, price_on, tariff_of
from brand_visibility.domain.catalog import Account, Platform
from brand_visibility.domain.errors import InputError
from brand_visibility.domain.outcomes import Failure, Outcome, SearchEvidence
from brand_visibility.domain.planning import API_CHANNEL, Query, identify

QUESTION = "Name one well-known brand of vacuum cleaners. Answer with one word."

# Where platforms write what an account may do, and what it is called here.
_LIMIT_HEADERS: Mapping[str, str] = {
    "x-ratelimit-limit-requests": "requests",
    "x-ratelimit-limit-tokens": "tokens",
    "x-ratelimit-limit": "requests",
    "anthropic-ratelimit-requests-limit": "requests",
    "anthropic-ratelimit-tokens-limit": "tokens",
    "anthropic-ratelimit-input-tokens-limit": "input tokens",
    "anthropic-ratelimit-output-tokens-limit": "output tokens",
}
_SEARCH: Mapping[SearchEvidence, str] = {
    SearchEvidence.SEARCHED: "searched",
    SearchEvidence.NOT_SEARCHED: "not searched",
    SearchEvidence.UNKNOWN: "search unknown",
}

# Figures, maybe with the window they hold for. Anything else may be an echo of the key.
_LIMIT = re.compile(r"[0-9]{1,12}(\s*[,;]\s*(w=)?[0-9]{1,12})*\Z")


@dataclass(frozen=True, slots=True)
class AccountCheck:
    """What one account's question came to.

    `verdict` is `answered` or the reason of the failure, `detail` says more for people.
    `limits` are those that the response named, None is a latency or cost that nobody knows.
    """

    platform_id: str
    account_id: str
    verdict: str
    detail: str = ""
    latency_ms: int | None = None
    model: str | None = None
    limits: Mapping[str, str] = field(default_factory=dict)
    cost_usd: Decimal | None = None

    @property
    def is_ok(self) -> bool:
        """Whether the account answered."""
        return self.verdict == "answered"


async def check_accounts(
    platforms: Iterable[Platform], environment: Mapping[str, str], *, question: str, day: date
) -> list[AccountCheck]:
    """Ask every account of these platforms once, those of one platform after each other."""
    checks = [_check_platform(platform, environment, question, day) for platform in platforms]
    return [found for platform in await asyncio.gather(*checks) for found in platform]


async def _check_platform(
    platform: Platform, environment: Mapping[str, str], question: str, day: date
) -> list[AccountCheck]:
    return [
        await _check(platform, account, environment, question, day) for account in platform.accounts
    ]


async def _check(
    platform: Platform,
    account: Account,
    environment: Mapping[str, str],
    question: str,
    day: date,
) -> AccountCheck:
    names = platform.platform_id, account.account_id
    try:
        key = key_of(platform, account, environment)
        base_url = base_url_of(platform, environment)
    except InputError as error:
        # An account that is not set up is a finding, and no reason to leave out the others.
        return AccountCheck(*names, "not set up", str(error))
    limits: dict[str, str] = {}
    keys = {account.account_id: key} if key else {}
    sender = HttpSender(
        platform, keys, base_url, observe=lambda _, headers: limits.update(_limits(headers))
    )
    async with sender:
        began = time.monotonic()
        outcome = await sender.send(_query(platform, question, day), account, _at_once)
        latency_ms = round((time.monotonic() - began) * 1000)
    return AccountCheck(
        *names,
        *_said(outcome),
        latency_ms=latency_ms,
        model=None if isinstance(outcome, Failure) else outcome.model,
        limits=limits,
        cost_usd=_cost_usd(platform, outcome, day),
    )


async def _at_once() -> None:
    # One question alone breaks no rate.
    return


def _query(platform: Platform, question: str, day: date) -> Query:
    prompt_id = identify(question)
    return Query(
        query_id=identify(day, platform.platform_id, "check", question),
        plan_date=day,
        platform_id=platform.platform_id,
        channel=API_CHANNEL,
        prompt_id=prompt_id,
        prompt=question,
        repeat=0,
        priority=0,
        shard_key=0,
    )


def _said(outcome: Outcome) -> tuple[str, str]:
    if isinstance(outcome, Failure):
        return outcome.reason.value, outcome.detail
    return "answered", f"{_SEARCH[outcome.search]}, {len(outcome.sources)} sources"


def _limits(headers: Mapping[str, str]) -> dict[str, str]:
    return {
        name: value
        for header, name in _LIMIT_HEADERS.items()
        if _LIMIT.match(value := headers.get(header, ""))
    }


def _cost_usd(platform: Platform, outcome: Outcome, day: date) -> Decimal | None:
    price = price_on(platform, day) or published_price(platform, day)
    if price is None:
        return None
    charge = known_charge(outcome, tariff_of(platform, price))
    return None if charge is None else charge.cost_usd
