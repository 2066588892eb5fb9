import json
from dataclasses import replace
from typing import Any

import pytest
from exchanges import PROMPT, answer_in, failure_in, requested
from hostile_bodies import assert_reads, hostile_responses
from hypothesis import given, settings

from brand_visibility.adapters.platforms.qwen_native import ADAPTER
from brand_visibility.adapters.platforms.wire import WireResponse
from brand_visibility.domain.outcomes import Answer, Reason, SearchEvidence, Source, Usage
from tests.builders import a_platform

BASE_URL = "https://dashscope.aliyuncs.com/api/v1"
KEY = "sk-canary-0123456789"


def answered(
    text: object = "戴森。",
    finish_reason: str = "stop",
    *,
    search_info: object = None,
    usage: dict[str, Any] | None = None,
    **more: Any,
) -> bytes:
    message = {"role": "assistant", "content": text}
    output = {"choices": [{"message": message, "finish_reason": finish_reason}]}
    content: dict[str, Any] = {
        "output": output if search_info is None else output | {"search_info": search_info},
        "usage": {"input_tokens": 12, "output_tokens": 34, "total_tokens": 46} | (usage or {}),
        "request_id": "req-9",
    }
    return json.dumps(content | more).encode()


def refused(code: object, message: str = "") -> bytes:
    return json.dumps({"code": code, "message": message, "request_id": "req-9"}).encode()


PAGES = [
    {"index": 1, "title": "吸尘器", "url": "https://a.example/1", "site_name": "A"},
    {"index": 2, "title": "评测", "url": "https://b.example/2", "icon": ""},
]
ONE_SEARCH = {"plugins": {"search": {"count": 1}}}
SEARCHED = answered("戴森[1]。", search_info={"search_results": PAGES}, usage=ONE_SEARCH)


def test_a_request_asks_the_prompt_of_the_platforms_model() -> None:
    parameters = {"enable_search": True, "search_options": {"enable_source": True}}
    platform = replace(a_platform(), parameters=parameters)
    request = requested(ADAPTER, platform, base_url=f"{BASE_URL}/", key=KEY)
    assert request.url == f"{BASE_URL}/services/aigc/text-generation/generation"
    assert request.headers["Authorization"] == f"Bearer {KEY}"
    assert json.loads(request.body) == {
        "model": "model-1",
        "input": {"messages": [{"role": "user", "content": PROMPT}]},
        "parameters": {**parameters, "result_format": "message"},
    }


def test_parameters_of_the_catalog_cannot_change_the_form_of_an_answer() -> None:
    platform = replace(a_platform(), parameters={"result_format": "text", "model": "x"})
    asked = json.loads(requested(ADAPTER, platform).body)
    assert (asked["model"], asked["parameters"]["result_format"]) == ("model-1", "message")


def test_neither_key_nor_prompt_shows_in_a_requests_repr() -> None:
    shown = repr(requested(ADAPTER, base_url=BASE_URL, key=KEY))
    assert KEY not in shown
    assert PROMPT not in shown


def test_an_answer_is_read_with_everything_the_platform_said() -> None:
    content = answered(
        usage={
            "prompt_tokens_details": {"cached_tokens": 5},
            "output_tokens_details": {"reasoning_tokens": 20},
        }
    )
    assert answer_in(content, adapter=ADAPTER) == Answer(
        text="戴森。",
        finish_reason="stop",
        usage=Usage(12, 34, reasoning_tokens=20, cached_tokens=5),
        request_id="req-9",
        raw_body=content,
    )


def test_named_pages_are_the_sources_of_a_search() -> None:
    answer = answer_in(SEARCHED, adapter=ADAPTER)
    assert (answer.search, answer.usage.search_count) == (SearchEvidence.SEARCHED, 1)
    assert answer.sources == (
        Source(1, "https://a.example/1", "吸尘器"),
        Source(2, "https://b.example/2", "评测"),
    )


