"""What one of the shards that are collected side by side may use of an account.

The rate is not divided: its slots are handed out one by one. Who holds which lane belongs
to the ledger, and what is done with the limits to the engine.
"""

from dataclasses import replace

from brand_visibility.domain.catalog import Account, Platform


def lane_count(platform: Platform) -> int:
    """Return how many shards may be collected side by side: each needs a call in flight."""
    concurrency = min(account.limits.concurrency for account in platform.accounts)
    return min(platform.shards_at_once, concurrency)


def part(whole: int, lane: int, lanes: int) -> int:
    """Return a lane's part; all parts sum up to the whole, the first lanes have the rest."""
    return whole // lanes + (lane < whole % lanes)


def share_of(account: Account, lane: int, lanes: int) -> Account:
    """Return the account with the calls in flight and the tokens that a lane may use."""
    limits = account.limits
    tokens = limits.tokens_per_minute
    share = replace(
        limits,
        concurrency=part(limits.concurrency, lane, lanes),
        tokens_per_minute=None if tokens is None else part(tokens, lane, lanes),
    )
    return replace(account, limits=share)


def with_daily_limit(account: Account, queries_per_day: int) -> Account:
    """Return the account with another limit of a day's sends."""
    return replace(account, limits=replace(account.limits, queries_per_day=queries_per_day))
