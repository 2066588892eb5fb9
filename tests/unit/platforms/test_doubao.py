import pytest
from exchanges import answer_in, completion, error, failure_in, requested
from hostile_bodies import assert_reads, hostile_responses
from hypothesis import given, settings

from brand_visibility.adapters.platforms.doubao import ADAPTER
from brand_visibility.adapters.platforms.wire import WireResponse
from brand_visibility.domain.outcomes import Reason, SearchEvidence, Usage

ANSWERED = completion(
    "Dyson.",
    message={"reasoning_content": "They ask about vacuum cleaners."},
    usage={
        "prompt_tokens": 12,
        "completion_tokens": 34,
        "prompt_tokens_details": {"cached_tokens": 5},
        "completion_tokens_details": {"reasoning_tokens": 20},
    },
)


def test_a_request_goes_to_arks_chat_completions() -> None:
    request = requested(ADAPTER, base_url=str(ADAPTER.base_url))
    assert request.url == "https://ark.cn-beijing.volces.com/api/v3/chat/completions"


def test_an_answer_is_read_without_the_thoughts_before_it() -> None:
    answer = answer_in(ANSWERED, adapter=ADAPTER)
    assert answer.text == "Dyson."
    assert answer.usage == Usage(12, 34, reasoning_tokens=20, cached_tokens=5)


def test_an_answer_says_nothing_about_searching() -> None:
    answer = answer_in(ANSWERED, adapter=ADAPTER)
    assert (answer.search, answer.sources) == (SearchEvidence.UNKNOWN, ())


ERRORS = [
    (429, "RateLimitExceeded", Reason.RATE_LIMITED),
    (429, "RateLimitExceeded.EndpointRPMExceeded", Reason.RATE_LIMITED),
    (429, "RateLimitExceeded.EndpointTPMExceeded", Reason.RATE_LIMITED),
    (429, "RateLimitExceeded.FoundationModelRPMExceeded", Reason.RATE_LIMITED),
    (429, "AccountRateLimitExceeded", Reason.RATE_LIMITED),
    (429, "ModelAccountTpmRateLimitExceeded", Reason.RATE_LIMITED),
    (429, "APIAccountRpmRateLimitExceeded", Reason.RATE_LIMITED),
    (429, "InflightBatchsizeExceeded", Reason.RATE_LIMITED),
    (429, "RequestBurstTooFast", Reason.RATE_LIMITED),
    (429, "ServerOverloaded", Reason.SERVER_FAULT),
    (429, "ModelLoadingError", Reason.SERVER_FAULT),
    (500, "InternalServiceError", Reason.SERVER_FAULT),
    (429, "SetLimitExceeded", Reason.QUOTA_EXHAUSTED),
    (429, "QuotaExceeded", Reason.QUOTA_EXHAUSTED),
    (403, "AccountOverdueError", Reason.QUOTA_EXHAUSTED),
    (403, "OperationDenied.ServiceOverdue", Reason.QUOTA_EXHAUSTED),
    (400, "SensitiveContentDetected", Reason.BLOCKED),
    (400, "SensitiveContentDetected.SevereViolation", Reason.BLOCKED),
    (400, "InputTextSensitiveContentDetected", Reason.BLOCKED),
    (400, "InputTextRiskDetection", Reason.BLOCKED),
    (400, "OutputTextSensitiveContentDetected", Reason.BLOCKED),
    (400, "OutputTextRiskDetection", Reason.BLOCKED),
    (404, "ModelNotOpen", Reason.UNAUTHORIZED),
    (404, "InvalidEndpointOrModel.NotFound", Reason.UNAUTHORIZED),
    (403, "OperationDenied.ServiceNotOpen", Reason.UNAUTHORIZED),
    (401, "AuthenticationError", Reason.UNAUTHORIZED),
    (403, "AccessDenied", Reason.UNAUTHORIZED),
    (400, "InvalidParameter", Reason.REJECTED),
    # Unknown words: the status decides.
    (403, "New", Reason.UNAUTHORIZED),
    (404, "New", Reason.REJECTED),
    (503, "New", Reason.SERVER_FAULT),
]


@pytest.mark.parametrize(("status", "code", "reason"), ERRORS)
def test_an_error_has_its_reason(status: int, code: str, reason: Reason) -> None:
    failure = failure_in(error(code, kind="TooManyRequests"), status, adapter=ADAPTER)
    assert (failure.reason, failure.is_recognised) == (reason, True)


@pytest.mark.parametrize(
    ("code", "slows_down"),
    [("RequestBurstTooFast", True), ("RateLimitExceeded.EndpointRPMExceeded", False)],
)
def test_only_a_burst_asks_for_a_lower_rate(code: str, slows_down: object) -> None:
    failure = failure_in(error(code), 429, adapter=ADAPTER)
    assert failure.asks_to_slow_down is slows_down


def test_a_429_that_no_row_names_is_not_recognised() -> None:
    failure = failure_in(error("New"), 429, adapter=ADAPTER, retry_after="7")
    assert (failure.reason, failure.is_recognised) == (Reason.RATE_LIMITED, False)
    assert failure.retry_after_s == 7.0


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (completion("Dy", finish_reason="content_filter"), Reason.BLOCKED),
        (completion("Dy", finish_reason="length"), Reason.TRUNCATED),
        (completion("", message={"reasoning_content": "Hm."}), Reason.EMPTY),
        (b"{}", Reason.MALFORMED),
    ],
)
def test_a_200_without_an_answer_has_its_reason(content: bytes, reason: Reason) -> None:
    assert failure_in(content, adapter=ADAPTER).reason is reason


@settings(max_examples=60, deadline=None)
@given(hostile_responses(ANSWERED, error("ServerOverloaded")))
def test_no_bytes_make_the_adapter_raise(response: WireResponse) -> None:
    assert_reads(ADAPTER, response)
