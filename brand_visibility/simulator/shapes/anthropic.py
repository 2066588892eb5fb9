"""Anthropic's messages: blocks of content, and searches done by the platform itself."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Literal

from pydantic import BaseModel, ConfigDict, PositiveInt, ValidationError

from brand_visibility.simulator.pages import Page
from brand_visibility.simulator.shapes.chat import Json
from brand_visibility.simulator.shapes.shape import (
    Asked,
    Ending,
    Given,
    Problem,
    Question,
    Reply,
    Trouble,
    json_reply,
)

# An answer cites some of what was found.
_CITED = 2


class _Block(BaseModel):
    model_config = ConfigDict(extra="ignore")
    type: str
    text: str = ""


class _Message(BaseModel):
    model_config = ConfigDict(extra="ignore")
    role: Literal["user", "assistant"]
    content: str | list[_Block]

    def text(self) -> str:
        if isinstance(self.content, str):
            return self.content
        return "".join(block.text for block in self.content if block.type == "text")


class _Request(BaseModel):
    model_config = ConfigDict(extra="ignore")
    model: str
    max_tokens: PositiveInt
    messages: list[_Message]
    tools: list[Json] = []
    stream: Literal[False] | None = None

    def prompt(self) -> str | None:
        asked = [message.text() for message in self.messages if message.role == "user"]
        return asked[-1] if asked else None


@dataclass(frozen=True, slots=True)
class _Error:
    status: int
    kind: str
    message: str
    details: Json | None = None


_ERRORS: Mapping[Trouble, _Error] = {
    Trouble.RATE_LIMITED: _Error(429, "rate_limit_error", "Number of requests has exceeded."),
    Trouble.UNKNOWN_RATE_LIMIT: _Error(429, "tempo_error_e71", "Declined by the pacing layer."),
    # Named like a refused rate: only the code in the details tells that no wait helps.
    Trouble.NO_QUOTA: _Error(
        429,
        "rate_limit_error",
        "Your organization has reached its spend limit.",
        {"error_code": "enforced_spend_limit_reached"},
    ),
    Trouble.SERVER_FAULT: _Error(529, "overloaded_error", "Overloaded"),
    Trouble.BAD_REQUEST: _Error(
        400,
        "invalid_request_error",
        "Expected the header `anthropic-version` and a body with `model`, `max_tokens` and"
        " `messages` with a user's text, and no `stream`.",
    ),
    Trouble.UNKNOWN_QUESTION: _Error(
        400, "invalid_request_error", "No recorded answer has this question."
    ),
}
_BLOCKED = _Error(400, "invalid_request_error", "Output blocked by content filtering policy")
_STOP_REASONS = {Ending.CUT: "max_tokens", Ending.REFUSED: "refusal"}


class MessagesShape:
    """Anthropic's messages."""

    id_header: str | None = "request-id"
    starts_early = False

    def read(self, asked: Asked, request_id: str) -> Question | Reply:
        """Return what is asked, or the error for a request that can't be understood."""
        try:
            request = _Request.model_validate_json(asked.body)
        except ValidationError:
            request = None
        prompt = request.prompt() if request else None
        if request is None or prompt is None or "anthropic-version" not in asked.headers:
            return self.error(Problem(Trouble.BAD_REQUEST, request_id, asked.at))
        kinds = (str(tool.get("type")) for tool in request.tools)
        return Question(prompt, may_search=any(kind.startswith("web_search_") for kind in kinds))

    def answer(self, given: Given) -> Reply:
        """Return the message, or the error of a filter."""
        if given.ending is Ending.BLOCKED:
            return _error_reply(_BLOCKED, given.call_id)
        content = [] if given.ending is Ending.REFUSED else _content(given)
        return json_reply(_message(given, content))

    def error(self, problem: Problem) -> Reply:
        """Return the error object of a problem, or a search that failed inside a message."""
        if problem.trouble is Trouble.UNDER_SUCCESS:
            return json_reply(_failed_search(problem))
        error = _ERRORS[problem.trouble]
        worded = replace(error, message=problem.worded(error.message))
        is_of_rate = problem.trouble is Trouble.RATE_LIMITED
        headers = _wait_headers(problem) if is_of_rate else {}
        return _error_reply(worded, problem.request_id, headers)


def _error_reply(error: _Error, request_id: str, headers: Mapping[str, str] | None = None) -> Reply:
    described: Json = {"type": error.kind, "message": error.message}
    if error.details is not None:
        described["details"] = error.details
    body = {"type": "error", "error": described, "request_id": request_id}
    return json_reply(body, status=error.status, headers=headers)


def _wait_headers(problem: Problem) -> Mapping[str, str]:
    reset = datetime.fromtimestamp(problem.at, UTC) + timedelta(seconds=problem.whole_wait_s)
    return {
        "retry-after": str(problem.whole_wait_s),
        "anthropic-ratelimit-requests-limit": "50",
        "anthropic-ratelimit-requests-remaining": "0",
        "anthropic-ratelimit-requests-reset": reset.strftime("%Y-%m-%dT%H:%M:%SZ"),
    }


def _message(given: Given, content: list[Json]) -> Json:
    return {
        "id": f"msg_{given.call_id}",
        "type": "message",
        "role": "assistant",
        "model": given.model,
        "content": content,
        "stop_reason": _STOP_REASONS.get(given.ending, "end_turn"),
        "stop_sequence": None,
        "usage": {
            "input_tokens": given.asked_tokens,
            "cache_creation_input_tokens": 0,
            "cache_read_input_tokens": 0,
            "output_tokens": given.written_tokens,
            "server_tool_use": {"web_search_requests": 1 if given.pages else 0},
        },
    }


def _content(given: Given) -> list[Json]:
    """Return the blocks of an answer: the text comes in two when it cites what it found."""
    if not given.pages:
        return [{"type": "text", "text": given.text}] if given.text else []
    half = len(given.text) // 2
    cited = [_citation(page) for page in given.pages[:_CITED]]
    return [
        *_search(given.call_id, given.question.prompt, [_result(page) for page in given.pages]),
        {"type": "text", "text": given.text[:half]},
        {"type": "text", "text": given.text[half:], "citations": cited},
    ]


def _search(call_id: str, query: str, found: list[Json] | Json) -> list[Json]:
    tool_id = f"srvtoolu_{call_id}"
    asked = {
        "type": "server_tool_use",
        "id": tool_id,
        "name": "web_search",
        "input": {"query": query},
    }
    return [asked, {"type": "web_search_tool_result", "tool_use_id": tool_id, "content": found}]


def _result(page: Page) -> Json:
    return {
        "type": "web_search_result",
        "url": page.url,
        "title": page.title,
        "encrypted_content": "c2ltdWxhdGVk",
        "page_age": "November 1, 2026",
    }


def _citation(page: Page) -> Json:
    return {
        "type": "web_search_result_location",
        "url": page.url,
        "title": page.title,
        "encrypted_index": "c2ltdWxhdGVk",
        "cited_text": page.snippet,
    }


def _failed_search(problem: Problem) -> Json:
    """Return a message whose search failed and that says nothing else."""
    failure: Json = {"type": "web_search_tool_result_error", "error_code": "too_many_requests"}
    return {
        "id": f"msg_{problem.request_id}",
        "type": "message",
        "role": "assistant",
        "model": "simulated",
        "content": _search(problem.request_id, "", failure),
        "stop_reason": "end_turn",
        "stop_sequence": None,
        "usage": {
            "input_tokens": 0,
            "output_tokens": 0,
            "server_tool_use": {"web_search_requests": 0},
        },
    }


SHAPE = MessagesShape()
