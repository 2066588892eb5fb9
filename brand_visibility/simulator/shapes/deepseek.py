"""DeepSeek: limited by concurrency, and its response starts long before its answer."""

from brand_visibility.simulator.shapes.chat import ChatShape, Json, Manner, no_wait
from brand_visibility.simulator.shapes.errors import OPENAI_ERRORS, Errors, Named
from brand_visibility.simulator.shapes.shape import Given, Trouble

_THOUGHT = "Comparing what is known."
_THOUGHT_TOKENS = 8

_ERRORS: Errors = {
    **OPENAI_ERRORS,
    Trouble.RATE_LIMITED: Named(
        429, "rate_limit_reached", "rate_limit_reached", "Too many requests in flight."
    ),
    Trouble.NO_QUOTA: Named(402, "invalid_request_error", "unknown_error", "Insufficient Balance"),
    Trouble.SERVER_FAULT: Named(
        503, "service_unavailable_error", "service_unavailable_error", "Service is too busy."
    ),
}


def _message(_given: Given) -> Json:
    return {"reasoning_content": _THOUGHT}


def _usage(given: Given) -> Json:
    hit = given.asked_tokens // 2
    written = given.written_tokens + _THOUGHT_TOKENS
    return {
        "completion_tokens": written,
        "total_tokens": given.asked_tokens + written,
        "completion_tokens_details": {"reasoning_tokens": _THOUGHT_TOKENS},
        "prompt_cache_hit_tokens": hit,
        "prompt_cache_miss_tokens": given.asked_tokens - hit,
    }


SHAPE = ChatShape(
    Manner(errors=_ERRORS, message=_message, usage=_usage, wait_headers=no_wait, starts_early=True)
)
