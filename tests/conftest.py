"""What every test may ask for: a database of its own on one real server."""

import itertools
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from brand_visibility.adapters.embedded_postgres import embedded_postgres
from brand_visibility.adapters.ledger.migrate import migrate
from tests.webhooks import Webhook, receiving

_numbers = itertools.count(1)


@pytest.fixture(scope="session")
def postgres_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of a real PostgreSQL server that lives as long as the session."""
    with embedded_postgres(tmp_path_factory.mktemp("postgres") / "data") as url:
        yield url


@pytest.fixture(scope="session")
def ledger_template(postgres_url: str) -> str:
    """The name of a database that holds the migrated, empty ledger."""
    _create_database(postgres_url, "CREATE DATABASE ledger_template")
    migrate(_url_of(postgres_url, "ledger_template"))
    return "ledger_template"


@pytest.fixture
def database_url(postgres_url: str, ledger_template: str) -> str:
    """The URL of a fresh database with an empty ledger."""
    name = f"test_{next(_numbers)}"
    _create_database(postgres_url, f"CREATE DATABASE {name} TEMPLATE {ledger_template}")
    return _url_of(postgres_url, name)


@pytest.fixture
def empty_database_url(postgres_url: str) -> str:
    """The URL of a fresh database without any table."""
    name = f"empty_{next(_numbers)}"
    _create_database(postgres_url, f"CREATE DATABASE {name}")
    return _url_of(postgres_url, name)


@pytest.fixture
def webhook() -> Iterator[Webhook]:
    """A real receiver of alerts on loopback."""
    with receiving() as webhook:
        yield webhook


@pytest.fixture(scope="session")
def repository() -> Path:
    """The folder of the project."""
    return Path(__file__).resolve().parents[1]


def _create_database(postgres_url: str, statement: str) -> None:
    with psycopg.connect(postgres_url, autocommit=True) as session:
        session.execute(statement)


def _url_of(postgres_url: str, database: str) -> str:
    return postgres_url.replace("/postgres?", f"/{database}?")
