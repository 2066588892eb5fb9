"""Platforms that misbehave: what they spoil, what they may not, and one that is down."""

from datetime import UTC, datetime, timedelta

import pytest

from brand_visibility.adapters.ledger.plans import PlanStore
from brand_visibility.collection.breaker import BreakerSettings
from brand_visibility.simulator.settings import FaultKind, PlatformBehaviour
from tests.builders import a_plan
from tests.faults.conftest import CONCURRENCY, Ground, a_quick_platform, simulated, totals

pytestmark = pytest.mark.integration

SHARE = 0.3
FIFTY_MB = 50_000_000


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        (FaultKind.HANG, "timed_out"),
        (FaultKind.DRIP, "timed_out"),
        (FaultKind.HUGE, "malformed"),
        (FaultKind.MALFORMED, "malformed"),
        (FaultKind.ERROR_IN_200, "server_fault"),
        (FaultKind.DISCONNECT, "connection_lost"),
    ],
    ids=lambda value: str(value),
)
def test_a_platform_that_misbehaves_costs_attempts_and_no_answer_twice(
    ground: Ground, kind: FaultKind, reason: str
) -> None:
    bad = PlatformBehaviour(
        faults={kind: SHARE}, hang_s=30, drip_s=30, drip_every_s=1.0, huge_bytes=FIFTY_MB
    )
    with simulated(bad) as simulator:
        result = ground.start(simulator, a_quick_platform(timeout_s=1.0)).succeed()
        stats = totals(simulator)

    reasons = ground.attempt_reasons()
    # Between the faults the platform is asked as ever.
    assert reasons[""] >= ground.planned // 2
    assert reasons[reason] >= 3
    assert reasons.keys() == {"", reason}
    assert sum(reasons.values()) == stats["sends"]

    audit = ground.audit()
    assert audit.is_whole, audit.sentence()
    assert audit.answers == reasons[""]
    assert ground.maybe_paid() == 0
    # 50 MB are refused after the first 8: eight of them in flight never fill the memory.
    assert float(str(result["peak_mb"])) < 400


def test_a_platform_that_is_down_is_soon_left_alone_and_holds_up_no_other(
    ground: Ground,
) -> None:
    other = a_plan(questions=30, platform_id="kimi")
    PlanStore(ground.database_url).freeze(other, [], None)
    well = Ground(ground.database_url, ground.folder, other)
    down = PlatformBehaviour(faults={FaultKind.SERVER_FAULT: 1.0})
    breaker = BreakerSettings()
    with simulated(deepseek=down) as simulator:
        soon = datetime.now(UTC) + timedelta(seconds=6)
        failing = ground.start(simulator, a_quick_platform(), cut_off=soon)
        try:
            result = well.start(simulator, a_quick_platform("kimi")).succeed()
        finally:
            well.clear()
        assert well.states() == {"answered": well.planned}
        failing.succeed()
        calls = simulator.stats()["platforms"]["deepseek"]["sends"]  # type: ignore[index]

    assert float(str(result["elapsed_s"])) < 10
    assert well.audit().answers == well.planned
    # Until the breaker opens, and what was in flight then; its first probe comes too late.
    assert breaker.bad_in_a_row <= calls <= breaker.bad_in_a_row + CONCURRENCY
    audit = ground.audit()
    assert audit.is_whole
    assert audit.failures == ground.planned
    assert ground.maybe_paid() == 0
