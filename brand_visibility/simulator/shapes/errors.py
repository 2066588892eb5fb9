"""Errors as tables: what each trouble is called, and under which status it comes.

How an error is laid out belongs to the shapes.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from brand_visibility.simulator.shapes.shape import Problem, Trouble


@dataclass(frozen=True, slots=True)
class Named:
    """A trouble in a platform's words. `wait` stands in `message` for seconds to wait."""

    status: int
    code: str | int | None
    kind: str
    message: str

    def worded(self, problem: Problem) -> str:
        """Return the message for people."""
        return problem.worded(self.message.format(wait=problem.whole_wait_s))


Errors = Mapping[Trouble, Named]

OPENAI_ERRORS: Errors = {
    Trouble.RATE_LIMITED: Named(
        429, "rate_limit_exceeded", "requests", "Rate limit reached for requests."
    ),
    Trouble.UNKNOWN_RATE_LIMIT: Named(
        429, "tempo_ceiling_e71", "pacing", "Request declined by the pacing layer."
    ),
    Trouble.NO_QUOTA: Named(
        429,
        "insufficient_quota",
        "insufficient_quota",
        "You exceeded your current quota, please check your plan and billing details.",
    ),
    Trouble.SERVER_FAULT: Named(
        500, None, "server_error", "The server had an error while processing your request."
    ),
    Trouble.UNDER_SUCCESS: Named(200, 502, "server_error", "The upstream provider did not answer."),
    Trouble.BAD_REQUEST: Named(
        400,
        "invalid_request",
        "invalid_request_error",
        "The body must be a request of this endpoint with a user's text, and no `stream`.",
    ),
    Trouble.UNKNOWN_QUESTION: Named(
        400,
        "unknown_question",
        "invalid_request_error",
        "No recorded answer has this question.",
    ),
}

# What the simulator says itself, of whatever personality its platforms are.
UNKNOWN_PLATFORM = Named(
    404,
    "unknown_platform",
    "invalid_request_error",
    "A platform's id has lower-case letters, digits, `_` and `-`, at most 64.",
)
NO_TRUTH = Named(
    404,
    "unknown_truth",
    "invalid_request_error",
    "Answers are recorded: their true probabilities are unknown.",
)


def error_body(named: Named, message: str) -> dict[str, object]:
    """Return an error as most platforms lay it out."""
    described = {"message": message, "type": named.kind, "param": None, "code": named.code}
    return {"error": described}
