"""How far a URL, a bare domain or an e-mail address reaches.

Whom an address belongs to is a question about citations, not about its characters.
"""

import re
import string

# Where Chinese text resumes after an address without a space between.
_CJK_STOPS = (
    r"\u2014\u2018\u2019\u201c\u201d\u2026\u3000-\u303f"
    r"\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65"
)
_STOPS = r"\s<>\"'|`*\[\]{}\\" + _CJK_STOPS

_AUTHORITY = re.compile(rf"[A-Za-z0-9._~%@:-]+|[^/?#(){_STOPS}]+")
_REST = re.compile(rf"[/?#][^{_STOPS}]*")
_PARENTHESIS = re.compile(r"[()]")
_TRAILING = ".,;:!?*_~'"

_NAME_CHARACTERS = frozenset("._%+-" + string.ascii_letters + string.digits)
_HOST = re.compile(r"[A-Za-z0-9_-]+(?:\.[A-Za-z0-9-]+)+")
_PATH_START = re.compile(r"[/?#:][A-Za-z0-9_~%-]")

# Longer than a host or a mailbox may be, and a bound on the work for one dot.
_LONGEST_NAME = 256

# Endings that are also words or file names count only in lower case: "Tesla.It is" is
# a missing space.
_ENDING = re.compile(
    r"(?i:com|net|org|edu|gov|cn)"
    r"|info|biz|io|ai|app|dev|co|me|tv|cc|so|xyz|site|online|shop|store|tech|cloud|top|vip|club"
    r"|wiki|link|blog|hk|tw|jp|kr|sg|in|us|uk|ca|au|nz|de|fr|it|es|nl|be|ch|at|se|dk|fi|pl|ru"
    r"|br|mx|eu"
    r"|csv|json|png|jpe?g|gif|svg|pdf|py|md|txt|html|xml|ya?ml|sql|xlsx|docx|zip"
)


def url_end(text: str, start: int) -> int:
    """Return the end of the URL whose authority (`host`, `www.host`) begins at `start`."""
    authority = _AUTHORITY.match(text, start)
    if authority is None:
        return start
    end = authority.end()
    rest = _REST.match(text, end)
    if rest is not None:
        end = _balanced_end(text, end, rest.end())
    while end > start and text[end - 1] in _TRAILING:
        end -= 1
    return end


def _balanced_end(text: str, start: int, end: int) -> int:
    depth = 0
    for found in _PARENTHESIS.finditer(text, start, end):
        depth += 1 if found[0] == "(" else -1
        if depth < 0:
            return found.start()
    return end


def name_start(text: str, end: int, floor: int) -> int:
    """Return where the name that runs up to `end` begins: a letter, a digit or a `_`."""
    start = end
    lowest = max(floor, end - _LONGEST_NAME)
    while start > lowest and text[start - 1] in _NAME_CHARACTERS:
        start -= 1
    while start < end and text[start] in ".%+-":
        start += 1
    return start


def host_end(text: str, start: int) -> int:
    """Return the end of the dotted name at `start`, or `start` when there is none."""
    found = _HOST.match(text, start)
    return start if found is None else found.end()


def is_domain(host: str) -> bool:
    """Whether a dotted name ends like a domain or a file name."""
    return _ENDING.fullmatch(host.rpartition(".")[2]) is not None


def has_path(text: str, end: int) -> bool:
    """Whether an address goes on after its host."""
    return _PATH_START.match(text, end) is not None
