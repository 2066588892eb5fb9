"""Whole runs of Dagster through faults that meet all their processes at once."""

from collections import Counter
from datetime import datetime

import dagster as dg
import pytest

from brand_visibility.adapters.lake.schemas import RAW_ANSWERS
from brand_visibility.adapters.ledger.connection import LedgerUnavailableError
from brand_visibility.adapters.ledger.plans import PlanStore
from brand_visibility.definitions import build_definitions
from brand_visibility.simulator.settings import Latency, PlatformBehaviour, SimulatorSettings
from tests.faults.conftest import wait_until
from tests.faults.restartable_postgres import Server
from tests.integration.night.conftest import QUESTIONS, Stage, stage
from tests.integration.night.test_night import partition, start_run, totals

__all__ = ["stage"]

pytestmark = [pytest.mark.integration, pytest.mark.slow_fault]

STEADY = SimulatorSettings(PlatformBehaviour(latency=Latency(0.3, 0.5)))
RESTARTS = 3


@pytest.fixture
def database_url(request: pytest.FixtureRequest) -> str:
    """The URL of a server of the night's own, which may be stopped."""
    server: Server = request.getfixturevalue("server")
    return server.url


def answered(stage: Stage, url: str) -> int:
    """Return how many queries are answered, 0 while the database can't say."""
    try:
        found = PlanStore(url).progress(stage.today)
    except LedgerUnavailableError:
        return 0
    return found[0].answered if found else 0


def published(stage: Stage) -> Counter[str]:
    return Counter(stage.lake.read(RAW_ANSWERS, partition(stage))["query_id"].to_pylist())


@pytest.mark.parametrize("stage", [{"rate": 3, "concurrency": 8}], indirect=True)
def test_a_night_ends_whole_although_its_database_restarts_every_few_seconds(
    stage: Stage, server: Server
) -> None:
    with stage.up(STEADY) as (place, simulator):
        run = start_run(place, stage)
        seen = [0]
        for _ in range(RESTARTS):
            wait_until(
                lambda: answered(stage, server.url) >= seen[-1] + 4 or run.poll() is not None,
                "4 more answers",
            )
            seen.append(answered(stage, server.url))
            server.restart(away_s=1.0)
        assert run.poll() is None, "the run ended during the restarts"
        assert run.wait(timeout=150) == 0
        sends = totals(simulator.stats())["sends"]
        maybe_paid = PlanStore(server.url).maybe_paid(stage.today, stage.platform_ids[0])

    assert seen == sorted(set(seen)), "every time between two restarts brought answers"
    assert len(published(stage)) == QUESTIONS
    assert set(published(stage).values()) == {1}
    assert sends - QUESTIONS <= maybe_paid <= RESTARTS * 2 * 8


# Dagster's own builder of schedules calls what it has deprecated, and its own tags of a
# partition with two dimensions break its own rule for tags.
@pytest.mark.filterwarnings(
    "ignore::dagster.BetaWarning",
    "ignore::dagster.PreviewWarning",
    "ignore:Function `JobDefinition.run_request_for_partition`",
    "ignore:Non-compliant tag keys like .*dagster/partition/date",
)
def test_one_tick_of_the_schedule_taken_twice_asks_once(stage: Stage) -> None:
    with stage.up(STEADY) as (place, simulator):
        # The daemon launches a run key once; two daemons launch it twice all the same.
        assert len(set(run_keys(stage) + run_keys(stage))) == 1
        runs = [start_run(place, stage) for _ in range(2)]
        assert [run.wait(timeout=150) for run in runs] == [0, 0]
        stats = totals(simulator.stats())

    assert stats["sends"] == QUESTIONS
    assert stats["duplicates"] == 0
    assert len(published(stage)) == QUESTIONS
    assert set(published(stage).values()) == {1}


def run_keys(stage: Stage) -> list[str | None]:
    """Take the tick that starts today's night, and return its runs' keys."""
    repository = build_definitions(settings=stage.settings).get_repository_def()
    (schedule,) = repository.schedule_defs
    started = datetime.combine(stage.today, stage.settings.night_starts_at, stage.settings.zone)
    with dg.DagsterInstance.ephemeral() as instance:
        context = dg.build_schedule_context(
            instance=instance, scheduled_execution_time=started, repository_def=repository
        )
        data = schedule.evaluate_tick(context)
    return [request.run_key for request in data.run_requests or []]
