"""An owner that is stopped (SIGSTOP), replaced, and goes on (SIGCONT)."""

import signal
from pathlib import Path

import pytest

from brand_visibility.simulator.settings import Latency, PlatformBehaviour
from tests.faults.conftest import (
    CONCURRENCY,
    Ground,
    a_quick_platform,
    sends,
    simulated,
    wait_until,
)
from tests.faults.shard_process import BEFORE_RENAMING

pytestmark = pytest.mark.integration

SLOW_ENOUGH_TO_STOP = PlatformBehaviour(latency=Latency(0.3, 0.3))


def written(ground: Ground) -> tuple[list[tuple[object, ...]], dict[Path, bytes]]:
    """Return all that an owner could write: the ledger's rows and the lake's files."""
    rows = ground.rows("SELECT query_id, state, attempt_count, updated_at FROM ledger.query")
    rows += ground.rows("SELECT query_id, attempt_number, sent_at FROM ledger.attempt")
    files = {path: path.read_bytes() for path in ground.lake_root.rglob("*") if path.is_file()}
    return sorted(rows, key=str), files


def test_a_stopped_owner_is_replaced_and_writes_nothing_when_it_goes_on(ground: Ground) -> None:
    platform = a_quick_platform(rate=20)
    with simulated(SLOW_ENOUGH_TO_STOP) as simulator:
        stopped = ground.start(simulator, platform)
        wait_until(lambda: ground.states()["answered"] >= 5, "5 answers")
        stopped.signal(signal.SIGSTOP)
        answered_before = ground.states()["answered"]
        assert answered_before < ground.planned - CONCURRENCY

        ground.start(simulator, platform).succeed()
        done_meanwhile = ground.states()["answered"] - answered_before
        extra = sends(simulator) - ground.planned
        before = written(ground)

        stopped.signal(signal.SIGCONT)
        assert stopped.result()["error"] == "ShardTakenError"

    assert done_meanwhile == ground.planned - answered_before
    assert written(ground) == before
    assert ground.audit().is_whole
    assert extra <= ground.maybe_paid() <= 2 * CONCURRENCY


def test_an_owner_stopped_on_the_point_of_publishing_publishes_nothing_when_it_goes_on(
    ground: Ground,
) -> None:
    platform = a_quick_platform()
    with simulated() as simulator:
        stopped = ground.start(simulator, platform, hold_at=BEFORE_RENAMING)
        wait_until(lambda: stopped.is_held, "a file about to be renamed")
        assert ground.audit().answers == 0

        ground.start(simulator, platform).succeed()
        assert ground.audit().answers == ground.planned
        before = written(ground)

        stopped.signal(signal.SIGCONT)
        assert stopped.result()["error"] == "ShardTakenError"
        assert sends(simulator) == ground.planned

    assert written(ground) == before
    assert ground.audit().is_whole
    assert ground.maybe_paid() == 0
