"""What `status` says of a night in a real ledger."""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import psycopg
import pytest
from click.testing import CliRunner, Result

from brand_visibility.adapters.ledger.night_status import NightStatus, read_night
from brand_visibility.adapters.ledger.ownership import own_shard
from brand_visibility.adapters.ledger.plans import PlanStore
from brand_visibility.adapters.ledger.query_status import find_query
from brand_visibility.adapters.ledger.shards import Shard
from brand_visibility.commands.status import status
from brand_visibility.domain.errors import InputError, PlanError
from brand_visibility.domain.outcomes import Attempt, Reason
from brand_visibility.domain.planning import Plan
from tests.builders import DAY, a_failure, a_plan, an_attempt

SHARD = Shard(DAY, "deepseek", index=0, count=1)


@pytest.fixture
def plan(database_url: str) -> Plan:
    plan = a_plan()
    PlanStore(database_url).freeze(plan, [], None)
    return plan


def now_sent(attempt: Attempt) -> Attempt:
    return replace(attempt, sent_at=datetime.now(UTC))


def write(database_url: str, running: Sequence[str], attempts: Sequence[Attempt]) -> None:
    async def run() -> None:
        async with own_shard(database_url, SHARD) as owned:
            asked = [*running, *dict.fromkeys(attempt.query_id for attempt in attempts)]
            await owned.mark_running(asked, "main")
            await owned.record(attempts)

    asyncio.run(run())


@pytest.fixture
def night(database_url: str, plan: Plan) -> NightStatus:
    """One answered at once, one after three retries, one refused, one waiting, two running."""
    ids = [query.query_id for query in plan.queries]
    attempts = [
        an_attempt(ids[0]),
        *(an_attempt(ids[1], a_failure(), number=n, wait_s=1) for n in (1, 2, 3)),
        an_attempt(ids[1], number=4),
        an_attempt(ids[2], a_failure(Reason.REFUSED)),
        an_attempt(ids[3], a_failure(Reason.SERVER_FAULT, 500), wait_s=3600),
    ]
    write(database_url, ids[4:6], [now_sent(attempt) for attempt in attempts])
    return read_night(database_url, DAY)


def test_every_query_is_counted_in_one_state(night: NightStatus, plan: Plan) -> None:
    (platform,) = night.platforms
    counts = platform.counts

    assert (counts.answered, counts.waiting, counts.running) == (2, 1, 2)
    assert (counts.withheld, counts.failed) == ({"refused": 1}, {})
    assert counts.pending == len(plan.queries) - 6
    assert counts.planned == len(plan.queries)
    assert counts.left == counts.planned - 3
    assert counts.retries == {"0": 3, "1": 0, "2": 0, "3+": 1}


def test_the_earliest_retry_that_waits_has_its_time(night: NightStatus) -> None:
    next_at = night.platforms[0].counts.next_attempt_at

    assert next_at is not None
    assert timedelta(minutes=59) < next_at - night.read_at < timedelta(minutes=61)


def test_an_account_shows_its_sends_of_the_last_minute(night: NightStatus) -> None:
    by_name = {account.account_id: account for account in night.accounts}

    # Seven calls ended and two are in flight.
    assert by_name["main"].sends_per_second == pytest.approx(9 / 60)
    assert by_name["main"].limit_per_second is None
    assert by_name[""].counts.pending == night.platforms[0].counts.pending


def test_an_account_shows_the_limit_that_it_is_paced_by(database_url: str, plan: Plan) -> None:
    with psycopg.connect(database_url, autocommit=True) as session:
        session.execute("INSERT INTO ledger.account_pace VALUES ('deepseek', 'main', now(), 20)")
    write(database_url, [plan.queries[0].query_id], [])

    accounts = {account.account_id: account for account in read_night(database_url, DAY).accounts}

    assert accounts["main"].limit_per_second == 20


def test_a_tenant_is_shown_what_serves_it(night: NightStatus) -> None:
    (tenant,) = night.tenants

    assert tenant.tenant_id == "acme"
    assert tenant.counts == night.platforms[0].counts


