import json
from typing import Any

import pytest
from exchanges import PROMPT, answer_in, completion, error, failure_in, requested
from hostile_bodies import assert_reads, hostile_responses
from hypothesis import given, settings

from brand_visibility.adapters.platforms.perplexity import ADAPTER
from brand_visibility.adapters.platforms.wire import WireResponse
from brand_visibility.domain.outcomes import Reason, SearchEvidence, Source, Usage

RESULTS = [
    {
        "title": "Vacuums of the year",
        "url": "https://a.example/vacuums",
        "date": "2026-10-01",
        "last_updated": "2026-11-01",
        "snippet": "The best of them.",
    },
    {"title": None, "url": "https://b.example", "date": None},
]
CITATIONS = ["https://a.example/vacuums", "https://c.example"]
USAGE: dict[str, Any] = {
    "prompt_tokens": 10,
    "completion_tokens": 200,
    "citation_tokens": 3000,
    "num_search_queries": 3,
    "reasoning_tokens": 50,
    "cost": {"total_cost": 0.01},
}
GOOD = completion(
    "Dyson [1].",
    citations=CITATIONS,
    search_results=RESULTS,
    usage=USAGE,
)

# status, code, type, message, reason
ERRORS = [
    (401, 401, "invalid_api_key", "Invalid API key", Reason.UNAUTHORIZED),
    (401, None, None, "", Reason.UNAUTHORIZED),
    (401, 401, "insufficient_quota", "", Reason.QUOTA_EXHAUSTED),
    (401, 401, None, "No credit left, check your billing", Reason.QUOTA_EXHAUSTED),
    (429, 429, "rate_limit_error", "", Reason.RATE_LIMITED),
    (429, 429, "request_rate_limit_exceeded", "", Reason.RATE_LIMITED),
    (400, 400, "invalid_request", "Unknown model", Reason.REJECTED),
    (500, 500, "internal_server_error", "", Reason.SERVER_FAULT),
    (504, None, None, "", Reason.TIMED_OUT),
]


@pytest.mark.parametrize(("status", "code", "kind", "message", "reason"), ERRORS)
def test_an_error_has_its_reason(
    status: int, code: int | None, kind: str | None, message: str, reason: Reason
) -> None:
    failure = failure_in(error(code, kind=kind, message=message), status, adapter=ADAPTER)
    assert (failure.reason, failure.is_recognised) == (reason, True)


@pytest.mark.parametrize("body", [b"", error(429), b'{"detail": "slow"}'])
def test_a_refusal_that_no_row_names_is_not_recognised(body: bytes) -> None:
    failure = failure_in(body, 429, adapter=ADAPTER)
    assert (failure.reason, failure.is_recognised) == (Reason.RATE_LIMITED, False)


@pytest.mark.parametrize(("headers", "wait_s"), [({"retry_after": "3"}, 3.0), ({}, None)])
def test_a_wait_is_read_from_the_headers(headers: dict[str, str], wait_s: float | None) -> None:
    failure = failure_in(error(429, kind="rate_limit_error"), 429, adapter=ADAPTER, **headers)
    assert failure.retry_after_s == wait_s


def test_whole_results_are_preferred_to_bare_addresses() -> None:
    assert answer_in(GOOD, adapter=ADAPTER).sources == (
        Source(1, "https://a.example/vacuums", "Vacuums of the year"),
        Source(2, "https://b.example"),
    )


@pytest.mark.parametrize("results", [None, [], "x", [{"title": "no address"}]])
def test_bare_addresses_serve_when_there_are_no_results(results: object) -> None:
    body = completion("Dyson.", citations=CITATIONS, search_results=results)
    assert answer_in(body, adapter=ADAPTER).sources == (
        Source(1, "https://a.example/vacuums"),
        Source(2, "https://c.example"),
    )


def test_an_address_that_shows_nothing_is_left_out_and_keeps_its_number() -> None:
    body = completion("Dyson [4].", citations=["", " ", "\x00\u200b", "https://d.example"])
    assert answer_in(body, adapter=ADAPTER).sources == (Source(4, "https://d.example"),)


@pytest.mark.parametrize(
    ("said", "search"),
    [
        ({"search_results": RESULTS}, SearchEvidence.SEARCHED),
        ({"citations": CITATIONS}, SearchEvidence.SEARCHED),
        ({"usage": USAGE}, SearchEvidence.SEARCHED),
        ({"usage": USAGE | {"num_search_queries": 0}}, SearchEvidence.UNKNOWN),
        ({"search_results": [], "citations": []}, SearchEvidence.UNKNOWN),
        ({}, SearchEvidence.UNKNOWN),
    ],
)
def test_a_page_or_a_counted_search_shows_that_it_searched(
    said: dict[str, Any], search: SearchEvidence
) -> None:
    assert answer_in(completion("Dyson.", **said), adapter=ADAPTER).search is search


def test_searches_and_thoughts_are_counted() -> None:
    assert answer_in(GOOD, adapter=ADAPTER).usage == Usage(10, 200, 50, None, search_count=3)


def test_thoughts_under_the_usual_name_count_too() -> None:
    body = completion(usage={"completion_tokens_details": {"reasoning_tokens": 7}})
    assert answer_in(body, adapter=ADAPTER).usage.reasoning_tokens == 7


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (completion(""), Reason.EMPTY),
        (completion("Dys", finish_reason="length"), Reason.TRUNCATED),
        (completion("", finish_reason="content_filter"), Reason.BLOCKED),
        (completion(None, message={"refusal": "No."}), Reason.REFUSED),
        (error(429), Reason.RATE_LIMITED),
    ],
)
def test_a_success_without_an_answer_has_its_reason(body: bytes, reason: Reason) -> None:
    assert failure_in(body, adapter=ADAPTER).reason is reason


def test_a_request_goes_to_its_address() -> None:
    assert ADAPTER.base_url is not None
    request = requested(ADAPTER, base_url=ADAPTER.base_url, key="pplx-not-a-key")
    assert request.url == "https://api.perplexity.ai/chat/completions"
    assert request.headers["Authorization"] == "Bearer pplx-not-a-key"
    assert json.loads(request.body)["messages"] == [{"role": "user", "content": PROMPT}]


@settings(max_examples=150, deadline=None)
@given(hostile_responses(GOOD, error(401, kind="insufficient_quota")))
def test_no_response_makes_the_adapter_raise(response: WireResponse) -> None:
    assert_reads(ADAPTER, response)