# pages, counted searches, evidence
EVIDENCE = [
    (PAGES, None, SearchEvidence.SEARCHED),
    (PAGES, 0, SearchEvidence.SEARCHED),
    ([], 1, SearchEvidence.SEARCHED),
    (None, 1, SearchEvidence.SEARCHED),
    ([], 0, SearchEvidence.NOT_SEARCHED),
    (None, 0, SearchEvidence.NOT_SEARCHED),
    ([], None, SearchEvidence.UNKNOWN),
    (None, None, SearchEvidence.UNKNOWN),
]


@pytest.mark.parametrize(("pages", "search_count", "evidence"), EVIDENCE)
def test_pages_or_a_counted_search_are_evidence(
    pages: object, search_count: int | None, evidence: SearchEvidence
) -> None:
    counted = {"plugins": {"search": {"count": search_count}}}
    content = answered(search_info={"search_results": pages}, usage=counted)
    assert answer_in(content, adapter=ADAPTER).search is evidence


# status, code, message, reason
ERRORS = [
    (429, "Throttling.RateQuota", "Requests rate limit exceeded", Reason.RATE_LIMITED),
    (429, "Throttling.AllocationQuota", "Allocated quota exceeded", Reason.RATE_LIMITED),
    (429, "Throttling.AllocationQuota", "Free allocated quota exceeded.", Reason.QUOTA_EXHAUSTED),
    (400, "Arrearage", "", Reason.QUOTA_EXHAUSTED),
    (400, "DataInspectionFailed", "", Reason.BLOCKED),
    (401, "InvalidApiKey", "Invalid API-key provided.", Reason.UNAUTHORIZED),
    (400, "InvalidParameter", "", Reason.REJECTED),
    (500, "InternalError", "", Reason.SERVER_FAULT),
    (200, "Throttling.RateQuota", "", Reason.RATE_LIMITED),
    (200, "New", "", Reason.SERVER_FAULT),
]


@pytest.mark.parametrize(("status", "code", "message", "reason"), ERRORS)
def test_an_error_is_the_body_as_a_whole(
    status: int, code: str, message: str, reason: Reason
) -> None:
    failure = failure_in(refused(code, message), status, adapter=ADAPTER)
    assert (failure.reason, failure.is_recognised) == (reason, True)
    assert failure.detail == (f"{code}: {message}" if message else code)


def test_a_rate_that_grows_too_fast_rests_a_minute_and_slows_down() -> None:
    body = refused("Throttling", "Request rate increased too quickly.")
    failure = failure_in(body, 429, adapter=ADAPTER)
    assert (failure.retry_after_s, failure.asks_to_slow_down) == (60.0, True)


def test_a_429_that_no_row_names_is_not_recognised() -> None:
    failure = failure_in(refused("New"), 429, adapter=ADAPTER, retry_after="7")
    assert (failure.reason, failure.is_recognised) == (Reason.RATE_LIMITED, False)
    assert failure.retry_after_s == 7.0


@pytest.mark.parametrize("nothing", [None, ""])
def test_a_code_that_says_nothing_is_no_error(nothing: object) -> None:
    assert answer_in(answered(code=nothing, message=""), adapter=ADAPTER).text == "戴森。"


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (answered("戴", "content_filter"), Reason.BLOCKED),
        (answered("戴", "length"), Reason.TRUNCATED),
        (answered(""), Reason.EMPTY),
        (b'{"output": {"choices": []}}', Reason.MALFORMED),
        (b'{"output": []}', Reason.MALFORMED),
        (b"{}", Reason.MALFORMED),
        (b"<html>", Reason.MALFORMED),
    ],
)
def test_a_200_without_an_answer_has_its_reason(content: bytes, reason: Reason) -> None:
    assert failure_in(content, adapter=ADAPTER).reason is reason


@settings(max_examples=60, deadline=None)
@given(hostile_responses(SEARCHED, refused("Throttling.RateQuota")))
def test_no_bytes_make_the_adapter_raise(response: WireResponse) -> None:
    assert_reads(ADAPTER, response)
