"""Doubao on Volcengine's Ark: codes in two parts, over both of OpenAI's endpoints."""

from brand_visibility.simulator.shapes.chat import ChatShape, Json, Manner, no_wait
from brand_visibility.simulator.shapes.errors import OPENAI_ERRORS, Errors, Named
from brand_visibility.simulator.shapes.responses import ResponsesShape
from brand_visibility.simulator.shapes.shape import Given, Trouble

_ERRORS: Errors = {
    **OPENAI_ERRORS,
    Trouble.RATE_LIMITED: Named(
        429,
        "RateLimitExceeded.EndpointRPMExceeded",
        "TooManyRequests",
        "The requests per minute limit of the endpoint is exceeded.",
    ),
    Trouble.NO_QUOTA: Named(
        403, "AccountOverdueError", "Forbidden", "The account has an overdue balance."
    ),
    Trouble.SERVER_FAULT: Named(
        500, "InternalServiceError", "InternalServerError", "The service met an error."
    ),
}
_BLOCKED = Named(
    400,
    "SensitiveContentDetected",
    "BadRequest",
    "The input text may contain sensitive information.",
)


def _message(_given: Given) -> Json:
    return {"reasoning_content": "比较已知信息。"}


SHAPE = ChatShape(Manner(errors=_ERRORS, message=_message, blocked=_BLOCKED, wait_headers=no_wait))
RESPONSES = ResponsesShape(errors=_ERRORS, blocked=_BLOCKED, wait_headers=no_wait)
