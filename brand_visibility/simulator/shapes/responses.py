"""OpenAI's Responses: a list of items, of which searches and messages are two kinds."""

from collections.abc import Callable, Mapping
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from brand_visibility.simulator.shapes.chat import Json
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


class _Text(BaseModel):
    model_config = ConfigDict(extra="ignore")
    type: Literal["input_text", "output_text"]
    text: str


class _Item(BaseModel):
    model_config = ConfigDict(extra="ignore")
    role: str = ""
    content: str | list[_Text] = ""

    def text(self) -> str:
        if isinstance(self.content, str):
            return self.content
        return "".join(part.text for part in self.content)


class _Request(BaseModel):
    model_config = ConfigDict(extra="ignore")
    input: str | list[_Item]
    tools: list[Json] = []
    stream: Literal[False] | None = None

    def prompt(self) -> str | None:
        if isinstance(self.input, str):
            return self.input
        asked = [item.text() for item in self.input if item.role == "user"]
        return asked[-1] if asked else None


def waits_in_milliseconds(problem: Problem) -> Mapping[str, str]:
    """Return the wait in both forms, of which the finer one comes first."""
    milliseconds = max(1, round(problem.wait_s * 1000))
    return {"retry-after-ms": str(milliseconds), "Retry-After": str(problem.whole_wait_s)}


class ResponsesShape:
    """Responses with the errors of one platform.

    `blocked` is the error of a filtered answer, None where the response is incomplete instead.
    """

    id_header: str | None = "x-request-id"
    starts_early = False

    def __init__(
        self,
        *,
        errors: Errors = OPENAI_ERRORS,
        blocked: Named | None = None,
        wait_headers: Callable[[Problem], Mapping[str, str]] = waits_in_milliseconds,
    ) -> None:
        self._errors = errors
        self._blocked = blocked
        self._wait_headers = wait_headers

    def read(self, asked: Asked, request_id: str) -> Question | Reply:
        """Return what is asked, or the error for a request that can't be understood."""
        try:
            request = _Request.model_validate_json(asked.body)
        except ValidationError:
            request = None
        prompt = request.prompt() if request else None
        if request is None or prompt is None:
            return self.error(Problem(Trouble.BAD_REQUEST, request_id, asked.at))
        kinds = (str(tool.get("type")) for tool in request.tools)
        return Question(prompt, may_search=any(kind.startswith("web_search") for kind in kinds))

    def answer(self, given: Given) -> Reply:
        """Return the response object, or the error of a filter."""
        if given.ending is Ending.BLOCKED and self._blocked is not None:
            return self._reply(self._blocked, self._blocked.message)
        return json_reply(_response(given, output=_output(given)))

    def error(self, problem: Problem) -> Reply:
        """Return the error object of a problem, or a response that failed."""
        if problem.trouble is Trouble.UNDER_SUCCESS:
            return json_reply(_failed(problem))
        named = self._errors[problem.trouble]
        is_of_rate = problem.trouble is Trouble.RATE_LIMITED
        headers = self._wait_headers(problem) if is_of_rate else {}
        return self._reply(named, named.worded(problem), headers)

    def _reply(self, named: Named, message: str, headers: Mapping[str, str] | None = None) -> Reply:
        return json_reply(error_body(named, message), status=named.status, headers=headers)


def _response(given: Given, *, output: list[Json]) -> Json:
    reasons = {Ending.CUT: "max_output_tokens", Ending.BLOCKED: "content_filter"}
    reason = reasons.get(given.ending)
    asked, written = given.asked_tokens, given.written_tokens
    return {
        "id": f"resp_{given.call_id}",
        "object": "response",
        "created_at": given.created,
        "status": "incomplete" if reason else "completed",
        "error": None,
        "incomplete_details": {"reason": reason} if reason else None,
        "model": given.model,
        "output": output,
        "usage": {
            "input_tokens": asked,
            "input_tokens_details": {"cached_tokens": 0},
            "output_tokens": written,
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": asked + written,
        },
    }


def _output(given: Given) -> list[Json]:
    items: list[Json] = [{"type": "reasoning", "id": f"rs_{given.call_id}", "summary": []}]
    if given.pages:
        items.append(_search(given))
    if given.ending is not Ending.BLOCKED:
        items.append(_message(given))
    return items


def _search(given: Given) -> Json:
    return {
        "type": "web_search_call",
        "id": f"ws_{given.call_id}",
        "status": "completed",
        "action": {"type": "search", "query": given.question.prompt},
    }


def _message(given: Given) -> Json:
    is_refused = given.ending is Ending.REFUSED
    text: Json = {"type": "output_text", "text": given.text, "annotations": _annotations(given)}
    return {
        "type": "message",
        "id": f"msg_{given.call_id}",
        "status": "incomplete" if given.ending is Ending.CUT else "completed",
        "role": "assistant",
        "content": [{"type": "refusal", "refusal": REFUSAL} if is_refused else text],
    }


def _annotations(given: Given) -> list[Any]:
    length = len(given.text)
    return [
        {
            "type": "url_citation",
            "url": page.url,
            "title": page.title,
            "start_index": max(0, length - place - 1),
            "end_index": length,
        }
        for place, page in enumerate(given.shown_pages)
    ]


def _failed(problem: Problem) -> Json:
    """Return a response that failed after its status had gone out."""
    return {
        "id": f"resp_{problem.request_id}",
        "object": "response",
        "created_at": int(problem.at),
        "status": "failed",
        "error": {"code": "server_error", "message": "The model failed to answer."},
        "incomplete_details": None,
        "output": [],
        "usage": None,
    }


SHAPE = ResponsesShape()
