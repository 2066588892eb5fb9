"""The adapter of OpenAI-compatible chat completions: query to request, response to outcome.

Pure: no network, no clock. Which error means what is a table in `verdicts`; how long to
wait is read in `waits`.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import orjson

from brand_visibility.adapters.platforms.texts import clean
from brand_visibility.adapters.platforms.verdicts import ErrorReport, judge_error
from brand_visibility.adapters.platforms.waits import named_wait
from brand_visibility.adapters.platforms.wire import WireRequest, WireResponse
from brand_visibility.domain.catalog import Platform
from brand_visibility.domain.outcomes import Answer, Failure, Outcome, Reason, Usage
from brand_visibility.domain.planning import Query

ENDPOINT = "/chat/completions"

_REQUEST_ID_HEADERS = ("x-request-id", "request-id")
_FINISH_REASONS = {
    "content_filter": Reason.REFUSED,
    "sensitive": Reason.REFUSED,
    "length": Reason.TRUNCATED,
    "max_tokens": Reason.TRUNCATED,
    "error": Reason.SERVER_FAULT,
    "network_error": Reason.SERVER_FAULT,
    "insufficient_system_resource": Reason.SERVER_FAULT,
}
_ERROR_STATUSES = frozenset(str(status) for status in range(400, 600))
# What a tenth of a kilobyte cannot hold is no name of a model or a call.
_MAX_NAME_LENGTH = 100
_MAX_TOKENS = 2**63 - 1
_WHITESPACE = b" \t\r\n\xef\xbb\xbf"


def build_request(
    query: Query, platform: Platform, *, base_url: str, key: str | None
) -> WireRequest:
    """Return the request that asks a query. Without a key it carries no authorisation."""
    asked = {
        **platform.parameters,
        "model": platform.model,
        "messages": [{"role": "user", "content": query.prompt}],
        "stream": False,
    }
    headers = {"Content-Type": "application/json", "Accept": "application/json"}
    if key:
        headers["Authorization"] = f"Bearer {key}"
    return WireRequest("POST", base_url.rstrip("/") + ENDPOINT, headers, orjson.dumps(asked))


def parse_response(response: WireResponse, now: datetime) -> Outcome:
    """Return what a response means. Never raises, whatever the bytes are."""
    content = _load(response.body)
    report = _error_in(content, is_failed=not _is_success(response))
    if report is not None or not _is_success(response):
        return _failed(response, report or ErrorReport(), now)
    if not isinstance(content, dict):
        return _failure(response, Reason.MALFORMED, "the body is no JSON object")
    choice = _first(content.get("choices"))
    if choice is None:
        return _failure(response, Reason.MALFORMED, "the body has no choices")
    return _read_choice(response, content, choice)


def _read_choice(
    response: WireResponse, content: dict[str, Any], choice: dict[str, Any]
) -> Outcome:
    message = _mapping(choice.get("message"))
    finish_reason = _name(choice.get("finish_reason"))
    text = _text(message.get("content"))
    if _text(message.get("refusal")).strip():
        return _failure(response, Reason.REFUSED, "the model refused to answer")
    reason = _FINISH_REASONS.get((finish_reason or "").lower())
    if reason is None and not text.strip():
        reason = Reason.EMPTY
    if reason is not None:
        return _failure(response, reason, f"finish_reason {finish_reason or 'missing'}")
    return Answer(
        text=text,
        model=_name(content.get("model")),
        finish_reason=finish_reason,
        usage=_usage(content.get("usage")),
        request_id=_request_id(response, content),
    )


def _failed(response: WireResponse, report: ErrorReport, now: datetime) -> Failure:
    reason = judge_error(_status_of(response, report), report)
    wait_s = named_wait(response.headers, report.message, now)
    return _failure(response, reason, str(report) or f"HTTP {response.status}", wait_s)


def _failure(
    response: WireResponse, reason: Reason, detail: str, retry_after_s: float | None = None
) -> Failure:
    return Failure(reason, clean(detail), response.status, retry_after_s)


def _is_success(response: WireResponse) -> bool:
    return 200 <= response.status < 300


def _status_of(response: WireResponse, report: ErrorReport) -> int:
    """Return the status, or the one that a gateway wrote into the body of a success."""
    if _is_success(response) and report.code in _ERROR_STATUSES:
        return int(report.code)
    return response.status


def _load(body: bytes) -> object:
    try:
        # DeepSeek keeps a connection alive with blank lines in front of the body.
        return orjson.loads(body.strip(_WHITESPACE))
    except orjson.JSONDecodeError:
        return None


def _error_in(content: object, *, is_failed: bool) -> ErrorReport | None:
    """Find the error object: on top, in the first choice, or a failed body as a whole."""
    top = _mapping(content)
    choice = _first(top.get("choices")) or {}
    for error in (top.get("error"), choice.get("error"), top if is_failed else None):
        if error:
            return _report(error)
    return None


def _report(error: object) -> ErrorReport:
    if isinstance(error, str):
        return ErrorReport(message=error)
    said = _mapping(error)
    return ErrorReport(
        code=_code(said.get("code")),
        kind=_code(said.get("type")),
        message=_text(said.get("message")) or _text(said.get("detail")),
    )


def _code(value: object) -> str:
    return clean(str(value), _MAX_NAME_LENGTH) if isinstance(value, str | int) else ""


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _first(value: object) -> dict[str, Any] | None:
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return value[0]
    return None


def _text(value: object) -> str:
    """Return a text, or the texts of a list of parts one after the other."""
    if isinstance(value, list):
        parts = (_mapping(part).get("text") for part in value)
        return "".join(part for part in parts if isinstance(part, str))
    return value if isinstance(value, str) else ""


def _name(value: object) -> str | None:
    return (clean(value, _MAX_NAME_LENGTH) or None) if isinstance(value, str) else None


def _usage(value: object) -> Usage:
    usage = _mapping(value)
    return Usage(_tokens(usage.get("prompt_tokens")), _tokens(usage.get("completion_tokens")))


def _tokens(value: object) -> int | None:
    if not isinstance(value, int) or isinstance(value, bool):
        return None
    return value if 0 <= value <= _MAX_TOKENS else None


def _request_id(response: WireResponse, content: dict[str, Any]) -> str | None:
    named = (response.headers.get(header) for header in _REQUEST_ID_HEADERS)
    return next((_name(value) for value in named if value), _name(content.get("id")))
