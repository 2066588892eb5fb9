"""The ledger that a command works on: that of an own database, or the embedded one.

Commands that only look or clean up start no Dagster and make no database.
"""

import contextlib
from collections.abc import Iterator

from brand_visibility.adapters.embedded_postgres import embedded_postgres, place_of
from brand_visibility.adapters.settings import DATABASE_URL, Settings
from brand_visibility.domain.errors import InputError


@contextlib.contextmanager
def open_ledger(settings: Settings) -> Iterator[str]:
    """Yield the URL of the ledger's database, the embedded server up where it serves.

    Raises InputError when there is neither a URL nor a database of an earlier night.
    """
    if settings.database_url is not None:
        yield settings.database_url
        return
    data = settings.home / "postgres"
    # Starting the server would make a new, empty database here.
    if not (place_of(data) / "PG_VERSION").is_file():
        raise InputError(
            f"{data}: found no database; expected one of an earlier night, or {DATABASE_URL}"
        )
    with embedded_postgres(data) as url:
        yield url
