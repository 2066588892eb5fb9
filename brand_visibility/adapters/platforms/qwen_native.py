"""Qwen through DashScope's own API, which names the pages that an answer was written from.

Its own: the catalog's parameters stand in an object of their own (`enable_search` and
`search_options` with `enable_source` among them), an error is the body as a whole, and the
usage counts searches.

Searching is certain when pages are named or the usage counts a search. Without either it is
unknown: pages are only named when the request asked for them.

Sources: help.aliyun.com, model-studio: error codes, web search.
"""

from datetime import datetime

import orjson

from brand_visibility.adapters.platforms import bodies, qwen
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
    pages_found,
)
from brand_visibility.adapters.platforms.verdicts import ErrorReport
from brand_visibility.adapters.platforms.wire import WireRequest, WireResponse
from brand_visibility.domain.outcomes import Outcome, Reason, SearchEvidence, Usage

ENDPOINT = "/services/aigc/text-generation/generation"

# The same service answers at both doors, and means the same by its codes.
VERDICTS = qwen.VERDICTS


def build(asking: Asking) -> WireRequest:
    """Return the request that asks a query. Without a key it carries no authorisation."""
    asked = {
        "model": asking.platform.model,
        "input": {"messages": [{"role": "user", "content": asking.query.prompt}]},
        "parameters": {**asking.platform.parameters, "result_format": "message"},
    }
    url = asking.base_url.rstrip("/") + ENDPOINT
    return WireRequest("POST", url, json_headers(asking.key), orjson.dumps(asked))


def parse(response: WireResponse, now: datetime) -> Outcome:
    """Return what a response means. Never raises, whatever the bytes are."""
    content = bodies.mapping(bodies.load(response.body))
    report = error_in(content, is_failed=not response.is_success)
    if report is not None or not response.is_success:
        return failed(response, report or ErrorReport(), now, VERDICTS)
    output = bodies.mapping(content.get("output"))
    choice = bodies.first(output.get("choices"))
    if choice is None:
        return failure(response, Reason.MALFORMED, "the body has no output.choices")
    return conclude(response, _reading(response, content, output, choice))


def _reading(response: WireResponse, content: Json, output: Json, choice: Json) -> Reading:
    usage = _usage(bodies.mapping(content.get("usage")))
    return Reading(
        text=bodies.text(bodies.mapping(choice.get("message")).get("content")),
        finish_reason=bodies.name(choice.get("finish_reason")),
        request_id=bodies.request_id(response, content.get("request_id")),
        usage=usage,
        findings=_findings(output, usage.search_count),
    )


def _usage(usage: Json) -> Usage:
    search = bodies.mapping(bodies.mapping(usage.get("plugins")).get("search"))
    prompt = bodies.mapping(usage.get("prompt_tokens_details"))
    completion = bodies.mapping(usage.get("output_tokens_details"))
    return Usage(
        prompt_tokens=bodies.count(usage.get("input_tokens")),
        completion_tokens=bodies.count(usage.get("output_tokens")),
        reasoning_tokens=bodies.count(completion.get("reasoning_tokens")),
        cached_tokens=bodies.count(prompt.get("cached_tokens")),
        search_count=bodies.count(search.get("count")),
    )


def _findings(output: Json, search_count: int | None) -> Findings:
    search = bodies.mapping(output.get("search_info"))
    found = pages_found(search.get("search_results"), index="index")
    if found.search is SearchEvidence.SEARCHED or search_count is None:
        return found
    return Findings(SearchEvidence.SEARCHED if search_count else SearchEvidence.NOT_SEARCHED)


ADAPTER = Adapter(build, parse, base_url="https://dashscope.aliyuncs.com/api/v1", hosts=qwen.HOSTS)
