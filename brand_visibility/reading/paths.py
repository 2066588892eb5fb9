"""Paths of files: `/data/nike/2024` names a folder, Tesla/Nike two brands.

Addresses of the web belong to `addresses`.
"""

import re
import string

_CHARACTERS = frozenset(string.ascii_lowercase + string.digits + "/\\._-~:")
_SLASHES = frozenset("/\\")
_PATH = re.compile(
    r"(?:~|\.{0,2})/[^/]+/.+|[a-z]:\\.+|.*[/\\][^/\\]*\.(?:csv|json|png|jpe?g|gif|svg|pdf|py|md|txt"
    r"|html|xml|ya?ml|sql|xlsx|docx|zip)"
)
_LONGEST_PATH = 256


def is_in_path(text: str, start: int, end: int) -> bool:
    """Whether a place of a folded text is a part of a file's or folder's path."""
    if text[start - 1 : start] not in _SLASHES and text[end : end + 1] not in _SLASHES:
        return False
    first = start
    while first > max(0, start - _LONGEST_PATH) and text[first - 1] in _CHARACTERS:
        first -= 1
    if text[first - 1 : first].isalnum():
        return False
    last = end
    while last < min(len(text), end + _LONGEST_PATH) and text[last] in _CHARACTERS:
        last += 1
    return _PATH.fullmatch(text[first:last].rstrip(".:")) is not None
