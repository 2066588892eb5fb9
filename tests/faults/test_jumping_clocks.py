"""A wall clock that is set back and forward while a shard is collected."""

import pytest

from brand_visibility.simulator.settings import Latency, PlatformBehaviour
from tests.faults.conftest import (
    Ground,
    a_quick_platform,
    sends,
    simulated,
    totals,
    wait_until,
)

pytestmark = pytest.mark.integration

TWO_HOURS = 7200.0


def test_a_clock_that_is_set_back_and_forward_changes_neither_pace_nor_owner(
    ground: Ground,
) -> None:
    rate = 20
    strict = PlatformBehaviour(latency=Latency(0.1, 0.2), rate_limit=rate)
    jumps = (0.0, -TWO_HOURS, TWO_HOURS)
    with simulated(strict) as simulator:
        jumping = ground.start(simulator, a_quick_platform(rate=rate), wall_jumps=jumps)
        # The rival waits for the shard; were it the first, no clock would jump.
        wait_until(lambda: sends(simulator) > 0, "the first call was made")
        rival = ground.start(simulator, a_quick_platform(rate=rate))
        result = jumping.succeed()
        rival.succeed()
        stats = totals(simulator)

    sent = ground.rows(
        "SELECT count(*) FILTER (WHERE sent_at > now() + interval '1 hour'),"
        " count(*) FILTER (WHERE sent_at < now() - interval '1 hour') FROM ledger.attempt"
    )[0]
    assert all(count > 0 for count in sent), "the clock jumped while calls were made"  # type: ignore[operator]
    assert stats["violations"] == 0
    assert stats["sends"] == ground.planned
    assert float(str(result["elapsed_s"])) < ground.planned / rate + 15
    assert ground.audit().is_whole
    assert ground.maybe_paid() == 0
