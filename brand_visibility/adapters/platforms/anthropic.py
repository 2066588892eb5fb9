"""Anthropic's Messages, with the web search that the platform runs itself.

A search happens only when the catalog's `parameters` hold the tool. Every page that a search
found is a source, numbered in order of appearance, whether the text cites it or not; those it
cites are marked. A turn that the platform paused goes on in the next call. A search that
failed is reported inside a 200: when nothing at all was found because searching was refused
or down, the text is no searching assistant's answer and the query is asked again.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from itertools import groupby, islice
from typing import Any

import orjson

from brand_visibility.adapters.platforms import bodies
from brand_visibility.adapters.platforms.adapter import Adapter, Asking, Continuation
from brand_visibility.adapters.platforms.chat import Findings, Reading, conclude, failed, failure
from brand_visibility.adapters.platforms.verdicts import ErrorReport, Row, Table
from brand_visibility.adapters.platforms.wire import WireRequest, WireResponse
from brand_visibility.domain.outcomes import Failure, Outcome, Reason, SearchEvidence, Source, Usage

Json = Mapping[str, Any]
Blocks = list[Json]

BASE_URL = "https://api.anthropic.com/v1"
VERSION = "2023-06-01"
# Sent unless the catalog says otherwise: the platform refuses a request without a bound.
PARAMETERS: Json = {"max_tokens": 4096}

VERDICTS: Table = (
    # Its type is the rate limit's; only the code tells that waiting does not help.
    Row(Reason.QUOTA_EXHAUSTED, codes=r"enforced_spend_limit_reached"),
    Row(Reason.QUOTA_EXHAUSTED, codes=r"billing_error"),
    Row(
        Reason.QUOTA_EXHAUSTED,
        wording=r"spend(ing)? limit|api usage limit|credit balance",
        statuses={400},
    ),
    Row(Reason.BLOCKED, wording=r"blocked by content filtering", statuses={400}),
    Row(Reason.RATE_LIMITED, codes=r"rate_limit_error"),
    Row(Reason.SERVER_FAULT, codes=r"overloaded_error"),
    Row(Reason.TIMED_OUT, codes=r"timeout_error"),
    Row(Reason.UNAUTHORIZED, codes=r"authentication_error|permission_error"),
    Row(Reason.REJECTED, codes=r"invalid_request_error|not_found_error|request_too_large"),
)

STOP_REASONS: Mapping[str, Reason] = {
    "refusal": Reason.REFUSED,
    "max_tokens": Reason.TRUNCATED,
    "model_context_window_exceeded": Reason.TRUNCATED,
    # It wants a tool that the catalog promised and nobody here runs: the text is no answer.
    "tool_use": Reason.MALFORMED,
}
_PAUSED = "pause_turn"

# Why a search brought nothing, where asking again may bring something.
SEARCH_FAULTS: Mapping[str, Reason] = {
    "too_many_requests": Reason.RATE_LIMITED,
    "unavailable": Reason.SERVER_FAULT,
}
# It was searched until no search was left.
_USED_UP = "max_uses_exceeded"
_RESULT = "web_search_tool_result"
_MAX_SOURCES = 200


def build(asking: Asking) -> WireRequest:
    """Return the request that asks a query or goes on with a paused turn."""
    messages: list[Json] = [{"role": "user", "content": asking.query.prompt}]
    if asking.earlier is not None:
        messages.extend(asking.earlier.messages)
    asked = {
        **PARAMETERS,
        **asking.platform.parameters,
        "model": asking.platform.model,
        "messages": messages,
        "stream": False,
    }
    url = f"{asking.base_url.rstrip('/')}/messages"
    return WireRequest("POST", url, _headers(asking.key), orjson.dumps(asked))


def parse(response: WireResponse, now: datetime) -> Outcome | Continuation:
    """Return what a response means. Never raises, whatever the bytes are."""
    content = bodies.mapping(bodies.load(response.body))
    error = content.get("error")
    if error or not response.is_success:
        return failed(response, _report(error or content), now, VERDICTS)
    if not isinstance(content.get("content"), list):
        return failure(response, Reason.MALFORMED, "the body has no content blocks")
    return _read(response, content, list(bodies.mappings(content["content"])))


def _headers(key: str | None) -> dict[str, str]:
    headers = {
        "Content-Type": "application/json",
        "Accept": "application/json",
        "anthropic-version": VERSION,
    }
    return headers | {"x-api-key": key} if key else headers


def _report(error: object) -> ErrorReport:
    said = bodies.report(error)
    details = bodies.mapping(bodies.mapping(error).get("details"))
    return replace(said, code=bodies.code(details.get("error_code")) or said.code)


def _read(response: WireResponse, content: Json, blocks: Blocks) -> Outcome | Continuation:
    usage = _usage(content)
    reading = Reading(
        text=_text(blocks),
        finish_reason=bodies.name(content.get("stop_reason")),
        model=bodies.name(content.get("model")),
        request_id=bodies.request_id(response, content.get("id")),
        usage=usage,
        findings=Findings(_evidence(blocks, usage), _sources(blocks)),
    )
    fault = _search_fault(blocks)
    if fault is not None and reading.finish_reason not in STOP_REASONS:
        return failure(response, SEARCH_FAULTS[fault], f"the search failed: {fault}", usage)
    if reading.finish_reason == _PAUSED and blocks:
        return _go_on(response, content, reading)
    return conclude(response, reading, STOP_REASONS)


def _go_on(response: WireResponse, content: Json, paused: Reading) -> Failure | Continuation:
    turn = {"role": "assistant", "content": content["content"]}
    if not bodies.is_sendable(turn):
        return failure(response, Reason.MALFORMED, "a paused turn nested too deep", paused.usage)
    # A turn pauses between a search and the next text, which begins a paragraph.
    text = f"{paused.text}\n\n" if paused.text else ""
    findings = paused.findings
    return Continuation((turn,), text, paused.usage, findings.sources, findings.search)


def _text(blocks: Blocks) -> str:
    """Return the text: blocks that follow each other are one, a search begins a paragraph."""
    groups = groupby(blocks, key=lambda block: block.get("type") == "text")
    spoken = (group for is_text, group in groups if is_text)
    paragraphs = ("".join(bodies.text(block.get("text")) for block in group) for group in spoken)
    return "\n\n".join(paragraph for paragraph in paragraphs if paragraph)


def _usage(content: Json) -> Usage:
    """Return the usage; unlike elsewhere, `input_tokens` are those that no cache served."""
    usage = bodies.mapping(content.get("usage"))
    completion = bodies.mapping(usage.get("output_tokens_details"))
    cached = bodies.count(usage.get("cache_read_input_tokens"))
    prompt = (usage.get("input_tokens"), cached, usage.get("cache_creation_input_tokens"))
    tools = bodies.mapping(usage.get("server_tool_use"))
    return Usage(
        prompt_tokens=bodies.total(*prompt),
        completion_tokens=bodies.count(usage.get("output_tokens")),
        reasoning_tokens=bodies.count(completion.get("thinking_tokens")),
        cached_tokens=cached,
        search_count=bodies.count(tools.get("web_search_requests")),
    )


def _results(blocks: Blocks) -> Iterator[object]:
    """Yield what each search brought: a list of pages, or an object with an error code."""
    return (block.get("content") for block in blocks if block.get("type") == _RESULT)


def _search_errors(blocks: Blocks) -> list[str]:
    results = (bodies.mapping(result) for result in _results(blocks))
    return [bodies.code(result.get("error_code")) for result in results if result]


def _has_searched(blocks: Blocks) -> bool:
    return any(isinstance(result, list) for result in _results(blocks))


def _search_fault(blocks: Blocks) -> str | None:
    """Return the error for which nothing at all was found, None when it is worth no retry."""
    if _has_searched(blocks):
        return None
    return next((code for code in _search_errors(blocks) if code in SEARCH_FAULTS), None)


def _evidence(blocks: Blocks, usage: Usage) -> SearchEvidence:
    if _has_searched(blocks) or usage.search_count or _USED_UP in _search_errors(blocks):
        return SearchEvidence.SEARCHED
    is_tried = any(_is_search(block) for block in blocks)
    return SearchEvidence.UNKNOWN if is_tried else SearchEvidence.NOT_SEARCHED


def _is_search(block: Json) -> bool:
    kind = block.get("type")
    return kind == _RESULT or (kind == "server_tool_use" and block.get("name") == "web_search")


def _pages(blocks: Iterable[Json]) -> Iterator[tuple[Json, bool]]:
    """Yield every page in order of appearance, and whether the text cites it there."""
    for block in blocks:
        is_text = block.get("type") == "text"
        if is_text or block.get("type") == _RESULT:
            pages = bodies.mappings(block.get("citations" if is_text else "content"))
            yield from ((page, is_text) for page in pages)


def _sources(blocks: Blocks) -> tuple[Source, ...]:
    found: dict[str, Source] = {}
    for page, is_cited in _pages(blocks):
        source = bodies.source(len(found) + 1, page)
        if source is not None:
            first = found.setdefault(source.url, source)
            found[source.url] = replace(first, is_cited=first.is_cited or is_cited)
    return tuple(islice(found.values(), _MAX_SOURCES))


ADAPTER = Adapter(build, parse, BASE_URL, ("api.anthropic.com",), price_provider="anthropic")