def test_the_end_is_projected_from_the_last_minutes_outcomes(night: NightStatus) -> None:
    # Three outcomes in a minute.
    left = night.platforms[0].counts.left
    assert night.projected_end == night.read_at + timedelta(seconds=left / (3 / 60))


def test_a_night_in_which_nothing_moves_has_no_projected_end(database_url: str, plan: Plan) -> None:
    night = read_night(database_url, DAY)

    assert night.projected_end is None
    assert not night.is_over


def test_a_night_is_over_when_every_query_has_an_outcome(database_url: str, plan: Plan) -> None:
    write(database_url, [], [an_attempt(query.query_id) for query in plan.queries])

    night = read_night(database_url, DAY)

    assert night.is_over
    assert night.platforms[0].projected_end is None


def test_owners_are_shown_with_the_age_of_their_heartbeat(database_url: str, plan: Plan) -> None:
    async def run() -> NightStatus:
        async with own_shard(database_url, SHARD, run_id="run-7"):
            return read_night(database_url, DAY)

    (owner,) = asyncio.run(run()).owners

    assert (owner.platform_id, owner.shard_index, owner.run_id) == ("deepseek", 0, "run-7")
    assert 0 <= owner.heartbeat_age_s < 5


def test_a_day_that_was_never_planned_says_so(database_url: str) -> None:
    with pytest.raises(PlanError, match=str(DAY)):
        read_night(database_url, DAY)


def test_a_query_is_found_with_its_calls_and_next_attempt(
    database_url: str, night: NightStatus, plan: Plan
) -> None:
    found = find_query(database_url, plan.queries[3].query_id)

    assert found is not None
    assert (found.state, found.attempt_count, found.plan_date) == ("pending", 1, DAY)
    assert found.next_attempt_at == night.platforms[0].counts.next_attempt_at
    assert [(call.reason, call.http_status, call.wait_s) for call in found.calls] == [
        ("server_fault", 500, 3600)
    ]
    assert find_query(database_url, "nowhere") is None


def call(database_url: str, *arguments: str) -> Result:
    variables = {"BRAND_VISIBILITY_DATABASE_URL": database_url, "COLUMNS": "200"}
    return CliRunner(env=variables).invoke(status, arguments, catch_exceptions=False)


def test_the_command_shows_a_night_to_people(database_url: str, night: NightStatus) -> None:
    shown = call(database_url, "--date", str(DAY)).output

    assert "at this pace" in shown
    assert "the cut-off" in shown
    for text in ("deepseek", "acme", "1 refused", "3/0/0/1", "not sent yet"):
        assert text in shown


def test_the_command_shows_a_night_to_programs(database_url: str, night: NightStatus) -> None:
    shown = json.loads(call(database_url, "--date", str(DAY), "--json").output)

    (platform,) = shown["platforms"]
    assert platform["counts"]["answered"] == 2
    assert datetime.fromisoformat(shown["projected_end"]).tzinfo is not None


@pytest.mark.parametrize("option", [(), ("--json",)], ids=["people", "programs"])
def test_the_command_shows_a_query(
    database_url: str, night: NightStatus, plan: Plan, option: tuple[str, ...]
) -> None:
    query_id = plan.queries[3].query_id

    shown = call(database_url, "--query", query_id, *option).output

    assert query_id in shown
    assert "server_fault" in shown


def test_the_command_refuses_an_unknown_query(database_url: str) -> None:
    with pytest.raises(InputError, match="nowhere"):
        call(database_url, "--query", "nowhere")


def test_the_command_makes_no_database_where_there_is_none(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    home = tmp_path_factory.mktemp("home")
    variables = {"BRAND_VISIBILITY_HOME": str(home), "BRAND_VISIBILITY_DATABASE_URL": ""}

    with pytest.raises(InputError, match="found no database"):
        CliRunner(env=variables).invoke(status, [], catch_exceptions=False)

    assert list(home.iterdir()) == []
