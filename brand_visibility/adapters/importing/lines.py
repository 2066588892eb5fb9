"""Lines of a file that may hold anything, without more than one of them in memory."""

from collections.abc import Iterator
from typing import BinaryIO

_BOM = b"\xef\xbb\xbf"
# More than any row whose cells are within their bounds: what is cut here is refused anyway.
_LONGEST_LINE = 128 * 2**20


def lines_of(file: BinaryIO, *, longest: int = _LONGEST_LINE) -> Iterator[bytes]:
    """Yield a file's lines with their ends, the byte order mark left out.

    What a line has beyond `longest` bytes is passed over.
    """
    is_first = True
    while line := file.readline(longest):
        _pass_over(file, line, longest)
        yield line.removeprefix(_BOM) if is_first else line
        is_first = False


def _pass_over(file: BinaryIO, line: bytes, longest: int) -> None:
    while len(line) == longest and not line.endswith(b"\n"):
        line = file.readline(longest)
