"""Whether a platform can answer its plan in time, said before the first call.

A forecast from limits and typical figures. Following the night's real pace belongs to
the collection.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass

from brand_visibility.domain.budget import BYTES_PER_TOKEN
from brand_visibility.domain.catalog import Account, Platform
from brand_visibility.domain.planning import Plan

_SECONDS_PER_DAY = 86_400


@dataclass(frozen=True, slots=True)
class Verdict:
    """The forecast for one account. Times in seconds.

    `bound_by` names the limit that decides: rate, concurrency, tokens or daily.
    """

    platform_id: str
    account_id: str
    query_count: int
    needed_s: float
    available_s: float
    bound_by: str

    @property
    def is_feasible(self) -> bool:
        """Whether the account ends before the deadline."""
        return self.needed_s <= self.available_s


def judge_feasibility(plan: Plan, platform: Platform, *, available_s: float) -> list[Verdict]:
    """Return one verdict for every account, the plan shared in proportion to capacity."""
    tokens = expected_tokens(plan, platform)
    per_query = (tokens["prompt"] + tokens["completion"]) / max(1, len(plan.queries))
    shares = _shares(len(plan.queries), platform)
    return [
        _judge(account, platform, shares[account.account_id], per_query, available_s)
        for account in platform.accounts
    ]


def expected_tokens(plan: Plan, platform: Platform) -> dict[str, int]:
    """Return the expected `prompt` and `completion` tokens of a plan."""
    prompt_bytes = sum(len(query.prompt.encode()) for query in plan.queries)
    return {
        "prompt": math.ceil(prompt_bytes / BYTES_PER_TOKEN),
        "completion": platform.completion_tokens * len(plan.queries),
    }


def expected_cost_usd(plan: Plan, platform: Platform) -> float | None:
    """Return the expected cost of a plan, or None when its price is unknown.

    Where searches have a price, every query is taken to search once.
    """
    if plan.tariff is None:
        return None
    tokens = expected_tokens(plan, platform)
    cost = plan.tariff.typical_cost_usd(tokens["prompt"], tokens["completion"], len(plan.queries))
    return float(cost)


def _capacity(account: Account, platform: Platform) -> float:
    limits = account.limits
    return min(limits.rate_per_second, limits.concurrency / platform.latency_s)


def _shares(query_count: int, platform: Platform) -> Mapping[str, int]:
    total = sum(_capacity(account, platform) for account in platform.accounts)
    return {
        account.account_id: math.ceil(query_count * _capacity(account, platform) / total)
        for account in platform.accounts
    }


def _judge(
    account: Account,
    platform: Platform,
    query_count: int,
    tokens_per_query: float,
    available_s: float,
) -> Verdict:
    limits = account.limits
    needs = {
        "rate": query_count / limits.rate_per_second,
        "concurrency": query_count * platform.latency_s / limits.concurrency,
    }
    if limits.tokens_per_minute is not None:
        needs["tokens"] = 60 * query_count * tokens_per_query / limits.tokens_per_minute
    if limits.queries_per_day is not None:
        needs["daily"] = _SECONDS_PER_DAY * (math.ceil(query_count / limits.queries_per_day) - 1)
    bound_by = max(needs, key=lambda name: needs[name])
    return Verdict(
        platform_id=platform.platform_id,
        account_id=account.account_id,
        query_count=query_count,
        needed_s=needs[bound_by],
        available_s=available_s,
        bound_by=bound_by,
    )
