"""The OpenAI-compatible shapes on the wire: requests read, answers and errors written.

Which of them a call gets is decided elsewhere.
"""

import math
from dataclasses import dataclass, field
from typing import Literal

import orjson
from pydantic import BaseModel, ConfigDict, ValidationError

from brand_visibility.simulator.faults import CallKey

_BYTES_PER_TOKEN = 3


class _Part(BaseModel):
    model_config = ConfigDict(extra="ignore")
    type: str
    text: str = ""


class _Message(BaseModel):
    model_config = ConfigDict(extra="ignore")
    role: str
    content: str | list[_Part] | None = None

    def text(self) -> str:
        if isinstance(self.content, str):
            return self.content
        return "".join(part.text for part in self.content or () if part.type == "text")


class _ChatRequest(BaseModel):
    model_config = ConfigDict(extra="ignore")
    messages: list[_Message]
    stream: Literal[False] | None = None


@dataclass(frozen=True, slots=True)
class Reply:
    """One HTTP response."""

    status: int
    body: bytes
    headers: dict[str, str] = field(default_factory=dict)


def read_prompt(body: bytes) -> str | None:
    """Return the last user message, or None when the body is no chat completion request.

    Streamed answers are not offered: a request for one is not understood either.
    """
    try:
        request = _ChatRequest.model_validate_json(body)
    except ValidationError:
        return None
    asked = [message.text() for message in request.messages if message.role == "user"]
    return asked[-1] if asked else None


def call_id(key: CallKey) -> str:
    """Return the id of a call: the same call has the same id for every client."""
    return f"{int(key.uniform('id') * 2**53):014x}"


def completion(
    key: CallKey,
    text: str | None,
    *,
    created: int,
    finish_reason: str = "stop",
    refusal: str | None = None,
) -> Reply:
    """Return an answer. `created` is in seconds since 1970."""
    body = {
        "id": f"chatcmpl-{call_id(key)}",
        "object": "chat.completion",
        "created": created,
        "model": f"simulated-{key.platform_id}",
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": text, "refusal": refusal},
                "finish_reason": finish_reason,
            }
        ],
        "usage": _usage(key.prompt, text or refusal or ""),
    }
    return Reply(200, orjson.dumps(body))


def _usage(prompt: str, text: str) -> dict[str, int]:
    asked, written = _tokens(prompt), _tokens(text)
    return {
        "prompt_tokens": asked,
        "completion_tokens": written,
        "total_tokens": asked + written,
    }


def _tokens(text: str) -> int:
    return math.ceil(len(text.encode()) / _BYTES_PER_TOKEN)


def error(status: int, message: str, *, kind: str, code: str | int | None) -> Reply:
    """Return an error body; `kind` is its `type`."""
    described = {"message": message, "type": kind, "param": None, "code": code}
    return Reply(status, orjson.dumps({"error": described}))


def rate_limited(message: str, retry_after_s: float) -> Reply:
    """Return a 429 that asks to wait, in whole seconds as the header demands."""
    reply = error(429, message, kind="requests", code="rate_limit_exceeded")
    return Reply(reply.status, reply.body, {"Retry-After": str(max(1, math.ceil(retry_after_s)))})


def quota_exhausted() -> Reply:
    """Return the 429 that no wait cures."""
    message = "You exceeded your current quota, please check your plan and billing details."
    return error(429, message, kind="insufficient_quota", code="insufficient_quota")


def server_fault() -> Reply:
    """Return a 500."""
    message = "The server had an error while processing your request."
    return error(500, message, kind="server_error", code=None)


def error_in_200() -> Reply:
    """Return what some gateways do: an error object under a status of success."""
    message = "The upstream provider did not answer."
    return error(200, message, kind="server_error", code=502)


def bad_request() -> Reply:
    """Return a 400 for a body that is no chat completion request."""
    message = (
        "The body must be a chat completion request: `messages` with a user message, and no "
        "`stream`."
    )
    return error(400, message, kind="invalid_request_error", code="invalid_request")


def unknown_question() -> Reply:
    """Return a 400 for a prompt without a recorded answer."""
    message = "No recorded answer has this question."
    return error(400, message, kind="invalid_request_error", code="unknown_question")


def unknown_platform() -> Reply:
    """Return a 404 for a path whose platform id is malformed."""
    message = "A platform's id has lower-case letters, digits, `_` and `-`, at most 64."
    return error(404, message, kind="invalid_request_error", code="unknown_platform")


def no_truth() -> Reply:
    """Return a 404: of recorded answers nobody knows the true probabilities."""
    message = "Answers are recorded: their true probabilities are unknown."
    return error(404, message, kind="invalid_request_error", code="unknown_truth")
