"""Files that appear whole or not at all."""

import os
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


@contextmanager
def whole_file(
    path: Path, *, before_it_appears: Callable[[], None] = lambda: None
) -> Iterator[Path]:
    """Yield a path to write to; it becomes `path` when the block ends well, and only then.

    The file is then still there after a power cut. What was at `path` before stays
    untouched by a block that raises, or when `before_it_appears` does. Raises OSError as
    the system does.
    """
    # Containers on several hosts have the same process numbers.
    temporary = path.with_name(f".{path.name}.{os.getpid()}-{secrets.token_hex(4)}.tmp")
    try:
        yield temporary
        _sync(temporary)
        before_it_appears()
        temporary.replace(path)
        _sync(path.parent)
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
