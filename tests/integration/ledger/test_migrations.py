"""A ledger of any earlier version becomes one of the newest, with what it holds."""

from pathlib import Path

import psycopg
import pytest
import sqlalchemy
from alembic import command
from alembic.config import Config

from brand_visibility.adapters.ledger import migrate as migrations
from brand_visibility.adapters.ledger.days import prepare_day
from brand_visibility.adapters.ledger.migrate import migrate
from brand_visibility.adapters.ledger.plans import PlanStore
from tests.builders import DAY, a_plan


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


@pytest.mark.parametrize("revision", ["0001", "0002"])
def test_a_migration_can_be_taken_back_and_made_again(
    empty_database_url: str, revision: str
) -> None:
    migrate(empty_database_url)

    move(empty_database_url, "downgrade", revision)
    migrate(empty_database_url)

    PlanStore(empty_database_url).freeze(a_plan(), [], None)
    assert PlanStore(empty_database_url).progress(DAY)[0].planned == len(a_plan().queries)
