"""Chat completions, which most platforms speak, each with words of its own.

What is a platform's own stands in its file as a `Manner`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from brand_visibility.simulator.shapes.errors import OPENAI_ERRORS, Errors, Named, error_body
from brand_visibility.simulator.shapes.shape import (
    REFUSAL,
    Asked,
    Ending,
    Given,
    Problem,
    Question,
    Reply,
    Trouble,
    json_reply,
)

Json = dict[str, Any]


class _Part(BaseModel):
    model_config = ConfigDict(extra="ignore")
    type: str
    text: str = ""


class ChatMessage(BaseModel):
    """One message of a conversation."""

    model_config = ConfigDict(extra="ignore")
    role: str
    content: str | list[_Part] | None = None
    tool_calls: list[Json] | None = None
    tool_call_id: str | None = None

    def text(self) -> str:
        """Return the message's text."""
        if isinstance(self.content, str):
            return self.content
        return "".join(part.text for part in self.content or () if part.type == "text")


class ChatRequest(BaseModel):
    """A request for a chat completion. Streamed answers are not offered."""

    model_config = ConfigDict(extra="allow")
    messages: list[ChatMessage]
    tools: list[Json] = []
    stream: Literal[False] | None = None

    def prompt(self) -> str | None:
        """Return the last user message."""
        asked = [message.text() for message in self.messages if message.role == "user"]
        return asked[-1] if asked else None

    def field(self, name: str) -> object:
        """Return a field that is only some platforms', None when it was not sent."""
        return (self.model_extra or {}).get(name)


def _searches_by_itself(_request: ChatRequest, prompt: str) -> Question | None:
    return Question(prompt)


def _no_addition(_given: Given) -> Json:
    return {}


def _waits_in_header(problem: Problem) -> Mapping[str, str]:
    return {"Retry-After": str(problem.whole_wait_s)}


def no_wait(_problem: Problem) -> Mapping[str, str]:
    """Return no header: the platform names no time."""
    return {}


@dataclass(frozen=True, slots=True)
class Manner:
    """What is a platform's own among chat completions.

    `question` says what a request means, None when the platform does not take it. `body`,
    `message` and `usage` add to a completion. `refusal_field` is whether a refusal has a
    field: without one it is a sentence like any other. `blocked` is the finish reason of a
    filtered answer, or the error where the platform answers with one. `wait_headers` are
    those of a refused rate.
    """

    errors: Errors = field(default_factory=lambda: OPENAI_ERRORS)
    question: Callable[[ChatRequest, str], Question | None] = _searches_by_itself
    body: Callable[[Given], Json] = _no_addition
    message: Callable[[Given], Json] = _no_addition
    usage: Callable[[Given], Json] = _no_addition
    refusal_field: bool = False
    blocked: str | Named = "content_filter"
    wait_headers: Callable[[Problem], Mapping[str, str]] = _waits_in_header
    tool_call: Callable[[Given], Json] = _no_addition
    starts_early: bool = False


class ChatShape:
    """Chat completions in the manner of one platform."""

    id_header: str | None = "x-request-id"

    def __init__(self, manner: Manner) -> None:
        self._manner = manner
        self.starts_early = manner.starts_early

    def read(self, asked: Asked, request_id: str) -> Question | Reply:
        """Return what is asked, or the error for a request that can't be understood."""
        try:
            request = ChatRequest.model_validate_json(asked.body)
        except ValidationError:
            return self.error(Problem(Trouble.BAD_REQUEST, request_id, asked.at))
        prompt = request.prompt()
        question = None if prompt is None else self._manner.question(request, prompt)
        return question or self.error(Problem(Trouble.BAD_REQUEST, request_id, asked.at))

    def answer(self, given: Given) -> Reply:
        """Return the completion, or the error of a filter."""
        blocked = self._manner.blocked
        if given.ending is Ending.BLOCKED and isinstance(blocked, Named):
            return _reply_of(blocked, blocked.message)
        return json_reply(
            {
                "id": f"chatcmpl-{given.call_id}",
                "object": "chat.completion",
                "created": given.created,
                "model": given.model,
                "choices": [self._choice(given)],
                "usage": _usage(given) | self._manner.usage(given),
                **self._manner.body(given),
            }
        )

    def error(self, problem: Problem) -> Reply:
        """Return the error object of a problem."""
        named = self._manner.errors[problem.trouble]
        is_of_rate = problem.trouble is Trouble.RATE_LIMITED
        headers = self._manner.wait_headers(problem) if is_of_rate else {}
        return _reply_of(named, named.worded(problem), headers)

    def _choice(self, given: Given) -> Json:
        if given.question.needs_tool:
            message = {"role": "assistant", "content": "", **self._manner.tool_call(given)}
            return {"index": 0, "message": message, "finish_reason": "tool_calls"}
        return {"index": 0, "message": self._message(given), "finish_reason": self._finish(given)}

    def _message(self, given: Given) -> Json:
        is_refused = given.ending is Ending.REFUSED
        message: Json = {"role": "assistant", "content": given.text}
        if self._manner.refusal_field:
            message["refusal"] = REFUSAL if is_refused else None
        if is_refused:
            message["content"] = None if self._manner.refusal_field else REFUSAL
        elif given.ending is Ending.BLOCKED:
            message["content"] = ""
        return message | self._manner.message(given)

    def _finish(self, given: Given) -> str:
        if given.ending is Ending.BLOCKED and isinstance(self._manner.blocked, str):
            return self._manner.blocked
        return "length" if given.ending is Ending.CUT else "stop"


def _reply_of(named: Named, message: str, headers: Mapping[str, str] | None = None) -> Reply:
    return json_reply(error_body(named, message), status=named.status, headers=headers)


def _usage(given: Given) -> Json:
    asked, written = given.asked_tokens, given.written_tokens
    return {
        "prompt_tokens": asked,
        "completion_tokens": written,
        "total_tokens": asked + written,
    }
