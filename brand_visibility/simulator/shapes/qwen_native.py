"""Qwen's own endpoint, the one of the two that names what it found."""

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from brand_visibility.simulator.shapes.chat import ChatMessage, Json
from brand_visibility.simulator.shapes.errors import OPENAI_ERRORS, Errors, Named
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

_ERRORS: Errors = {
    Trouble.RATE_LIMITED: Named(429, "Throttling.RateQuota", "", "Requests rate limit exceeded."),
    Trouble.UNKNOWN_RATE_LIMIT: Named(429, "TempoCeilingE71", "", "Declined by the pacing layer."),
    Trouble.NO_QUOTA: Named(
        400, "Arrearage", "", "Access denied, make sure your account is in good standing."
    ),
    Trouble.SERVER_FAULT: Named(500, "InternalError", "", "An internal error."),
    Trouble.UNDER_SUCCESS: Named(200, "InternalError", "", "An internal error."),
    Trouble.BAD_REQUEST: Named(
        400, "InvalidParameter", "", "Expected `input.messages` with a user's text."
    ),
    Trouble.UNKNOWN_QUESTION: OPENAI_ERRORS[Trouble.UNKNOWN_QUESTION],
}
_BLOCKED = Named(
    400,
    "DataInspectionFailed",
    "",
    "Input or output data may contain inappropriate content.",
)


class _Input(BaseModel):
    model_config = ConfigDict(extra="ignore")
    messages: list[ChatMessage]


class _SearchOptions(BaseModel):
    model_config = ConfigDict(extra="ignore")
    enable_source: bool = False


class _Parameters(BaseModel):
    model_config = ConfigDict(extra="ignore")
    enable_search: bool = False
    search_options: _SearchOptions = Field(default_factory=_SearchOptions)


class _Request(BaseModel):
    model_config = ConfigDict(extra="ignore")
    model: str
    input: _Input
    parameters: _Parameters = Field(default_factory=_Parameters)

    def prompt(self) -> str | None:
        asked = [message.text() for message in self.input.messages if message.role == "user"]
        return asked[-1] if asked else None


class GenerationShape:
    """Qwen's text generation, its answers in choices."""

    # What identifies a call stands in the body.
    id_header: str | None = None
    starts_early = False

    def read(self, asked: Asked, request_id: str) -> Question | Reply:
        """Return what is asked, or the error for a request that can't be understood."""
        try:
            request = _Request.model_validate_json(asked.body)
        except ValidationError:
            request = None
        prompt = request.prompt() if request else None
        if request is None or prompt is None:
            return self.error(Problem(Trouble.BAD_REQUEST, request_id, asked.at))
        parameters = request.parameters
        return Question(
            prompt,
            may_search=parameters.enable_search,
            shows_pages=parameters.search_options.enable_source,
        )

    def answer(self, given: Given) -> Reply:
        """Return the output, or the error of a filter."""
        if given.ending is Ending.BLOCKED:
            return _reply(_BLOCKED, _BLOCKED.message, given.call_id)
        asked, written = given.asked_tokens, given.written_tokens
        usage: Json = {
            "input_tokens": asked,
            "output_tokens": written,
            "total_tokens": asked + written,
        }
        if given.pages:
            usage["plugins"] = {"search": {"count": 1, "strategy": "turbo"}}
        body = {"request_id": given.call_id, "output": _output(given), "usage": usage}
        return json_reply(body)

    def error(self, problem: Problem) -> Reply:
        """Return the error of a problem: its fields are the body."""
        named = _ERRORS[problem.trouble]
        return _reply(named, named.worded(problem), problem.request_id)


def _reply(named: Named, message: str, request_id: str) -> Reply:
    body = {"code": named.code, "message": message, "request_id": request_id}
    return json_reply(body, status=named.status)


def _output(given: Given) -> Json:
    text = REFUSAL if given.ending is Ending.REFUSED else given.text
    finish_reason = "length" if given.ending is Ending.CUT else "stop"
    message = {"role": "assistant", "content": text}
    output: Json = {"choices": [{"finish_reason": finish_reason, "message": message}]}
    if given.shown_pages:
        output["search_info"] = {"search_results": _results(given)}
    return output


def _results(given: Given) -> list[Json]:
    return [
        {"index": place, "title": page.title, "url": page.url, "site_name": page.host, "icon": ""}
        for place, page in enumerate(given.shown_pages, start=1)
    ]


SHAPE = GenerationShape()
