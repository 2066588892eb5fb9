"""A ledger of any earlier version becomes one of the newest, with what it holds."""

from datetime import UTC
from decimal import Decimal
from pathlib import Path

import psycopg
import pyarrow as pa
import pytest
import sqlalchemy
from alembic import command
from alembic.config import Config
from budgeted_days import SHARD, own, spends
from psycopg.types.json import Jsonb

from brand_visibility.adapters.ledger import migrate as migrations
from brand_visibility.adapters.ledger.days import prepare_day
from brand_visibility.adapters.ledger.migrate import migrate
from brand_visibility.adapters.ledger.outcomes import OutcomeStore
from brand_visibility.adapters.ledger.plans import PlanStore
from brand_visibility.adapters.ledger.shards import ShardJournal
from tests.builders import DAY, a_plan, an_attempt


def move(database_url: str, action: str, revision: str) -> None:
    """Run alembic's upgrade or downgrade to a revision on a database."""
    url = sqlalchemy.make_url(database_url).set(drivername="postgresql+psycopg")
    engine = sqlalchemy.create_engine(url)
    config = Config()
    folder = Path(migrations.__file__).parent / "migrations"
    config.set_main_option("script_location", str(folder))
    config.set_main_option("path_separator", "os")
    try:
        with engine.begin() as connection:
            connection.execute(sqlalchemy.text("CREATE SCHEMA IF NOT EXISTS ledger"))
            config.attributes["connection"] = connection
            getattr(command, action)(config, revision)
    finally:
        engine.dispose()


def a_first_version_day(database_url: str) -> None:
    """Store a planned day as the first version stored it."""
    query = a_plan().queries[0]
    with psycopg.connect(database_url) as session:
        prepare_day(session, DAY)
        session.execute(
            "INSERT INTO ledger.plan (plan_date, platform_id, catalog_version, task_count,"
            " query_count, verdicts) VALUES (%s, 'deepseek', 'v', 1, 1, '[]')",
            (DAY,),
        )
        session.execute(
            "INSERT INTO ledger.query (plan_date, query_id, platform_id, channel, prompt_id,"
            " prompt, repeat, priority, shard_key)"
            " VALUES (%s, %s, 'deepseek', 'api', 'p', 'Which?', 0, 0, 0)",
            (DAY, query.query_id),
        )


def test_a_day_of_the_first_version_is_still_there_after_migrating(
    empty_database_url: str,
) -> None:
    move(empty_database_url, "upgrade", "0001")
    a_first_version_day(empty_database_url)

    migrate(empty_database_url)

    with psycopg.connect(empty_database_url) as session:
        row = session.execute(
            "SELECT prompt, tenant_ids, worst_cost_usd, payer_ids FROM ledger.query"
        ).fetchone()
    assert row == ("Which?", [], None, None)
    assert PlanStore(empty_database_url).require_whole(DAY, "deepseek").query_count == 1


def a_third_version_day(database_url: str) -> tuple[str, str]:
    """Store a planned day with an answer and a budget as the third version stored it."""
    a_first_version_day(database_url)
    query_id = a_plan().queries[0].query_id
    tariff = {
        "prompt_usd_per_million": "1",
        "completion_usd_per_million": "2",
        "most_completion_tokens": 100,
    }
    with psycopg.connect(database_url) as session:
        session.execute("UPDATE ledger.plan SET tariff = %s", (Jsonb(tariff),))
        session.execute(
            "INSERT INTO ledger.plan (plan_date, platform_id, catalog_version, task_count,"
            " query_count, verdicts) VALUES (%s, 'gpt', 'v', 0, 0, '[]')",
            (DAY,),
        )
        session.execute(
            "INSERT INTO ledger.spend (plan_date, tenant_id, budget_usd) VALUES (%s, 'acme', 5)",
            (DAY,),
        )
        session.execute(
            "UPDATE ledger.query SET tenant_ids = '{acme}', worst_cost_usd = 0.5, payer_ids = NULL"
        )
        session.execute(
            "INSERT INTO ledger.answer (plan_date, query_id, account_id, text_zstd, text_bytes,"
            " sent_at, latency_ms) VALUES (%s, 'old', 'main', %s, 4, now(), 1)",
            (DAY, pa.compress(b"fine", codec="zstd", asbytes=True)),
        )
        session.execute(
            "INSERT INTO ledger.query (plan_date, query_id, platform_id, channel, prompt_id,"
            " prompt, repeat, priority, shard_key, state, attempt_count)"
            " VALUES (%s, 'old', 'deepseek', 'api', 'q', 'What?', 0, 0, 0, 'answered', 1)",
            (DAY,),
        )
    return query_id, "old"


def test_a_budgeted_day_of_the_third_version_goes_on_within_its_budget(
    empty_database_url: str,
) -> None:
    move(empty_database_url, "upgrade", "0003")
    query_id, answered_id = a_third_version_day(empty_database_url)

    migrate(empty_database_url)

    async def ask(journal: ShardJournal) -> None:
        await journal.mark_running([query_id], "main")
        await journal.record([an_attempt(query_id)])

    own(empty_database_url, ask)
    with psycopg.connect(empty_database_url) as session:
        plans = session.execute(
            "SELECT platform_id, is_budgeted, price FROM ledger.plan ORDER BY platform_id"
        ).fetchall()
    assert plans == [("deepseek", True, None), ("gpt", False, None)]
    assert spends(empty_database_url)["acme"].settled_usd == Decimal("0.000080")
    table = OutcomeStore(empty_database_url, UTC).answers(SHARD)
    rows = {row["query_id"]: row for row in table.to_pylist()}
    assert (rows[answered_id]["text"], rows[answered_id]["cost_usd"]) == ("fine", None)
    assert (rows[answered_id]["search"], rows[answered_id]["sources"]) == ("unknown", [])
    assert rows[query_id]["cost_usd"] == Decimal("0.000080")


def test_what_was_counted_without_a_budget_is_unknown_to_the_version_before(
    empty_database_url: str,
) -> None:
    migrate(empty_database_url)
    PlanStore(empty_database_url).freeze(a_plan(), [], None)

    move(empty_database_url, "downgrade", "0004")

    with psycopg.connect(empty_database_url) as session:
        assert session.execute("SELECT tariff FROM ledger.plan").fetchall() == [(None,)]


@pytest.mark.parametrize("revision", ["0001", "0002", "0003", "0004"])
def test_a_migration_can_be_taken_back_and_made_again(
    empty_database_url: str, revision: str
) -> None:
    migrate(empty_database_url)

    move(empty_database_url, "downgrade", revision)
    migrate(empty_database_url)

    PlanStore(empty_database_url).freeze(a_plan(), [], None)
    assert PlanStore(empty_database_url).progress(DAY)[0].planned == len(a_plan().queries)
