import json
from dataclasses import replace
from typing import Any

import pytest
from exchanges import answer_in, completion, error, failure_in, requested
from hostile_bodies import assert_reads, hostile_responses
from hypothesis import given, settings

from brand_visibility.adapters.platforms.openai_chat import ADAPTER
from brand_visibility.adapters.platforms.wire import WireResponse
from brand_visibility.domain.outcomes import Reason, SearchEvidence, Source, Usage
from tests.builders import a_platform

QUOTA = "insufficient_quota"


def citing(*pages: tuple[str, str | None]) -> bytes:
    annotations = [
        {
            "type": "url_citation",
            "url_citation": {"start_index": 0, "end_index": 5, "url": url, "title": title},
        }
        for url, title in pages
    ]
    return completion("Dyson.", message={"annotations": annotations, "refusal": None})


PLAIN = completion(
    "Dyson.",
    message={"annotations": [], "refusal": None},
    usage={
        "prompt_tokens": 9,
        "completion_tokens": 40,
        "total_tokens": 49,
        "prompt_tokens_details": {"cached_tokens": 4},
        "completion_tokens_details": {"reasoning_tokens": 30},
    },
)
SEARCHED = citing(("https://a.example/1", "First"), ("https://b.example", None))

# status, code, type, reason
ERRORS = [
    (429, "rate_limit_exceeded", "requests", Reason.RATE_LIMITED),
    (429, "rate_limit_exceeded", "tokens", Reason.RATE_LIMITED),
    (429, "slow_down", None, Reason.RATE_LIMITED),
    (503, "slow_down", "server_error", Reason.RATE_LIMITED),
    (503, "server_is_overloaded", "server_error", Reason.SERVER_FAULT),
    (429, None, QUOTA, Reason.QUOTA_EXHAUSTED),
    (429, QUOTA, QUOTA, Reason.QUOTA_EXHAUSTED),
    (429, "credit_balance_exhausted", QUOTA, Reason.QUOTA_EXHAUSTED),
    (429, "organization_spend_limit_exceeded", QUOTA, Reason.QUOTA_EXHAUSTED),
    (429, "project_spend_limit_exceeded", None, Reason.QUOTA_EXHAUSTED),
    (429, "organization_usage_limit_exceeded", None, Reason.QUOTA_EXHAUSTED),
    (401, "invalid_api_key", "invalid_request_error", Reason.UNAUTHORIZED),
    (403, "unsupported_country_region_territory", None, Reason.UNAUTHORIZED),
    (400, None, "invalid_request_error", Reason.REJECTED),
    (400, "content_policy_violation", None, Reason.BLOCKED),
    (500, None, "server_error", Reason.SERVER_FAULT),
]


@pytest.mark.parametrize(("status", "code", "kind", "reason"), ERRORS)
def test_an_error_has_its_reason(
    status: int, code: str | None, kind: str | None, reason: Reason
) -> None:
    failure = failure_in(error(code, kind=kind, message="…"), status, adapter=ADAPTER)
    assert (failure.reason, failure.is_recognised) == (reason, True)


@pytest.mark.parametrize("status", [429, 503])
def test_slow_down_pauses_the_account_and_lowers_its_rate(status: int) -> None:
    failure = failure_in(error("slow_down"), status, adapter=ADAPTER)
    assert (failure.retry_after_s, failure.asks_to_slow_down) == (60.0, True)


def test_an_ordinary_refusal_of_the_rate_leaves_the_rate_alone() -> None:
    failure = failure_in(error("rate_limit_exceeded"), 429, adapter=ADAPTER)
    assert (failure.retry_after_s, failure.asks_to_slow_down) == (None, False)


def test_a_refusal_that_no_row_names_is_not_recognised() -> None:
    failure = failure_in(error("brand_new", message="Not now"), 429, adapter=ADAPTER)
    assert (failure.reason, failure.is_recognised) == (Reason.RATE_LIMITED, False)


