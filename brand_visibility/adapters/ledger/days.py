"""The ledger's day partitions: made before a day is planned, dropped as a whole.

A dropped day keeps its plan, its costs and what is published of it; its tasks, queries,
attempts and answers are gone.
"""

import contextlib
from collections.abc import Iterator
from datetime import date

import psycopg
from psycopg import sql

from brand_visibility.adapters.ledger.connection import connect
from brand_visibility.domain.errors import InputError, PlanError, TransientError

# Queries first: a day without them counts as dropped, whatever is left of it.
DAY_TABLES = ("query", "task", "attempt", "answer")

_DAY_LOCK_SPACE = 721_530
_IN_USE_LOCK_SPACE = 721_532
# A query's row changes at least twice: with room on its page that touches no index.
_FILL_PERCENT = {"query": 50}

# While a table waits to be dropped, everybody else waits for it.
_DROP_PATIENCE = "3s"


class DayInUseError(TransientError):
    """A day is being collected or read, so it cannot be dropped now."""


def prepare_day(session: psycopg.Connection, plan_date: date) -> None:
    """Create the day's partitions. Call inside a transaction; safe to call again."""
    session.execute(
        "SELECT pg_advisory_xact_lock(%s, %s)", (_DAY_LOCK_SPACE, plan_date.toordinal())
    )
    for table in DAY_TABLES:
        if not _exists(session, table, plan_date):
            _create_partition(session, table, plan_date)


def _create_partition(session: psycopg.Connection, table: str, plan_date: date) -> None:
    names = {
        "partition": _partition(table, plan_date),
        "parent": sql.Identifier("ledger", table),
        "day": sql.Literal(plan_date),
    }
    # Attaching, unlike creating it as a partition, does not wait for those who write other
    # days, nor make them wait.
    create = "CREATE TABLE {partition} (LIKE {parent} INCLUDING ALL) WITH (fillfactor = {fill})"
    fill = sql.Literal(_FILL_PERCENT.get(table, 100))
    session.execute(sql.SQL(create).format(**names, fill=fill))
    session.execute(
        sql.SQL("ALTER TABLE {parent} ATTACH PARTITION {partition} FOR VALUES IN ({day})").format(
            **names
        )
    )


def _exists(session: psycopg.Connection, table: str, plan_date: date) -> bool:
    row = session.execute("SELECT to_regclass(%s)", (_name(table, plan_date),)).fetchone()
    return row is not None and row[0] is not None


async def keep_day(session: psycopg.AsyncConnection, plan_date: date) -> None:
    """Keep the day from being dropped for as long as the session lives.

    Raises PlanError when its queries are not there any more.
    """
    await session.execute(
        "SELECT pg_advisory_lock_shared(%s, %s)", (_IN_USE_LOCK_SPACE, plan_date.toordinal())
    )
    cursor = await session.execute("SELECT to_regclass(%s)", (_name("query", plan_date),))
    row = await cursor.fetchone()
    if row is None or row[0] is None:
        raise PlanError(f"{plan_date} was never planned, or was dropped from the ledger")


def days_before(session: psycopg.Connection, first_kept: date) -> list[date]:
    """Return the days earlier than `first_kept` of which something is there to drop."""
    rows = session.execute(_DAYS_BEFORE, (list(DAY_TABLES), first_kept)).fetchall()
    return [row[0] for row in rows]


def drop_days_before(database_url: str, first_kept: date, *, today: date) -> list[date]:
    """Drop every day earlier than `first_kept`, oldest first, and return them.

    Raises InputError when that would drop `today`, and DayInUseError at the first day
    that is in use; earlier ones are dropped by then.
    """
    with connect(database_url) as session:
        days = days_before(session, first_kept)
        for plan_date in days:
            drop_day(session, plan_date, today=today)
    return days


def drop_day(session: psycopg.Connection, plan_date: date, *, today: date) -> None:
    """Drop a day's tasks, queries, attempts and answers. Safe to call again.

    Call outside a transaction. Raises InputError when the day is not over, and
    DayInUseError when a shard of it has a living owner or it is being read.
    """
    if plan_date >= today:
        raise InputError(
            f"the day to drop: found {plan_date}; expected a day before today, {today}"
        )
    with _unused(session, plan_date):
        # One at a time: a writer that holds one table and waits for the next never meets
        # a dropper that does the same the other way round.
        for table in DAY_TABLES:
            with session.transaction():
                session.execute("SELECT set_config('lock_timeout', %s, true)", (_DROP_PATIENCE,))
                session.execute(
                    sql.SQL("DROP TABLE IF EXISTS {}").format(_partition(table, plan_date))
                )


@contextlib.contextmanager
def _unused(session: psycopg.Connection, plan_date: date) -> Iterator[None]:
    key = (_IN_USE_LOCK_SPACE, plan_date.toordinal())
    row = session.execute("SELECT pg_try_advisory_lock(%s, %s)", key).fetchone()
    if row is None or not row[0]:
        raise DayInUseError(f"{plan_date} is being collected; drop it when that has ended")
    try:
        yield
    except psycopg.errors.LockNotAvailable as error:
        raise DayInUseError(f"{plan_date} is being read; drop it when that has ended") from error
    finally:
        session.execute("SELECT pg_advisory_unlock(%s, %s)", key)


def _name(table: str, plan_date: date) -> str:
    return f"ledger.{table}_{plan_date:%Y%m%d}"


def _partition(table: str, plan_date: date) -> sql.Identifier:
    return sql.Identifier(*_name(table, plan_date).split("."))


_DAYS_BEFORE = """
SELECT DISTINCT plan_date
FROM (SELECT to_date(right(child.relname, 8), 'YYYYMMDD') AS plan_date
      FROM pg_inherits
      JOIN pg_class AS child ON child.oid = inhrelid
      JOIN pg_class AS parent ON parent.oid = inhparent
      JOIN pg_namespace AS space ON space.oid = parent.relnamespace
      WHERE space.nspname = 'ledger' AND parent.relname = ANY(%s) AND parent.relkind = 'p')
     AS days
WHERE plan_date < %s
ORDER BY plan_date
"""
