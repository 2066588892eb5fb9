"""OpenAI's Responses, the protocol whose answer is a list of what the model did.

Every search is an item of that list, so that none in it means that none was made. A page
counts as a source when the text cites it. An answer that stops short says so by its status,
not by a finish reason. What its errors mean is the same as in `openai_chat`.

Sources: developers.openai.com, rate limits and web search.
"""

from collections.abc import Iterator, Mapping
from datetime import datetime

import orjson

from brand_visibility.adapters.platforms import bodies
from brand_visibility.adapters.platforms.adapter import Adapter, Asking
from brand_visibility.adapters.platforms.chat import (
    Findings,
    Json,
    Reading,
    conclude,
    error_in,
    failed,
    failure,
    json_headers,
)
from brand_visibility.adapters.platforms.openai_chat import (
    BASE_URL,
    HOSTS,
    PRICE_PROVIDER,
    VERDICTS,
    cited_sources,
)
from brand_visibility.adapters.platforms.verdicts import ErrorReport, Table
from brand_visibility.adapters.platforms.wire import WireRequest, WireResponse
from brand_visibility.domain.outcomes import Outcome, Reason, SearchEvidence, Usage

ENDPOINT = "/responses"

# Nothing asks for an answer again by its id, so that the platform need not keep it.
_PARAMETERS: Json = {"store": False}

# Why a response is incomplete, else its status. One that is complete has no reason here.
_ENDS: Mapping[str, Reason] = {
    "max_output_tokens": Reason.TRUNCATED,
    "content_filter": Reason.BLOCKED,
    "incomplete": Reason.TRUNCATED,
    "failed": Reason.SERVER_FAULT,
    "cancelled": Reason.SERVER_FAULT,
    "queued": Reason.MALFORMED,
    "in_progress": Reason.MALFORMED,
}


def build(asking: Asking) -> WireRequest:
    """Return the request that asks a query."""
    asked = {
        **_PARAMETERS,
        **asking.platform.parameters,
        "model": asking.platform.model,
        "input": asking.query.prompt,
        "stream": False,
    }
    url = asking.base_url.rstrip("/") + ENDPOINT
    return WireRequest("POST", url, json_headers(asking.key), orjson.dumps(asked))


def parse(response: WireResponse, now: datetime, verdicts: Table = VERDICTS) -> Outcome:
    """Return what a response means. Never raises, whatever the bytes are.

    `verdicts` are another platform's where it speaks this protocol.
    """
    content = bodies.load(response.body)
    report = error_in(content, is_failed=not response.is_success)
    if report is not None or not response.is_success:
        return failed(response, report or ErrorReport(), now, verdicts)
    if not isinstance(content, dict):
        return failure(response, Reason.MALFORMED, "the body is no JSON object")
    if not isinstance(content.get("output"), list):
        return failure(response, Reason.MALFORMED, "the body has no output")
    return conclude(response, _read(response, content), _ENDS)


def _read(response: WireResponse, content: Json) -> Reading:
    parts = [part for message in _items(content, "message") for part in _parts(message)]
    return Reading(
        text=_text(content),
        finish_reason=_end(content),
        model=bodies.name(content.get("model")),
        request_id=bodies.request_id(response, content.get("id")),
        usage=_usage(content),
        findings=_findings(content, parts),
        is_refused=any(bodies.text(part.get("refusal")).strip() for part in parts),
    )


def _items(content: Json, kind: str) -> Iterator[Json]:
    return (item for item in bodies.mappings(content.get("output")) if item.get("type") == kind)


def _parts(message: Json) -> Iterator[Json]:
    return bodies.mappings(message.get("content"))


def _text(content: Json) -> str:
    """Return the text; a message that follows another one starts a paragraph."""
    said = (bodies.text(message.get("content")) for message in _items(content, "message"))
    return "\n\n".join(text for text in said if text)


def _end(content: Json) -> str | None:
    """Return how the response ended: the reason where it is incomplete, else its status."""
    details = bodies.mapping(content.get("incomplete_details"))
    reason = bodies.name(details.get("reason"))
    status = bodies.name(content.get("status"))
    return reason if status == "incomplete" and reason in _ENDS else status


def _findings(content: Json, parts: list[Json]) -> Findings:
    has_searched = any(_items(content, "web_search_call"))
    cited = cited_sources(
        annotation
        for part in parts
        for annotation in bodies.mappings(part.get("annotations"))
        if annotation.get("type") == "url_citation"
    )
    search = SearchEvidence.SEARCHED if has_searched or cited else SearchEvidence.NOT_SEARCHED
    return Findings(search, cited)


def _usage(content: Json) -> Usage:
    usage = bodies.mapping(content.get("usage"))
    spent = bodies.mapping(usage.get("input_tokens_details"))
    made = bodies.mapping(usage.get("output_tokens_details"))
    return Usage(
        prompt_tokens=bodies.count(usage.get("input_tokens")),
        completion_tokens=bodies.count(usage.get("output_tokens")),
        reasoning_tokens=bodies.count(made.get("reasoning_tokens")),
        cached_tokens=bodies.count(spent.get("cached_tokens")),
        search_count=sum(1 for _ in _items(content, "web_search_call")),
    )


ADAPTER = Adapter(build, parse, BASE_URL, HOSTS, PRICE_PROVIDER)
