"""Bringing the ledger's tables to the newest version."""

from pathlib import Path

import sqlalchemy
from alembic import command
from alembic.config import Config

from brand_visibility.adapters.ledger.connection import LedgerUnavailableError, first_line

# Any constant will do, as long as no other lock of this project uses it.
_MIGRATION_LOCK = 7_215_300_001


def migrate(database_url: str) -> None:
    """Create or upgrade the ledger's tables. Safe to call from many processes at once."""
    engine = sqlalchemy.create_engine(_with_driver(database_url))
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.set_main_option("path_separator", "os")
    try:
        with engine.begin() as connection:
            connection.execute(
                sqlalchemy.text("SELECT pg_advisory_xact_lock(:key)"), {"key": _MIGRATION_LOCK}
            )
            connection.execute(sqlalchemy.text("CREATE SCHEMA IF NOT EXISTS ledger"))
            config.attributes["connection"] = connection
            command.upgrade(config, "head")
    except sqlalchemy.exc.OperationalError as error:
        raise LedgerUnavailableError(
            f"the ledger's database is unavailable: {first_line(error.orig or error)}"
        ) from None
    finally:
        engine.dispose()


def _with_driver(database_url: str) -> sqlalchemy.URL:
    url = sqlalchemy.make_url(database_url)
    return url.set(drivername="postgresql+psycopg")
