import json
from dataclasses import replace

import pytest
from exchanges import answer_in, completion, error, failure_in, requested
from hostile_bodies import assert_reads, hostile_responses
from hypothesis import given, settings

from brand_visibility.adapters.platforms.hunyuan import ADAPTER
from brand_visibility.adapters.platforms.wire import WireResponse
from brand_visibility.domain.outcomes import Reason, SearchEvidence, Source, Usage
from tests.builders import a_platform

PAGES = [
    {"index": 1, "title": "吸尘器", "url": "https://a.example/1"},
    {"index": 2, "title": "评测", "url": "https://b.example/2"},
]
SEARCHED = completion(
    "Dyson[1](@ref).",
    search_info={"search_results": PAGES},
    usage={"prompt_tokens": 12, "completion_tokens": 34},
)


def test_a_request_sends_the_catalogs_parameters_for_searching() -> None:
    parameters = {"enable_enhancement": True, "citation": True, "search_info": True}
    platform = replace(a_platform(), parameters=parameters)
    request = requested(ADAPTER, platform, base_url=str(ADAPTER.base_url), key="sk-1")
    assert request.url == "https://api.hunyuan.cloud.tencent.com/v1/chat/completions"
    assert json.loads(request.body).items() >= parameters.items()


def test_without_parameters_nothing_is_asked_for_besides_the_answer() -> None:
    assert json.loads(requested(ADAPTER).body).keys() == {"model", "messages", "stream"}


def test_named_pages_are_the_sources_of_a_search() -> None:
    answer = answer_in(SEARCHED, adapter=ADAPTER)
    assert answer.search is SearchEvidence.SEARCHED
    assert answer.sources == (
        Source(1, "https://a.example/1", "吸尘器"),
        Source(2, "https://b.example/2", "评测"),
    )
    assert answer.usage == Usage(12, 34)


@pytest.mark.parametrize("search_info", [None, [], {}, {"search_results": []}])
def test_without_named_pages_a_search_is_unknown(search_info: object) -> None:
    answer = answer_in(completion(search_info=search_info), adapter=ADAPTER)
    assert (answer.search, answer.sources) == (SearchEvidence.UNKNOWN, ())


# status, code, type, reason
ERRORS = [
    (429, "rate_limit_exceeded", None, Reason.RATE_LIMITED),
    (429, "RequestLimitExceeded", None, Reason.RATE_LIMITED),
    (200, "LimitExceeded", None, Reason.RATE_LIMITED),
    (401, "invalid_api_key", "invalid_request_error", Reason.UNAUTHORIZED),
    (400, None, "authentication_error", Reason.UNAUTHORIZED),
    (403, "AuthFailure.SignatureExpire", None, Reason.UNAUTHORIZED),
    (429, "insufficient_quota", None, Reason.QUOTA_EXHAUSTED),
    (400, "FailedOperation.ServiceStopArrears", None, Reason.QUOTA_EXHAUSTED),
    (400, "content_filter", None, Reason.BLOCKED),
    (400, "sensitive", None, Reason.BLOCKED),
    (400, "InvalidParameterValue.Model", None, Reason.REJECTED),
    (400, "new", None, Reason.REJECTED),
    (500, "InternalError", None, Reason.SERVER_FAULT),
    (500, 4000, None, Reason.SERVER_FAULT),
    (500, "4001", None, Reason.TIMED_OUT),
    (503, "new", None, Reason.SERVER_FAULT),
]


@pytest.mark.parametrize(("status", "code", "kind", "reason"), ERRORS)
def test_an_error_has_its_reason(
    status: int, code: object, kind: str | None, reason: Reason
) -> None:
    failure = failure_in(error(code, kind=kind), status, adapter=ADAPTER)
    assert (failure.reason, failure.is_recognised) == (reason, True)


def test_a_429_that_no_row_names_is_not_recognised() -> None:
    failure = failure_in(error("new"), 429, adapter=ADAPTER, retry_after="7")
    assert (failure.reason, failure.is_recognised) == (Reason.RATE_LIMITED, False)
    assert failure.retry_after_s == 7.0


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (completion("Dy", finish_reason="sensitive"), Reason.BLOCKED),
        (completion("", finish_reason="sensitive"), Reason.BLOCKED),
        (completion("Dy", finish_reason="length"), Reason.TRUNCATED),
        (completion(""), Reason.EMPTY),
        (b"{}", Reason.MALFORMED),
    ],
)
def test_a_200_without_an_answer_has_its_reason(content: bytes, reason: Reason) -> None:
    assert failure_in(content, adapter=ADAPTER).reason is reason


@settings(max_examples=60, deadline=None)
@given(hostile_responses(SEARCHED, error("InternalError")))
def test_no_bytes_make_the_adapter_raise(response: WireResponse) -> None:
    assert_reads(ADAPTER, response)
