"""Chat completions, the protocol that most platforms share: request and response.

Pure: no network, no clock. What is a platform's own stands in its file as a `Dialect`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import orjson

from brand_visibility.adapters.platforms import bodies
from brand_visibility.adapters.platforms.adapter import Adapter, Asking, Continuation
from brand_visibility.adapters.platforms.texts import clean
from brand_visibility.adapters.platforms.verdicts import ErrorReport, Table, judge_error
from brand_visibility.adapters.platforms.waits import named_wait
from brand_visibility.adapters.platforms.wire import WireRequest, WireResponse
from brand_visibility.domain.outcomes import (
    Answer,
    Failure,
    Outcome,
    Reason,
    SearchEvidence,
    Source,
    Usage,
)

Json = Mapping[str, Any]

ENDPOINT = "/chat/completions"

FINISH_REASONS: Mapping[str, Reason] = {
    "content_filter": Reason.BLOCKED,
    "sensitive": Reason.BLOCKED,
    "length": Reason.TRUNCATED,
    "max_tokens": Reason.TRUNCATED,
    "error": Reason.SERVER_FAULT,
    "network_error": Reason.SERVER_FAULT,
    "insufficient_system_resource": Reason.SERVER_FAULT,
}
_ERROR_STATUSES = frozenset(str(status) for status in range(400, 600))


@dataclass(frozen=True, slots=True)
class Findings:
    """What a body says about searching."""

    search: SearchEvidence = SearchEvidence.UNKNOWN
    sources: tuple[Source, ...] = ()


def pages_found(
    pages: object, *, url: str = "url", title: str = "title", index: str | None = None
) -> Findings:
    """Return what a list of pages says: a search if it names any, nothing otherwise.

    `url`, `title` and `index` are names of fields, as in `bodies.sources`.
    """
    if not isinstance(pages, list) or not pages:
        return Findings()
    sources = bodies.sources(pages, url=url, title=title, index=index)
    return Findings(SearchEvidence.SEARCHED, sources)


@dataclass(frozen=True, slots=True)
class Reading:
    """What a choice says, whatever the platform calls its fields."""

    text: str
    finish_reason: str | None
    model: str | None = None
    request_id: str | None = None
    usage: Usage = field(default_factory=Usage)
    findings: Findings = field(default_factory=Findings)
    is_refused: bool = False


def usage_of(content: Json) -> Usage:
    """Return the usage as the protocol has it."""
    usage = bodies.mapping(content.get("usage"))
    completion = bodies.mapping(usage.get("completion_tokens_details"))
    prompt = bodies.mapping(usage.get("prompt_tokens_details"))
    return Usage(
        prompt_tokens=bodies.count(usage.get("prompt_tokens")),
        completion_tokens=bodies.count(usage.get("completion_tokens")),
        reasoning_tokens=bodies.count(completion.get("reasoning_tokens")),
        cached_tokens=bodies.count(prompt.get("cached_tokens")),
    )


@dataclass(frozen=True, slots=True)
class Dialect:
    """What is a platform's own in the shared protocol.

    `parameters` are sent unless the catalog's parameters say otherwise. `usage`, `findings`
    and `continuation` read the body, the latter two its first choice besides; None where
    a platform says nothing of the kind.
    """

    verdicts: Table = ()
    finish_reasons: Mapping[str, Reason] = field(default_factory=lambda: FINISH_REASONS)
    endpoint: str = ENDPOINT
    parameters: Json = field(default_factory=dict)
    findings: Callable[[Json, Json], Findings] | None = None
    continuation: Callable[[Json, Json], Continuation | None] | None = None
    usage: Callable[[Json], Usage] = usage_of


def chat_adapter(
    dialect: Dialect,
    *,
    base_url: str | None = None,
    hosts: tuple[str, ...] = (),
    price_provider: str | None = None,
) -> Adapter:
    """Return the adapter of a platform that speaks the shared protocol."""

    def build(asking: Asking) -> WireRequest:
        return build_request(asking, dialect)

    def parse(response: WireResponse, now: datetime) -> Outcome | Continuation:
        return parse_response(response, now, dialect)

    return Adapter(build, parse, base_url, hosts, price_provider)


def build_request(asking: Asking, dialect: Dialect) -> WireRequest:
    """Return the request that asks a query. Without a key it carries no authorisation."""
    messages: list[Json] = [{"role": "user", "content": asking.query.prompt}]
    if asking.earlier is not None:
        messages.extend(asking.earlier.messages)
    asked = {
        **dialect.parameters,
        **asking.platform.parameters,
        "model": asking.platform.model,
        "messages": messages,
        "stream": False,
    }
    url = asking.base_url.rstrip("/") + dialect.endpoint
    return WireRequest("POST", url, json_headers(asking.key), orjson.dumps(asked))


def json_headers(key: str | None) -> dict[str, str]:
    """Return the headers of a JSON call, with a key as bearer if there is one."""
    headers = {"Content-Type": "application/json", "Accept": "application/json"}
    if key:
        headers["Authorization"] = f"Bearer {key}"
    return headers


def parse_response(
    response: WireResponse, now: datetime, dialect: Dialect
) -> Outcome | Continuation:
    """Return what a response means. Never raises, whatever the bytes are."""
    content = bodies.load(response.body)
    report = error_in(content, is_failed=not response.is_success)
    if report is not None or not response.is_success:
        return failed(response, report or ErrorReport(), now, dialect.verdicts)
    if not isinstance(content, dict):
        return failure(response, Reason.MALFORMED, "the body is no JSON object")
    choice = bodies.first(content.get("choices"))
    if choice is None:
        return failure(response, Reason.MALFORMED, "the body has no choices")
    goes_on = dialect.continuation(content, choice) if dialect.continuation else None
    return goes_on or _read(response, content, choice, dialect)


def _read(response: WireResponse, content: Json, choice: Json, dialect: Dialect) -> Outcome:
    message = bodies.mapping(choice.get("message"))
    reading = Reading(
        text=bodies.text(message.get("content")),
        finish_reason=bodies.name(choice.get("finish_reason")),
        model=bodies.name(content.get("model")),
        request_id=bodies.request_id(response, content.get("id")),
        usage=dialect.usage(content),
        findings=dialect.findings(content, choice) if dialect.findings else Findings(),
        is_refused=bool(bodies.text(message.get("refusal")).strip()),
    )
    return conclude(response, reading, dialect.finish_reasons)


def conclude(
    response: WireResponse, reading: Reading, finish_reasons: Mapping[str, Reason] = FINISH_REASONS
) -> Outcome:
    """Return what a choice means: an answer, or the reason why it is none."""
    if reading.is_refused:
        return failure(response, Reason.REFUSED, "the model refused to answer", reading.usage)
    reason = finish_reasons.get((reading.finish_reason or "").lower())
    if reason is None and not reading.text.strip():
        reason = Reason.EMPTY
    if reason is not None:
        detail = f"finish_reason {reading.finish_reason or 'missing'}"
        return failure(response, reason, detail, reading.usage)
    return Answer(
        text=reading.text,
        model=reading.model,
        finish_reason=reading.finish_reason,
        usage=reading.usage,
        request_id=reading.request_id,
        search=reading.findings.search,
        sources=reading.findings.sources,
        raw_body=response.body,
    )


def failed(response: WireResponse, report: ErrorReport, now: datetime, verdicts: Table) -> Failure:
    """Return what an error means by a platform's table, with the wait that it names."""
    verdict = judge_error(verdicts, _status_of(response, report), report)
    return Failure(
        reason=verdict.reason,
        detail=clean(str(report)) or f"HTTP {response.status}",
        http_status=response.status,
        retry_after_s=named_wait(response.headers, report.message, now) or verdict.pause_s,
        is_recognised=verdict.is_recognised,
        asks_to_slow_down=verdict.slows_down,
    )


def failure(
    response: WireResponse, reason: Reason, detail: str, usage: Usage | None = None
) -> Failure:
    """Return a failure that no error object reported."""
    return Failure(reason, clean(detail), response.status, usage=usage or Usage())


def _status_of(response: WireResponse, report: ErrorReport) -> int:
    """Return the status, or the one that a gateway wrote into the body of a success."""
    if response.is_success and report.code in _ERROR_STATUSES:
        return int(report.code)
    return response.status


def error_in(content: object, *, is_failed: bool) -> ErrorReport | None:
    """Find the error object: on top, in the first choice, or the body as a whole.

    It is the body as a whole that reports when the status says so, or when there is a code
    on top where the answer should be.
    """
    top = bodies.mapping(content)
    choice = bodies.first(top.get("choices")) or {}
    is_report = is_failed or ("choices" not in top and bool(top.get("code")))
    for error in (top.get("error"), choice.get("error"), top if is_report else None):
        if error:
            return bodies.report(error)
    return None
