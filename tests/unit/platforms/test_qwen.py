import json
from dataclasses import replace

import pytest
from exchanges import answer_in, completion, error, failure_in, requested
from hostile_bodies import assert_reads, hostile_responses
from hypothesis import given, settings

from brand_visibility.adapters.platforms.qwen import ADAPTER
from brand_visibility.adapters.platforms.wire import WireResponse
from brand_visibility.domain.outcomes import Reason, SearchEvidence, Usage
from tests.builders import a_platform

ANSWERED = completion("Dyson.", usage={"prompt_tokens": 12, "completion_tokens": 34})
TOKENS = "You exceeded your current quota, please check your plan and billing details."
BURST = "Request rate increased too quickly. To ensure system stability, adjust your client."
FREE = "Free allocated quota exceeded."


def test_a_request_sends_the_catalogs_parameters_for_searching() -> None:
    parameters = {"enable_search": True, "search_options": {"forced_search": True}}
    platform = replace(a_platform(), parameters=parameters)
    request = requested(ADAPTER, platform, base_url=str(ADAPTER.base_url))
    assert request.url == "https://dashscope.aliyuncs.com/compatible-mode/v1/chat/completions"
    assert json.loads(request.body).items() >= parameters.items()


def test_an_answer_says_nothing_about_searching() -> None:
    answer = answer_in(ANSWERED, adapter=ADAPTER)
    assert (answer.text, answer.usage) == ("Dyson.", Usage(12, 34))
    assert (answer.search, answer.sources) == (SearchEvidence.UNKNOWN, ())


# status, code, message, reason
ERRORS = [
    (429, "Throttling", "", Reason.RATE_LIMITED),
    (429, "Throttling.RateQuota", "", Reason.RATE_LIMITED),
    (429, None, "Requests rate limit exceeded, please try again later.", Reason.RATE_LIMITED),
    (429, "limit_requests", "", Reason.RATE_LIMITED),
    (429, "Throttling.AllocationQuota", TOKENS, Reason.RATE_LIMITED),
    (429, "insufficient_quota", TOKENS, Reason.RATE_LIMITED),
    (429, "insufficient_quota", FREE, Reason.QUOTA_EXHAUSTED),
    (429, "Throttling.AllocationQuota", FREE, Reason.QUOTA_EXHAUSTED),
    (403, "AllocationQuota.FreeTierOnly", "", Reason.QUOTA_EXHAUSTED),
    (400, "Arrearage", "Access denied, your account is in arrears.", Reason.QUOTA_EXHAUSTED),
    (429, "PrepaidBillOverdue", "", Reason.QUOTA_EXHAUSTED),
    (429, None, BURST, Reason.RATE_LIMITED),
    (400, "DataInspectionFailed", "Input data may contain inappropriate", Reason.BLOCKED),
    (400, "data_inspection_failed", "", Reason.BLOCKED),
    (401, "invalid_api_key", "", Reason.UNAUTHORIZED),
    (400, "InvalidApiKey", "", Reason.UNAUTHORIZED),
    # Unknown words: the status decides.
    (400, "InvalidParameter", "", Reason.REJECTED),
    (403, "Model.AccessDenied", "", Reason.UNAUTHORIZED),
    (404, "model_not_found", "", Reason.REJECTED),
    (500, "InternalError", "", Reason.SERVER_FAULT),
    (503, "ModelServingError", "", Reason.SERVER_FAULT),
]


@pytest.mark.parametrize(("status", "code", "message", "reason"), ERRORS)
def test_an_error_has_its_reason(
    status: int, code: str | None, message: str, reason: Reason
) -> None:
    failure = failure_in(error(code, message=message), status, adapter=ADAPTER)
    assert (failure.reason, failure.is_recognised) == (reason, True)


@pytest.mark.parametrize(
    ("code", "message"),
    [
        (None, BURST),
        ("Throttling", BURST),
        ("insufficient_quota", BURST),
        ("Throttling.BurstRate", ""),
        ("limit_burst_rate", ""),
    ],
)
def test_a_rate_that_grows_too_fast_rests_a_minute_and_slows_down(
    code: str | None, message: str
) -> None:
    failure = failure_in(error(code, message=message), 429, adapter=ADAPTER)
    assert (failure.reason, failure.retry_after_s) == (Reason.RATE_LIMITED, 60.0)
    assert failure.asks_to_slow_down


def test_the_platforms_own_time_goes_before_the_minute() -> None:
    failure = failure_in(error(message=BURST), 429, adapter=ADAPTER, retry_after="7")
    assert failure.retry_after_s == 7.0


def test_tokens_of_a_minute_ask_for_no_lower_rate() -> None:
    failure = failure_in(error("insufficient_quota", message=TOKENS), 429, adapter=ADAPTER)
    assert (failure.retry_after_s, failure.asks_to_slow_down) == (None, False)


def test_a_429_that_no_row_names_is_not_recognised() -> None:
    failure = failure_in(error("New"), 429, adapter=ADAPTER)
    assert (failure.reason, failure.is_recognised) == (Reason.RATE_LIMITED, False)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (completion("Dy", finish_reason="content_filter"), Reason.BLOCKED),
        (completion("Dy", finish_reason="length"), Reason.TRUNCATED),
        (completion(""), Reason.EMPTY),
        (b"{}", Reason.MALFORMED),
    ],
)
def test_a_200_without_an_answer_has_its_reason(content: bytes, reason: Reason) -> None:
    assert failure_in(content, adapter=ADAPTER).reason is reason


@settings(max_examples=60, deadline=None)
@given(hostile_responses(ANSWERED, error("Throttling", message=BURST)))
def test_no_bytes_make_the_adapter_raise(response: WireResponse) -> None:
    assert_reads(ADAPTER, response)
