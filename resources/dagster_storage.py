"""Dagster's own storage: PostgreSQL, the embedded server when no other is named.

`dagster.yaml` names this class, so that Dagster's commands work in a fresh checkout with
no variable set, on the same kind of database as in production.
"""

import atexit
import contextlib
import os
from typing import Any, Self

from dagster_postgres import DagsterPostgresStorage

from brand_visibility.adapters.embedded_postgres import embedded_postgres
from brand_visibility.adapters.ledger.migrate import migrate
from brand_visibility.adapters.settings import DATABASE_URL, read_settings


class EmbeddedByDefaultStorage(DagsterPostgresStorage):
    """Storage in the database of BRAND_VISIBILITY_DATABASE_URL, else in the embedded one."""

    @classmethod
    def config_type(cls) -> dict[str, Any]:
        """Return the schema of its section in `dagster.yaml`: there is nothing to set."""
        return {}

    @classmethod
    def from_config_value(cls, inst_data: Any, config_value: Any) -> Self:  # noqa: ARG003
        """Return the storage that the environment describes."""
        return cls(postgres_url=database_url(), inst_data=inst_data)


def database_url() -> str:
    """Return the database's URL, the embedded server started and held if need be.

    This process then holds the server until it ends, and its children find the variable
    set.
    """
    settings = read_settings()
    if settings.database_url is not None:
        return settings.database_url
    stack = contextlib.ExitStack()
    url = stack.enter_context(embedded_postgres(settings.home / "postgres"))
    atexit.register(stack.close)
    migrate(url)
    os.environ[DATABASE_URL] = url
    return url
