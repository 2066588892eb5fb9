"""The ledger's day partitions: made before a day is planned, dropped as a whole."""

from datetime import date

import psycopg
from psycopg import sql

DAY_TABLES = ("task", "query", "attempt", "answer")

_DAY_LOCK_SPACE = 721_530


def prepare_day(session: psycopg.Connection, plan_date: date) -> None:
    """Create the day's partitions. Call inside a transaction; safe to call again."""
    session.execute(
        "SELECT pg_advisory_xact_lock(%s, %s)", (_DAY_LOCK_SPACE, plan_date.toordinal())
    )
    for table in DAY_TABLES:
        session.execute(
            sql.SQL("CREATE TABLE IF NOT EXISTS {} PARTITION OF {} FOR VALUES IN ({})").format(
                sql.Identifier("ledger", f"{table}_{plan_date:%Y%m%d}"),
                sql.Identifier("ledger", table),
                sql.Literal(plan_date),
            )
        )