@pytest.mark.parametrize(
    ("headers", "wait_s"),
    [
        ({"retry_after_ms": "1500", "retry_after": "2"}, 1.5),
        ({"retry_after": "2"}, 2.0),
        ({"x_ratelimit_remaining_tokens": "0", "x_ratelimit_reset_tokens": "6m0s"}, 360.0),
        ({"x_ratelimit_remaining_requests": "0", "x_ratelimit_reset_requests": "20ms"}, 0.02),
        ({"x_ratelimit_remaining_tokens": "7", "x_ratelimit_reset_tokens": "6m0s"}, None),
    ],
)
def test_a_wait_is_read_from_the_headers(headers: dict[str, str], wait_s: float | None) -> None:
    body = error("rate_limit_exceeded", kind="tokens")
    assert failure_in(body, 429, adapter=ADAPTER, **headers).retry_after_s == wait_s


def test_a_named_wait_goes_before_the_pause_of_slow_down() -> None:
    failure = failure_in(error("slow_down"), 429, adapter=ADAPTER, retry_after="5")
    assert (failure.retry_after_s, failure.asks_to_slow_down) == (5.0, True)


def test_an_answer_counts_what_was_thought_and_what_was_cached() -> None:
    assert answer_in(PLAIN, adapter=ADAPTER).usage == Usage(9, 40, 30, 4)


def test_without_a_citation_nothing_tells_whether_the_model_searched() -> None:
    answer = answer_in(PLAIN, adapter=ADAPTER)
    assert (answer.search, answer.sources) == (SearchEvidence.UNKNOWN, ())


def test_a_citation_is_a_source_and_shows_that_the_model_searched() -> None:
    answer = answer_in(SEARCHED, adapter=ADAPTER)
    assert answer.search is SearchEvidence.SEARCHED
    assert answer.sources == (
        Source(1, "https://a.example/1", "First", is_cited=True),
        Source(2, "https://b.example", is_cited=True),
    )


def test_a_page_that_is_cited_twice_is_one_source() -> None:
    body = citing(("https://a.example", "A"), ("https://b.example", "B"), ("https://a.example", ""))
    named = [(s.position, s.title) for s in answer_in(body, adapter=ADAPTER).sources]
    assert named == [(1, "A"), (2, "B")]


@pytest.mark.parametrize(
    "annotations",
    [None, "x", [None, 3], [{"type": "file_citation", "file_id": "f"}], [{"url_citation": {}}]],
)
def test_an_annotation_without_an_address_proves_no_search(annotations: object) -> None:
    body = completion("Dyson.", message={"annotations": annotations})
    answer = answer_in(body, adapter=ADAPTER)
    assert (answer.search, answer.sources) == (SearchEvidence.UNKNOWN, ())


NO_ANSWERS = [
    (completion(None, message={"refusal": "I can't help with that."}), Reason.REFUSED),
    (completion("Dys", finish_reason="content_filter"), Reason.BLOCKED),
    (completion("Dys", finish_reason="length"), Reason.TRUNCATED),
    (completion(""), Reason.EMPTY),
    (completion(None), Reason.EMPTY),
]


@pytest.mark.parametrize(("body", "reason"), NO_ANSWERS)
def test_a_success_without_an_answer_has_its_reason(body: bytes, reason: Reason) -> None:
    assert failure_in(body, adapter=ADAPTER).reason is reason


def test_what_a_refusal_used_is_counted() -> None:
    body = completion(None, message={"refusal": "No."}, usage={"prompt_tokens": 9})
    assert failure_in(body, adapter=ADAPTER).usage.prompt_tokens == 9


def test_a_request_takes_what_the_catalog_says_of_searching() -> None:
    options: dict[str, Any] = {"web_search_options": {"search_context_size": "low"}}
    platform = replace(a_platform(), parameters=options)
    assert ADAPTER.base_url is not None
    request = requested(ADAPTER, platform, base_url=ADAPTER.base_url, key="sk-not-a-key")
    assert request.url == "https://api.openai.com/v1/chat/completions"
    assert request.headers["Authorization"] == "Bearer sk-not-a-key"
    assert json.loads(request.body).items() >= options.items()


@settings(max_examples=150, deadline=None)
@given(hostile_responses(PLAIN, SEARCHED, error("rate_limit_exceeded")))
def test_no_response_makes_the_adapter_raise(response: WireResponse) -> None:
    assert_reads(ADAPTER, response)
