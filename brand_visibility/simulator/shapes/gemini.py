"""Gemini's generateContent: candidates, what grounds them, and waits inside error details."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from brand_visibility.simulator.pages import Page
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
    count_tokens,
    json_reply,
)

_THOUGHT_TOKENS = 8
_PER_MINUTE = "GenerateRequestsPerMinutePerProjectPerModel"
_PER_DAY = "GenerateRequestsPerDayPerProjectPerModel"


class _Part(BaseModel):
    model_config = ConfigDict(extra="ignore")
    text: str = ""


class _Content(BaseModel):
    model_config = ConfigDict(extra="ignore")
    role: str = "user"
    parts: list[_Part]


class _Request(BaseModel):
    model_config = ConfigDict(extra="ignore")
    contents: list[_Content]
    tools: list[Json] = Field(default_factory=list)

    def prompt(self) -> str | None:
        asked = [content for content in self.contents if content.role == "user"]
        return "".join(part.text for part in asked[-1].parts) if asked else None


@dataclass(frozen=True, slots=True)
class _Error:
    http_status: int
    status: str
    message: str


_ERRORS: Mapping[Trouble, _Error] = {
    Trouble.RATE_LIMITED: _Error(429, "RESOURCE_EXHAUSTED", "You exceeded your current quota."),
    Trouble.UNKNOWN_RATE_LIMIT: _Error(429, "TEMPO_CEILING_E71", "Declined by the pacing layer."),
    Trouble.NO_QUOTA: _Error(429, "RESOURCE_EXHAUSTED", "You exceeded your current quota."),
    Trouble.SERVER_FAULT: _Error(503, "UNAVAILABLE", "The model is overloaded."),
    Trouble.UNDER_SUCCESS: _Error(200, "UNAVAILABLE", "The model is overloaded."),
    Trouble.BAD_REQUEST: _Error(
        400, "INVALID_ARGUMENT", "Expected `contents` with a user's text in `parts`."
    ),
    Trouble.UNKNOWN_QUESTION: _Error(
        400, "INVALID_ARGUMENT", "No recorded answer has this question."
    ),
}


class GenerateContentShape:
    """Gemini's generateContent."""

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
        may_search = any({"google_search", "googleSearch"} & set(tool) for tool in request.tools)
        return Question(prompt, may_search=may_search)

    def answer(self, given: Given) -> Reply:
        """Return the candidates, or why there is none."""
        body: Json = {
            "usageMetadata": _usage(given),
            "modelVersion": given.model,
            "responseId": given.call_id,
        }
        if given.ending is Ending.BLOCKED:
            return json_reply({"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}} | body)
        return json_reply({"candidates": [_candidate(given)]} | body)

    def error(self, problem: Problem) -> Reply:
        """Return the error object of a problem."""
        error = _ERRORS[problem.trouble]
        described: Json = {
            "code": 503 if problem.trouble is Trouble.UNDER_SUCCESS else error.http_status,
            "message": problem.worded(error.message),
            "status": error.status,
        }
        if details := _details(problem):
            described["details"] = details
        return json_reply({"error": described}, status=error.http_status)


def _details(problem: Problem) -> list[Json]:
    if problem.trouble is Trouble.RATE_LIMITED:
        return [_violation(_PER_MINUTE), _retry_info(f"{problem.wait_s:g}s")]
    # The delay up to the next day's quota is named in seconds like any other.
    return [_violation(_PER_DAY), _retry_info("30s")] if problem.trouble is Trouble.NO_QUOTA else []


def _violation(quota_id: str) -> Json:
    return {
        "@type": "type.googleapis.com/google.rpc.QuotaFailure",
        "violations": [{"quotaId": quota_id, "quotaValue": "50"}],
    }


def _retry_info(delay: str) -> Json:
    return {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": delay}


def _candidate(given: Given) -> Json:
    # The model has no field for a refusal: it declines in words.
    text = REFUSAL if given.ending is Ending.REFUSED else given.text
    content: Json = {"role": "model"}
    if text:
        content["parts"] = [{"text": text}]
    candidate: Json = {
        "content": content,
        "finishReason": "MAX_TOKENS" if given.ending is Ending.CUT else "STOP",
        "index": 0,
    }
    if given.pages:
        candidate["groundingMetadata"] = _grounding(given)
    return candidate


def _grounding(given: Given) -> Json:
    whole = {"startIndex": 0, "endIndex": len(given.text.encode()), "text": given.text}
    return {
        "webSearchQueries": [given.question.prompt],
        "groundingChunks": [{"web": _web(given, page)} for page in given.pages],
        "groundingSupports": [
            {"segment": whole, "groundingChunkIndices": list(range(len(given.pages)))}
        ],
    }


def _web(given: Given, page: Page) -> dict[str, Any]:
    """Return a page as Gemini names it: a redirecting address, and the host as its title."""
    place = given.pages.index(page)
    address = f"https://redirect.example.com/grounding/{given.call_id}{place}"
    return {"uri": address, "title": page.host}


def _usage(given: Given) -> Json:
    asked, written = given.asked_tokens, given.written_tokens
    searched = sum(count_tokens(page.snippet) for page in given.pages)
    return {
        "promptTokenCount": asked,
        "candidatesTokenCount": written,
        "thoughtsTokenCount": _THOUGHT_TOKENS,
        "toolUsePromptTokenCount": searched,
        "totalTokenCount": asked + written + _THOUGHT_TOKENS + searched,
    }


SHAPE = GenerateContentShape()
