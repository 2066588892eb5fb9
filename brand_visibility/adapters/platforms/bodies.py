"""Reading JSON that a stranger wrote: every function takes anything and never raises.

What a field means belongs to the adapters; only shapes are checked here.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import orjson

from brand_visibility.adapters.platforms.texts import clean
from brand_visibility.adapters.platforms.verdicts import ErrorReport
from brand_visibility.adapters.platforms.wire import WireResponse
from brand_visibility.domain.outcomes import Source

# What a tenth of a kilobyte cannot hold is no name of a model or a call.
MAX_NAME_LENGTH = 100
# An address or a title beyond this is no address and no title.
MAX_URL_LENGTH = 4_000
_MAX_TITLE_LENGTH = 500
_MAX_SOURCES = 200
_MAX_SOURCE_NUMBER = 10_000
_MAX_COUNT = 2**63 - 1
_WHITESPACE = b" \t\r\n\xef\xbb\xbf"
_MESSAGES = ("message", "msg", "detail")
_REQUEST_ID_HEADERS = ("x-request-id", "request-id")


def load(body: bytes) -> object:
    """Return a JSON body, None when it is none. Blank lines around it are no part of it."""
    try:
        # DeepSeek keeps a connection alive with blank lines in front of the body.
        return orjson.loads(body.strip(_WHITESPACE))
    except orjson.JSONDecodeError:
        return None


def is_sendable(message: object) -> bool:
    """Whether a message of a conversation can be sent back: nesting may be read deeper."""
    try:
        orjson.dumps({"messages": [message]})
    except orjson.JSONEncodeError:
        return False
    return True


def mapping(value: object) -> Mapping[str, Any]:
    """Return an object, an empty one for anything else."""
    return value if isinstance(value, dict) else {}


def mappings(value: object) -> Iterator[Mapping[str, Any]]:
    """Yield the objects of a list, nothing for anything else."""
    if isinstance(value, list):
        yield from (item for item in value if isinstance(item, dict))


def first(value: object) -> Mapping[str, Any] | None:
    """Return the first item of a list when it is an object."""
    return value[0] if isinstance(value, list) and value and isinstance(value[0], dict) else None


def text(value: object) -> str:
    """Return a text, or the texts of a list of parts one after the other."""
    if isinstance(value, list):
        parts = (mapping(part).get("text") for part in value)
        return "".join(part for part in parts if isinstance(part, str))
    return value if isinstance(value, str) else ""


def name(value: object) -> str | None:
    """Return a short name on one line, None for anything else."""
    return (clean(value, MAX_NAME_LENGTH) or None) if isinstance(value, str) else None


def code(value: object) -> str:
    """Return an error's code, which some write as a number."""
    return clean(str(value), MAX_NAME_LENGTH) if isinstance(value, str | int) else ""


def count(value: object) -> int | None:
    """Return a whole number from 0 that a database can hold, None for anything else."""
    if not isinstance(value, int) or isinstance(value, bool):
        return None
    return value if 0 <= value <= _MAX_COUNT else None


def total(*values: object) -> int | None:
    """Return the sum of those that are counts, None when none is one."""
    counts = [number for number in map(count, values) if number is not None]
    return count(sum(counts)) if counts else None


def report(error: object) -> ErrorReport:
    """Return an error object of the usual shape: code, type and message, or only a text."""
    if isinstance(error, str):
        return ErrorReport(message=error)
    said = mapping(error)
    return ErrorReport(
        code=code(said.get("code")),
        kind=code(said.get("type")),
        message=next(filter(None, (text(said.get(field)) for field in _MESSAGES)), ""),
    )


def sources(
    pages: object, *, url: str = "url", title: str = "title", index: str | None = None
) -> tuple[Source, ...]:
    """Return a list of pages as sources; `url`, `title` and `index` are names of fields.

    They are numbered as they stand, or by `index` where every page has a number of its own
    there. A page without an address keeps its number and is left out.
    """
    if not isinstance(pages, list):
        return ()
    numbers = (index and _numbers(pages, index)) or range(1, len(pages) + 1)
    found = (source(number, page, url, title) for number, page in zip(numbers, pages, strict=True))
    named = sorted((one for one in found if one is not None), key=lambda one: one.position)
    return tuple(named[:_MAX_SOURCES])


def _numbers(pages: list[object], index: str) -> list[int] | None:
    """Return the pages' own numbers, None when two share one or a page has none."""
    said = (count(mapping(page).get(index)) for page in pages)
    numbers = [number for number in said if number and number <= _MAX_SOURCE_NUMBER]
    return numbers if len(set(numbers)) == len(pages) else None


def source(position: int, page: object, url: str = "url", title: str = "title") -> Source | None:
    """Return a page as a source: an object with an address, or the address itself."""
    address = page if isinstance(page, str) else mapping(page).get(url)
    if not isinstance(address, str) or len(address) > MAX_URL_LENGTH or not clean(address):
        return None
    named = mapping(page).get(title)
    heading = clean(named, _MAX_TITLE_LENGTH) if isinstance(named, str) else ""
    return Source(position, clean(address, MAX_URL_LENGTH), heading or None)


def request_id(response: WireResponse, fallback: object = None) -> str | None:
    """Return the platform's id of a call, from its headers or as the body has it."""
    named = (response.headers.get(header) for header in _REQUEST_ID_HEADERS)
    return next((name(value) for value in named if value), name(fallback))
