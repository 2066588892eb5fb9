"""When a shard goes on after its database was away, and after how long."""

import random

import pytest

from brand_visibility.adapters.ledger.connection import LedgerUnavailableError
from brand_visibility.adapters.outages import Outages
from tests.virtual_time import VirtualClock, run_virtually

AWAY = LedgerUnavailableError("as scripted")


async def waits(*rounds: bool) -> list[float]:
    """Return the wait after each of the rounds, which got on or not."""
    clock = VirtualClock()
    outages = Outages(clock, random.Random(7))
    found = []
    for got_on in rounds:
        before = clock.monotonic()
        await outages.outlive(AWAY, got_on=got_on)
        found.append(clock.monotonic() - before)
    assert outages.count == len(rounds)
    return found


def test_any_number_of_outages_is_outlived_while_the_rounds_between_them_get_on() -> None:
    found = run_virtually(waits(*[True] * 50))
    assert all(0.5 <= wait <= 1.0 for wait in found)
    assert len(set(found)) == 50, "shards that lost the same database come back at once"


def test_each_round_in_vain_makes_the_next_wait_three_times_as_long() -> None:
    _, second, third, fresh = run_virtually(waits(True, False, False, True))
    assert 1.5 <= second <= 3.0
    assert 4.5 <= third <= 9.0
    assert fresh <= 1.0


@pytest.mark.parametrize(
    "rounds",
    [[False, False, False], [True, False, False, False], [False, False, True, *[False] * 3]],
)
def test_the_third_round_in_vain_in_a_row_is_the_last(rounds: list[bool]) -> None:
    run_virtually(waits(*rounds[:-1]))
    with pytest.raises(LedgerUnavailableError, match="as scripted"):
        run_virtually(waits(*rounds))
