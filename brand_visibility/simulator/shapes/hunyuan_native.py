"""Hunyuan as a Tencent Cloud API: everything under status 200, the error in the body."""

from collections.abc import Mapping
from typing import Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from brand_visibility.simulator.shapes import tc3
from brand_visibility.simulator.shapes.chat import Json
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

ACTION = "X-TC-Action"
_VERSION = "2023-09-01"

_ERRORS: Mapping[Trouble, tuple[str, str]] = {
    Trouble.RATE_LIMITED: ("LimitExceeded", "The limit of concurrent requests is exceeded."),
    Trouble.UNKNOWN_RATE_LIMIT: ("TempoCeilingE71", "Declined by the pacing layer."),
    Trouble.NO_QUOTA: ("FailedOperation.ServiceStopArrears", "Your account is in arrears."),
    Trouble.SERVER_FAULT: ("InternalError", "An internal error has occurred."),
    Trouble.BAD_REQUEST: (
        "InvalidParameter",
        "Expected the action ChatCompletions of version 2023-09-01 with `Model` and `Messages`.",
    ),
    Trouble.UNKNOWN_QUESTION: (
        "InvalidParameterValue",
        "No recorded answer has this question.",
    ),
}
_SIGNATURE_FAULTS = {
    tc3.MALFORMED: "The signature is not in the form of TC3-HMAC-SHA256.",
    tc3.EXPIRED: "The signature is more than five minutes old or young.",
    tc3.FALSE: "The signature does not belong to this request and key.",
}
_TOO_MANY_REQUESTS = 429


class _Message(BaseModel):
    model_config = ConfigDict(extra="ignore")
    Role: str
    Content: str


class _Request(BaseModel):
    model_config = ConfigDict(extra="ignore")
    Model: str
    Messages: list[_Message]
    Stream: Literal[False] | None = None
    EnableEnhancement: bool = True
    SearchInfo: bool = False

    def prompt(self) -> str | None:
        asked = [message.Content for message in self.Messages if message.Role == "user"]
        return asked[-1] if asked else None


class ChatCompletionsAction:
    """The action ChatCompletions. With `secret_key` signatures are checked in full."""

    # What identifies a call stands in the body.
    id_header: str | None = None
    starts_early = False

    def __init__(self, secret_key: str | None = None) -> None:
        self._secret_key = secret_key

    def read(self, asked: Asked, request_id: str) -> Question | Reply:
        """Return what is asked, or the error of a signature or a body that is none."""
        fault = tc3.fault_of(asked.headers, asked.body, asked.at, self._secret_key)
        if fault is not None:
            return _error_reply(fault, _SIGNATURE_FAULTS[fault], request_id)
        try:
            request = _Request.model_validate_json(asked.body)
        except ValidationError:
            request = None
        prompt = request.prompt() if request else None
        if request is None or prompt is None or not _is_chat(asked.headers):
            return self.error(Problem(Trouble.BAD_REQUEST, request_id, asked.at))
        return Question(
            prompt, may_search=request.EnableEnhancement, shows_pages=request.SearchInfo
        )

    def answer(self, given: Given) -> Reply:
        """Return the response with its choice."""
        asked, written = given.asked_tokens, given.written_tokens
        response: Json = {
            "Id": given.call_id,
            "Created": given.created,
            "Note": "以上内容为AI生成",
            "Choices": [{"Index": 0, "FinishReason": _finish(given), "Message": _message(given)}],
            "Usage": {
                "PromptTokens": asked,
                "CompletionTokens": written,
                "TotalTokens": asked + written,
            },
        }
        if given.shown_pages:
            response["SearchInfo"] = {"SearchResults": _results(given)}
        return _reply(response, given.call_id)

    def error(self, problem: Problem) -> Reply:
        """Return the error of a problem under a status of success, as all are."""
        if problem.trouble is Trouble.UNDER_SUCCESS:
            failed = {"Msg": "The model did not answer in time.", "Code": 4001}
            return _reply({"ErrorMsg": failed, "Choices": []}, problem.request_id)
        code, message = _ERRORS[problem.trouble]
        # A code that nobody knows is understood only by the status of the gateway before it.
        status = _TOO_MANY_REQUESTS if problem.trouble is Trouble.UNKNOWN_RATE_LIMIT else 200
        return _error_reply(code, problem.worded(message), problem.request_id, status)


def _is_chat(headers: Mapping[str, str]) -> bool:
    named = headers.get(ACTION), headers.get("X-TC-Version")
    return named == ("ChatCompletions", _VERSION)


def _reply(response: Json, request_id: str, status: int = 200) -> Reply:
    return json_reply({"Response": response | {"RequestId": request_id}}, status=status)


def _error_reply(code: str, message: str, request_id: str, status: int = 200) -> Reply:
    return _reply({"Error": {"Code": code, "Message": message}}, request_id, status)


def _finish(given: Given) -> str:
    return {Ending.CUT: "length", Ending.BLOCKED: "sensitive"}.get(given.ending, "stop")


def _message(given: Given) -> Json:
    written = {Ending.REFUSED: REFUSAL, Ending.BLOCKED: ""}
    return {"Role": "assistant", "Content": written.get(given.ending, given.text)}


def _results(given: Given) -> list[Json]:
    return [
        {"Index": place, "Title": page.title, "Url": page.url, "Text": page.snippet}
        for place, page in enumerate(given.shown_pages, start=1)
    ]
