"""A database for the time of a benchmark: the embedded server, and fresh ledgers on it."""

import contextlib
import itertools
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psycopg

from benchmarks.common.measuring import cpu_of_tree
from brand_visibility.adapters.embedded_postgres import embedded_postgres
from brand_visibility.adapters.ledger.migrate import migrate

_numbers = itertools.count(1)


class LedgerServer:
    """A running PostgreSQL server."""

    def __init__(self, url: str, data: Path) -> None:
        self._url = url
        self._data = data

    def fresh(self) -> str:
        """Create a database with an empty ledger and return its URL."""
        name = f"bench_{next(_numbers)}"
        with psycopg.connect(self._url, autocommit=True) as session:
            session.execute(f"CREATE DATABASE {name}".encode())
        url = self._url.replace("/postgres?", f"/{name}?")
        migrate(url)
        return url

    def cpu_s(self) -> float:
        """Return the CPU seconds that the server has taken so far."""
        pid_file = self._data / "postmaster.pid"
        return cpu_of_tree(int(pid_file.read_text().splitlines()[0]))


@contextlib.contextmanager
def ledger_server() -> Iterator[LedgerServer]:
    """Run a server on a temporary data directory for the time of the block."""
    with tempfile.TemporaryDirectory(prefix="bench-ledger-") as folder:
        data = Path(folder) / "data"
        with embedded_postgres(data) as url:
            yield LedgerServer(url, data.resolve())
