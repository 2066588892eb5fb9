"""Google's Gemini, by `generateContent`, with the search that the platform runs itself.

A search happens only when the catalog's `parameters` hold the tool. The pages it is grounded
in are the sources; their addresses are the platform's own redirect links and stay as they
are, their titles hold the domains. Thinking is billed as output: the completion's tokens are
the candidate's and the thoughts' together, and what a tool read counts for the prompt. An
error says what it means in its details: which quota, and when to ask again. Without those a
429 is not recognised.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any
from urllib.parse import quote

import orjson

from brand_visibility.adapters.platforms import bodies
from brand_visibility.adapters.platforms.adapter import Adapter, Asking
from brand_visibility.adapters.platforms.chat import Findings, Reading, conclude, failed, failure
from brand_visibility.adapters.platforms.verdicts import ErrorReport, Row, Table
from brand_visibility.adapters.platforms.waits import duration_s
from brand_visibility.adapters.platforms.wire import WireRequest, WireResponse
from brand_visibility.domain.outcomes import (
    Failure,
    Outcome,
    Reason,
    SearchEvidence,
    Source,
    Usage,
)

Json = Mapping[str, Any]

BASE_URL = "https://generativelanguage.googleapis.com/v1beta"

# The code of an error is what its details name: quotas and a reason.
VERDICTS: Table = (
    Row(Reason.QUOTA_EXHAUSTED, codes=r".*PerDay.*"),
    # A quota of nothing: this account may not use the model, however long it waits.
    Row(Reason.QUOTA_EXHAUSTED, wording=r"\blimit: 0(?!\.?\d)", statuses={429}),
    Row(Reason.RATE_LIMITED, codes=r".*Per(Second|Minute).*"),
    Row(Reason.UNAUTHORIZED, codes=r".*API_KEY_INVALID.*"),
    # Billing is off, or the free use does not reach this region.
    Row(Reason.QUOTA_EXHAUSTED, codes=r"FAILED_PRECONDITION"),
)
# A quota that is back only after this time is a day's, whatever it is called.
STOPS_FROM_S = 3600.0

FINISH_REASONS: Mapping[str, Reason] = {
    "safety": Reason.BLOCKED,
    "recitation": Reason.BLOCKED,
    "prohibited_content": Reason.BLOCKED,
    "blocklist": Reason.BLOCKED,
    "spii": Reason.BLOCKED,
    "max_tokens": Reason.TRUNCATED,
    # The model lost its way, or stopped for no reason it names: the text is not whole.
    "malformed_function_call": Reason.MALFORMED,
    "unexpected_tool_call": Reason.MALFORMED,
    "other": Reason.MALFORMED,
}


def build(asking: Asking) -> WireRequest:
    """Return the request that asks a query. The key goes into a header, never into the URL."""
    asked: dict[str, Any] = {
        **asking.platform.parameters,
        "contents": [{"role": "user", "parts": [{"text": asking.query.prompt}]}],
    }
    # The URL names the model; the body must not name another one.
    asked.pop("model", None)
    model = quote(asking.platform.model, safe="")
    url = f"{asking.base_url.rstrip('/')}/models/{model}:generateContent"
    headers = {"Content-Type": "application/json", "Accept": "application/json"}
    if asking.key:
        headers["x-goog-api-key"] = asking.key
    return WireRequest("POST", url, headers, orjson.dumps(asked))


def parse(response: WireResponse, now: datetime) -> Outcome:
    """Return what a response means. Never raises, whatever the bytes are."""
    content = bodies.mapping(bodies.load(response.body))
    error = content.get("error")
    if error or not response.is_success:
        return _failed(response, error or content, now)
    candidate = bodies.first(content.get("candidates"))
    if candidate is None:
        return _without_candidate(response, content)
    reading = Reading(
        text=_text(candidate),
        finish_reason=bodies.name(candidate.get("finishReason")),
        model=bodies.name(content.get("modelVersion")),
        request_id=bodies.request_id(response, content.get("responseId")),
        usage=_usage(content, candidate),
        findings=_findings(content, candidate),
    )
    return conclude(response, reading, FINISH_REASONS)


def _failed(response: WireResponse, error: object, now: datetime) -> Failure:
    outcome = failed(response, _report(response, error), now, VERDICTS)
    details = bodies.mappings(bodies.mapping(error).get("details"))
    delays = [duration_s(detail.get("retryDelay")) for detail in details]
    wait_s = max((delay for delay in delays if delay), default=outcome.retry_after_s)
    if outcome.reason is not Reason.RATE_LIMITED:
        return replace(outcome, retry_after_s=wait_s)
    is_over = wait_s is not None and wait_s >= STOPS_FROM_S
    return replace(
        outcome,
        reason=Reason.QUOTA_EXHAUSTED if is_over else Reason.RATE_LIMITED,
        retry_after_s=wait_s,
        # A refusal that names its end is understood, whichever quota it is.
        is_recognised=outcome.is_recognised or wait_s is not None,
    )


def _report(response: WireResponse, error: object) -> ErrorReport:
    """Return an error with what its details name as the code, and its status as the type."""
    said = bodies.report(error)
    content = bodies.mapping(error)
    # Its number repeats the HTTP status, except under a success.
    code = " ".join(_names(content)) or (said.code if response.is_success else "")
    return replace(said, code=code, kind=bodies.code(content.get("status")))


def _names(error: Json) -> Iterator[str]:
    for detail in bodies.mappings(error.get("details")):
        violations = bodies.mappings(detail.get("violations"))
        names = [detail.get("reason"), *(violation.get("quotaId") for violation in violations)]
        yield from filter(None, map(bodies.code, names))


def _without_candidate(response: WireResponse, content: Json) -> Failure:
    usage = _usage(content, {})
    blocked = bodies.name(bodies.mapping(content.get("promptFeedback")).get("blockReason"))
    if blocked is not None:
        return failure(response, Reason.BLOCKED, f"blockReason {blocked}", usage)
    return failure(response, Reason.MALFORMED, "the body has no candidates", usage)


def _text(candidate: Json) -> str:
    """Return the text without the model's thoughts."""
    parts = bodies.mappings(bodies.mapping(candidate.get("content")).get("parts"))
    return bodies.text([part for part in parts if not part.get("thought")])


