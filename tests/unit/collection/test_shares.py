import dataclasses

import pytest

from brand_visibility.collection.shares import lane_count, share_of
from brand_visibility.domain.catalog import Account, AccountLimits, Platform
from tests.builders import a_platform


def a_platform_of(*concurrencies: int, shards_at_once: int) -> Platform:
    accounts = tuple(
        Account(f"account-{number}", AccountLimits(20, concurrency, tokens_per_minute=1_001))
        for number, concurrency in enumerate(concurrencies)
    )
    return dataclasses.replace(a_platform(), accounts=accounts, shards_at_once=shards_at_once)


@pytest.mark.parametrize(
    ("concurrencies", "shards_at_once", "lanes"),
    [((1,), 2, 1), ((2,), 2, 2), ((5,), 2, 2), ((7,), 3, 3), ((50, 3), 4, 3), ((50, 3), 1, 1)],
)
def test_no_more_shards_at_once_than_the_smallest_account_has_calls(
    concurrencies: tuple[int, ...], shards_at_once: int, lanes: int
) -> None:
    assert lane_count(a_platform_of(*concurrencies, shards_at_once=shards_at_once)) == lanes


@pytest.mark.parametrize(
    ("concurrency", "shards_at_once", "parts"),
    [(1, 2, [1]), (2, 2, [1, 1]), (5, 2, [3, 2]), (7, 3, [3, 2, 2])],
)
def test_the_lanes_together_use_exactly_what_an_account_has(
    concurrency: int, shards_at_once: int, parts: list[int]
) -> None:
    platform = a_platform_of(concurrency, shards_at_once=shards_at_once)
    lanes = lane_count(platform)
    (account,) = platform.accounts

    shares = [share_of(account, lane, lanes).limits for lane in range(lanes)]

    assert [share.concurrency for share in shares] == parts
    assert sum(share.tokens_per_minute or 0 for share in shares) == 1_001


def test_a_lane_has_the_whole_rate_and_any_number_of_tokens_if_the_account_has() -> None:
    account = Account("main", AccountLimits(20, 10))

    share = share_of(account, 1, 2)

    assert share == dataclasses.replace(account, limits=AccountLimits(20, 5))
