"""A database that is stopped at once and comes back, again and again."""

import itertools
from pathlib import Path

import pytest

from brand_visibility.adapters.ledger.plans import PlanStore
from brand_visibility.simulator.settings import Latency, PlatformBehaviour
from tests.builders import a_plan
from tests.faults.conftest import (
    CONCURRENCY,
    Ground,
    a_quick_platform,
    sends,
    simulated,
    wait_until,
)
from tests.faults.restartable_postgres import Server

pytestmark = pytest.mark.integration

RESTARTS = 3


def test_a_shard_outlives_a_database_that_restarts_every_few_seconds(
    server: Server, tmp_path: Path
) -> None:
    plan = a_plan(questions=60)
    PlanStore(server.url).freeze(plan, [], None)
    ground = Ground(server.url, tmp_path, plan)
    platform = a_quick_platform(rate=20)
    answered = [0]
    with simulated(PlatformBehaviour(latency=Latency(0.2, 0.4))) as simulator:
        try:
            for _ in range(RESTARTS):
                process = ground.start(simulator, platform)
                wait_until(
                    lambda: ground.states()["answered"] >= answered[-1] + 5, "5 more answers"
                )
                server.restart(away_s=0.5)
                # What the step's retry policy takes as a reason to try again.
                assert process.result()["error"] == "LedgerUnavailableError"
                answered.append(ground.states()["answered"])
            ground.start(simulator, platform).succeed()
        finally:
            ground.clear()
        extra = sends(simulator) - ground.planned

    # Each time between two restarts brought answers, and they stayed.
    assert all(later >= earlier + 5 for earlier, later in itertools.pairwise(answered))
    audit = ground.audit()
    assert audit.is_whole, audit.sentence()
    assert audit.answers == ground.planned
    assert extra <= ground.maybe_paid() <= RESTARTS * 2 * CONCURRENCY
