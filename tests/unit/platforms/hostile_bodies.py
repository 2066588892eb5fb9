"""Responses that no platform should send, and what must hold for every one of them.

A platform's test gives its good bodies: they come back with some of their nodes replaced,
beside plain garbage.
"""

import copy
import json
import unicodedata
from collections.abc import Iterator
from typing import Any

import orjson
from exchanges import NOW
from hypothesis import strategies as st

from brand_visibility.adapters.platforms.adapter import Adapter, Continuation
from brand_visibility.adapters.platforms.wire import WireResponse
from brand_visibility.domain.outcomes import Failure, Outcome, Source, Usage

Path = tuple[str | int, ...]

_LEAVES = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(max_size=20)
    | st.sampled_from(["", " ", "\x00", "error", "stop", "https://a.example", -1, 2**63, 1e308])
)
JSON = st.recursive(
    _LEAVES,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=6,
)
HEADERS = st.dictionaries(
    st.sampled_from(
        [
            "retry-after",
            "retry-after-ms",
            "x-request-id",
            "x-ratelimit-remaining-tokens",
            "x-ratelimit-reset-tokens",
        ]
    ),
    st.text(max_size=20) | st.sampled_from(["0", "nan", "1e999", "Fri, 31 Dec 9999 23:59:59 GMT"]),
)
# Half of them a success: only then does an adapter read what an answer holds.
STATUSES = st.just(200) | st.integers(100, 599)


def hostile_responses(*good: bytes) -> st.SearchStrategy[WireResponse]:
    """Return responses with any status and headers, their bodies from `hostile_bodies`."""
    return st.builds(WireResponse, STATUSES, HEADERS, hostile_bodies(*good))


def hostile_bodies(*good: bytes) -> st.SearchStrategy[bytes]:
    """Return any bytes, any JSON, and the good bodies with some of their nodes replaced."""
    garbage = st.binary(max_size=200) | JSON.map(_encoded)
    return st.one_of(garbage, *(_mutations(json.loads(body)) for body in good))


@st.composite
def _mutations(draw: st.DrawFn, good: Any) -> bytes:
    body = copy.deepcopy(good)
    for _ in range(draw(st.integers(1, 3))):
        body = _replaced(body, draw(st.sampled_from(list(_paths(body)))), draw(JSON))
    return _encoded(body)


def _paths(node: Any, path: Path = ()) -> Iterator[Path]:
    yield path
    if isinstance(node, dict | list):
        children = node.items() if isinstance(node, dict) else enumerate(node)
        for key, child in children:
            yield from _paths(child, (*path, key))


def _replaced(node: Any, path: Path, value: Any) -> Any:
    if not path:
        return value
    node[path[0]] = _replaced(node[path[0]], path[1:], value)
    return node


def _encoded(body: Any) -> bytes:
    return json.dumps(body).encode()


def assert_reads(adapter: Adapter, response: WireResponse) -> None:
    """Parse a response and check what holds for whatever it means."""
    read = adapter.parse(response, NOW)
    if isinstance(read, Continuation):
        assert orjson.dumps(read.messages)
        assert read.messages
    else:
        _assert_outcome(read, response)
    _assert_usage(read.usage)
    if not isinstance(read, Failure):
        _assert_sources(read.sources)


def _assert_outcome(outcome: Outcome, response: WireResponse) -> None:
    if isinstance(outcome, Failure):
        assert outcome.http_status == response.status
        assert outcome.detail
        assert outcome.retry_after_s is None or 0 < outcome.retry_after_s < float("inf")
        shown = [outcome.detail]
    else:
        assert response.is_success
        assert outcome.text.strip()
        shown = [outcome.model, outcome.finish_reason, outcome.request_id]
    for text in filter(None, shown):
        assert len(text) <= 200
        assert not any(unicodedata.category(character) == "Cc" for character in text)


def _assert_usage(usage: Usage) -> None:
    figures = [
        usage.prompt_tokens,
        usage.completion_tokens,
        usage.reasoning_tokens,
        usage.cached_tokens,
        usage.search_count,
    ]
    assert all(0 <= figure < 2**63 for figure in figures if figure is not None)


def _assert_sources(sources: tuple[Source, ...]) -> None:
    positions = [source.position for source in sources]
    assert positions == sorted(set(positions))
    assert all(position > 0 for position in positions)
    assert all(source.url for source in sources)
