"""Hunyuan's endpoint of chat completions: what it found, it names only when asked to."""

from brand_visibility.simulator.shapes.chat import ChatRequest, ChatShape, Json, Manner, no_wait
from brand_visibility.simulator.shapes.errors import OPENAI_ERRORS, Errors, Named
from brand_visibility.simulator.shapes.shape import Given, Question, Trouble

_ERRORS: Errors = {
    **OPENAI_ERRORS,
    Trouble.RATE_LIMITED: Named(
        429, "RequestLimitExceeded", "runtime_error", "Request limit exceeded."
    ),
    Trouble.NO_QUOTA: Named(
        403, "FailedOperation.ServiceStopArrears", "runtime_error", "Your account is in arrears."
    ),
    Trouble.SERVER_FAULT: Named(500, "InternalError", "runtime_error", "Internal error."),
}


def _question(request: ChatRequest, prompt: str) -> Question:
    return Question(
        prompt,
        may_search=request.field("enable_enhancement") is not False,
        shows_pages=request.field("search_info") is True,
    )


def _body(given: Given) -> Json:
    if not given.shown_pages:
        return {}
    results = [
        {"index": place, "title": page.title, "url": page.url, "text": page.snippet}
        for place, page in enumerate(given.shown_pages, start=1)
    ]
    return {"search_info": {"search_results": results}}


SHAPE = ChatShape(
    Manner(
        errors=_ERRORS,
        question=_question,
        body=_body,
        blocked="sensitive",
        wait_headers=no_wait,
    )
)
