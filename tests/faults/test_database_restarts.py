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

# More than a step's retries, of which none is used here.
RESTARTS = 6
STEADY = PlatformBehaviour(latency=Latency(0.2, 0.4))


@pytest.fixture
def stage(server: Server, tmp_path: Path) -> Ground:
    plan = a_plan(questions=80)
    PlanStore(server.url).freeze(plan, [], None)
    return Ground(server.url, tmp_path, plan)


def test_a_shard_outlives_a_database_that_restarts_every_few_seconds(
    server: Server, stage: Ground
) -> None:
    answered = [0]
    with simulated(STEADY) as simulator:
        try:
            process = stage.start(simulator, a_quick_platform(rate=10))
            for _ in range(RESTARTS):
                wait_until(lambda: stage.states()["answered"] >= answered[-1] + 3, "3 more answers")
                server.restart(away_s=0.3)
                answered.append(stage.states()["answered"])
            result = process.succeed()
        finally:
            stage.clear()
        extra = sends(simulator) - stage.planned

    # Each time between two restarts brought answers, and they stayed.
    assert all(later >= earlier + 3 for earlier, later in itertools.pairwise(answered))
    assert answered[-1] < stage.planned
    assert int(str(result["outages"])) >= RESTARTS
    audit = stage.audit()
    assert audit.is_whole, audit.sentence()
    assert audit.answers == stage.planned
    assert extra <= stage.maybe_paid() <= RESTARTS * 2 * CONCURRENCY


@pytest.mark.slow_fault
def test_a_database_that_stays_away_is_left_to_the_step_s_retry(
    server: Server, stage: Ground
) -> None:
    with simulated(STEADY) as simulator:
        try:
            process = stage.start(simulator, a_quick_platform(rate=20))
            wait_until(lambda: stage.states()["answered"] >= 3, "3 answers")
            server.stop()
            # What the step's retry policy takes as a reason to try again.
            assert process.result()["error"] == "LedgerUnavailableError"
            server.start()
            stage.start(simulator, a_quick_platform(rate=20)).succeed()
        finally:
            stage.clear()

    assert stage.audit().answers == stage.planned
