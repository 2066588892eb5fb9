"""Connecting to the ledger's database, with errors translated once."""

import contextlib
from collections.abc import Iterator

import psycopg

from brand_visibility.domain.errors import PermanentError, TransientError


class LedgerUnavailableError(TransientError):
    """The database cannot be reached, or ended the session."""


class LedgerNotMigratedError(PermanentError):
    """The database has no ledger, or one of an older version."""


@contextlib.contextmanager
def translated_errors() -> Iterator[None]:
    """Raise LedgerUnavailableError where the database is away, or LedgerNotMigratedError.

    Other errors are bugs.
    """
    try:
        yield
    except (psycopg.errors.UndefinedTable, psycopg.errors.UndefinedColumn) as error:
        raise LedgerNotMigratedError(
            f"the database has no ledger of this version ({first_line(error)});"
            f" run `brand-visibility migrate`"
        ) from error
    except (psycopg.OperationalError, psycopg.InterfaceError) as error:
        raise LedgerUnavailableError(
            f"the ledger's database is unavailable: {first_line(error)}"
        ) from error


def first_line(error: BaseException) -> str:
    """Return the first line of what an error says."""
    return next(iter(str(error).strip().splitlines()), "no detail")


def plain_url(database_url: str) -> str:
    """Return the URL without an SQLAlchemy driver, as psycopg wants it."""
    scheme, separator, rest = database_url.partition("://")
    return f"{scheme.partition('+')[0]}{separator}{rest}"


@contextlib.contextmanager
def connect(database_url: str) -> Iterator[psycopg.Connection]:
    """Yield a connection in autocommit mode; use `transaction()` for more than one statement."""
    with translated_errors(), psycopg.connect(plain_url(database_url), autocommit=True) as session:
        yield session


async def release_locks(session: psycopg.AsyncConnection) -> None:
    """Release the session's advisory locks now: its end is noticed only some time later.

    A session that is broken, or in the middle of a statement, leaves them to its end.
    """
    with contextlib.suppress(psycopg.Error):
        await session.execute("SELECT pg_advisory_unlock_all()")
