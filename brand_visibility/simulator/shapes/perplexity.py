"""Perplexity: names its pages twice, as addresses and as search results."""

from brand_visibility.simulator.shapes.chat import ChatShape, Json, Manner, no_wait
from brand_visibility.simulator.shapes.errors import OPENAI_ERRORS, Errors, Named
from brand_visibility.simulator.shapes.shape import Given, Trouble

_ERRORS: Errors = {
    **OPENAI_ERRORS,
    Trouble.RATE_LIMITED: Named(429, 429, "requests_rate_limit", "Request rate limit exceeded."),
    # A key without credit is refused like a wrong one.
    Trouble.NO_QUOTA: Named(401, 401, "unauthorized", "Authorization Required"),
}


def _body(given: Given) -> Json:
    return {
        "citations": [page.url for page in given.shown_pages],
        "search_results": [
            {
                "title": page.title,
                "url": page.url,
                "date": "2026-11-01",
                "last_updated": "2026-11-20",
                "snippet": page.snippet,
            }
            for page in given.shown_pages
        ],
    }


def _usage(given: Given) -> Json:
    return {
        "citation_tokens": 10 * len(given.pages),
        "num_search_queries": 1 if given.pages else 0,
        "reasoning_tokens": 0,
        "search_context_size": "low",
    }


SHAPE = ChatShape(Manner(errors=_ERRORS, body=_body, usage=_usage, wait_headers=no_wait))