def _usage(content: Json, candidate: Json) -> Usage:
    usage = bodies.mapping(content.get("usageMetadata"))
    thoughts = usage.get("thoughtsTokenCount")
    queries = bodies.mapping(candidate.get("groundingMetadata")).get("webSearchQueries")
    return Usage(
        prompt_tokens=bodies.total(
            usage.get("promptTokenCount"), usage.get("toolUsePromptTokenCount")
        ),
        completion_tokens=bodies.total(usage.get("candidatesTokenCount"), thoughts),
        reasoning_tokens=bodies.count(thoughts),
        cached_tokens=bodies.count(usage.get("cachedContentTokenCount")),
        search_count=len(queries) if isinstance(queries, list) else None,
    )


def _findings(content: Json, candidate: Json) -> Findings:
    grounding = bodies.mapping(candidate.get("groundingMetadata"))
    chunks = grounding.get("groundingChunks")
    if chunks or grounding.get("webSearchQueries"):
        return Findings(SearchEvidence.SEARCHED, _sources(chunks, _cited(grounding)))
    usage = bodies.mapping(content.get("usageMetadata"))
    # Some tool read something; which one is not said.
    is_unclear = bool(bodies.count(usage.get("toolUsePromptTokenCount")))
    return Findings(SearchEvidence.UNKNOWN if is_unclear else SearchEvidence.NOT_SEARCHED)


def _sources(chunks: object, cited: set[int]) -> tuple[Source, ...]:
    """Return the pages, numbered as they stand; `cited` are positions from 1."""
    listed = chunks if isinstance(chunks, list) else []
    pages = [bodies.mapping(chunk).get("web") for chunk in listed]
    return tuple(
        replace(source, is_cited=source.position in cited)
        for source in bodies.sources(pages, url="uri")
    )


def _cited(grounding: Json) -> set[int]:
    """Return the positions of the pages that the platform ties to a passage."""
    supports = bodies.mappings(grounding.get("groundingSupports"))
    indices = (support.get("groundingChunkIndices") for support in supports)
    counted = (bodies.count(index) for each in indices if isinstance(each, list) for index in each)
    return {index + 1 for index in counted if index is not None}


ADAPTER = Adapter(
    build, parse, BASE_URL, ("generativelanguage.googleapis.com",), price_provider="google"
)
