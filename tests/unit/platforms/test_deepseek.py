import json

import pytest
from exchanges import PROMPT, answer_in, completion, error, failure_in, requested
from hostile_bodies import assert_reads, hostile_responses
from hypothesis import given, settings

from brand_visibility.adapters.platforms.deepseek import ADAPTER
from brand_visibility.adapters.platforms.wire import WireResponse
from brand_visibility.domain.outcomes import Reason, SearchEvidence, Usage

USAGE = {
    "prompt_tokens": 20,
    "completion_tokens": 90,
    "prompt_cache_hit_tokens": 12,
    "prompt_cache_miss_tokens": 8,
    "completion_tokens_details": {"reasoning_tokens": 70},
}
GOOD = completion("Dyson.", message={"reasoning_content": "Roborock? No."}, usage=USAGE)

# status, code, type, message, reason
ERRORS = [
    (400, "invalid_request_error", None, "Invalid format", Reason.REJECTED),
    (401, None, "authentication_error", "Authentication fails", Reason.UNAUTHORIZED),
    (402, "invalid_request_error", "unknown_error", "Insufficient Balance",
     Reason.QUOTA_EXHAUSTED),
    (402, None, None, "", Reason.QUOTA_EXHAUSTED),
    (422, "invalid_request_error", None, "Invalid parameters", Reason.REJECTED),
    (429, "rate_limit_reached", None, "", Reason.RATE_LIMITED),
    (429, None, "concurrency_limit", "", Reason.RATE_LIMITED),
    (429, None, None, "Rate limit reached", Reason.RATE_LIMITED),
    (429, None, None, "Too many concurrent requests", Reason.RATE_LIMITED),
    (500, None, None, "Server error", Reason.SERVER_FAULT),
    (503, None, None, "Server overloaded", Reason.SERVER_FAULT),
    (400, "content_filter", None, "Content Exists Risk", Reason.BLOCKED),
]  # fmt: skip


@pytest.mark.parametrize(("status", "code", "kind", "message", "reason"), ERRORS)
def test_an_error_has_its_reason(
    status: int, code: str | None, kind: str | None, message: str, reason: Reason
) -> None:
    failure = failure_in(error(code, kind=kind, message=message), status, adapter=ADAPTER)
    assert (failure.reason, failure.is_recognised) == (reason, True)


def test_a_refusal_for_too_many_in_flight_asks_for_a_short_rest() -> None:
    failure = failure_in(error("rate_limit_reached"), 429, adapter=ADAPTER)
    assert (failure.retry_after_s, failure.asks_to_slow_down) == (2.0, False)


def test_a_named_wait_goes_before_the_short_rest() -> None:
    failure = failure_in(error("rate_limit_reached"), 429, adapter=ADAPTER, retry_after="9")
    assert failure.retry_after_s == 9.0


@pytest.mark.parametrize("body", [b"", b"<html>busy</html>", error("brand_new")])
def test_a_refusal_that_no_row_names_is_not_recognised(body: bytes) -> None:
    failure = failure_in(body, 429, adapter=ADAPTER)
    assert (failure.reason, failure.is_recognised) == (Reason.RATE_LIMITED, False)
    assert failure.retry_after_s is None


@pytest.mark.parametrize("blank", [b"\n", b"\n\n\n", b"\r\n\r\n", b" \n" * 500])
def test_blank_lines_that_kept_the_connection_alive_are_no_part_of_the_body(blank: bytes) -> None:
    assert answer_in(blank + GOOD, adapter=ADAPTER).text == "Dyson."


def test_blank_lines_may_end_in_an_error_or_in_nothing() -> None:
    late = b"\n\n" + error(None, message="Server overloaded")
    assert failure_in(late, adapter=ADAPTER).reason is Reason.SERVER_FAULT
    assert failure_in(b"\n\n", adapter=ADAPTER).reason is Reason.MALFORMED


def test_what_the_model_thought_is_no_part_of_the_text() -> None:
    assert answer_in(GOOD, adapter=ADAPTER).text == "Dyson."
    only_thoughts = completion("", message={"reasoning_content": "Roborock."})
    assert failure_in(only_thoughts, adapter=ADAPTER).reason is Reason.EMPTY


def test_cached_tokens_have_a_name_of_their_own() -> None:
    assert answer_in(GOOD, adapter=ADAPTER).usage == Usage(20, 90, 70, 12)


def test_cached_tokens_under_the_usual_name_count_too() -> None:
    body = completion(usage={"prompt_tokens": 20, "prompt_tokens_details": {"cached_tokens": 5}})
    assert answer_in(body, adapter=ADAPTER).usage.cached_tokens == 5


def test_its_api_never_searches() -> None:
    answer = answer_in(GOOD, adapter=ADAPTER)
    assert (answer.search, answer.sources) == (SearchEvidence.NOT_SEARCHED, ())


@pytest.mark.parametrize(
    ("finish_reason", "reason"),
    [
        ("insufficient_system_resource", Reason.SERVER_FAULT),
        ("content_filter", Reason.BLOCKED),
        ("length", Reason.TRUNCATED),
    ],
)
def test_an_answer_that_stops_short_has_its_reason(finish_reason: str, reason: Reason) -> None:
    failure = failure_in(completion("Dys", finish_reason=finish_reason), adapter=ADAPTER)
    assert failure.reason is reason


def test_what_a_truncated_answer_used_is_counted() -> None:
    body = completion("Dys", finish_reason="length", usage=USAGE)
    assert failure_in(body, adapter=ADAPTER).usage == Usage(20, 90, 70, 12)


def test_a_request_goes_to_its_address() -> None:
    assert ADAPTER.base_url is not None
    request = requested(ADAPTER, base_url=ADAPTER.base_url, key="sk-not-a-key")
    assert request.url == "https://api.deepseek.com/chat/completions"
    assert request.headers["Authorization"] == "Bearer sk-not-a-key"
    body = json.loads(request.body)
    assert body["messages"] == [{"role": "user", "content": PROMPT}]
    assert body["stream"] is False


@settings(max_examples=150, deadline=None)
@given(hostile_responses(GOOD, error("rate_limit_reached")))
def test_no_response_makes_the_adapter_raise(response: WireResponse) -> None:
    assert_reads(ADAPTER, response)
