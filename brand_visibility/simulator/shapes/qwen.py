"""Qwen's endpoint of chat completions, which searches and never says what it found."""

from brand_visibility.simulator.shapes.chat import ChatRequest, ChatShape, Manner, no_wait
from brand_visibility.simulator.shapes.errors import OPENAI_ERRORS, Errors, Named
from brand_visibility.simulator.shapes.shape import Question, Trouble

_ERRORS: Errors = {
    **OPENAI_ERRORS,
    # Its limit of tokens a minute, which passes, is called like an account without money.
    Trouble.RATE_LIMITED: Named(
        429,
        "insufficient_quota",
        "insufficient_quota",
        "You exceeded your current quota, please check your plan and billing details.",
    ),
    Trouble.NO_QUOTA: Named(
        400, "Arrearage", "Arrearage", "Access denied, make sure your account is in good standing."
    ),
    Trouble.SERVER_FAULT: Named(500, "InternalError", "InternalError", "An internal error."),
}
_BLOCKED = Named(
    400,
    "DataInspectionFailed",
    "DataInspectionFailed",
    "Input or output data may contain inappropriate content.",
)


def _question(request: ChatRequest, prompt: str) -> Question:
    may_search = request.field("enable_search") is True
    return Question(prompt, may_search=may_search, shows_pages=False)


SHAPE = ChatShape(
    Manner(errors=_ERRORS, question=_question, blocked=_BLOCKED, wait_headers=no_wait)
)
