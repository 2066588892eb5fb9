import json
from dataclasses import replace
from typing import Any

import pytest
from exchanges import PROMPT, answer_in, completion, error, failure_in, requested
from hostile_bodies import assert_reads, hostile_responses
from hypothesis import given, settings

from brand_visibility.adapters.platforms.wire import WireResponse
from brand_visibility.adapters.platforms.zhipu import ADAPTER
from brand_visibility.domain.outcomes import Reason, SearchEvidence, Source, Usage
from tests.builders import a_platform

PAGES = [
    {"title": "吸尘器", "link": "https://a.example/1", "content": "…", "refer": "ref_1"},
    {"title": "No address", "content": "…"},
    {"title": None, "link": "https://b.example", "media": "B"},
]
USAGE = {
    "prompt_tokens": 11,
    "completion_tokens": 22,
    "prompt_tokens_details": {"cached_tokens": 3},
}
PLAIN = completion("Dyson.", usage=USAGE)
SEARCHED = completion("Dyson.", usage=USAGE, web_search=PAGES)

# code, reason
CODES = [
    ("1301", Reason.BLOCKED),
    ("1302", Reason.RATE_LIMITED),
    ("1303", Reason.RATE_LIMITED),
    ("1305", Reason.RATE_LIMITED),
    ("1113", Reason.QUOTA_EXHAUSTED),
    ("1112", Reason.UNAUTHORIZED),
    ("1121", Reason.UNAUTHORIZED),
    ("1234", Reason.SERVER_FAULT),
]


@pytest.mark.parametrize("status", [200, 400, 429, 500])
@pytest.mark.parametrize(("code", "reason"), CODES)
def test_a_business_code_decides_whatever_the_status_says(
    code: str, reason: Reason, status: int
) -> None:
    failure = failure_in(error(code, message="…"), status, adapter=ADAPTER)
    assert (failure.reason, failure.is_recognised) == (reason, True)


@pytest.mark.parametrize(("code", "reason"), CODES)
def test_a_code_may_be_a_number_on_top_of_the_body(code: str, reason: Reason) -> None:
    body = json.dumps({"code": int(code), "msg": "已欠费", "success": False}).encode()
    failure = failure_in(body, adapter=ADAPTER)
    assert (failure.reason, failure.detail) == (reason, f"{code}: 已欠费")


@pytest.mark.parametrize(
    ("status", "reason"),
    [
        (400, Reason.REJECTED),
        (401, Reason.UNAUTHORIZED),
        (429, Reason.RATE_LIMITED),
        (500, Reason.SERVER_FAULT),
        (200, Reason.SERVER_FAULT),
    ],
)
def test_the_status_decides_on_a_code_that_no_row_names(status: int, reason: Reason) -> None:
    assert failure_in(error("1999"), status, adapter=ADAPTER).reason is reason


def test_a_refusal_that_no_row_names_is_not_recognised() -> None:
    assert not failure_in(error("1999"), 429, adapter=ADAPTER).is_recognised


@pytest.mark.parametrize(("headers", "wait_s"), [({"retry_after": "3"}, 3.0), ({}, None)])
def test_a_wait_is_read_from_the_headers(headers: dict[str, str], wait_s: float | None) -> None:
    assert failure_in(error("1302"), 429, adapter=ADAPTER, **headers).retry_after_s == wait_s


def test_the_pages_of_a_search_are_the_sources() -> None:
    answer = answer_in(SEARCHED, adapter=ADAPTER)
    assert answer.search is SearchEvidence.SEARCHED
    assert answer.sources == (
        Source(1, "https://a.example/1", "吸尘器"),
        Source(3, "https://b.example"),
    )


def test_pages_without_an_address_show_that_it_searched() -> None:
    answer = answer_in(completion("Dyson.", web_search=[{"title": "?"}]), adapter=ADAPTER)
    assert (answer.search, answer.sources) == (SearchEvidence.SEARCHED, ())


@pytest.mark.parametrize("pages", [None, [], "x", {"link": "https://a.example"}])
def test_without_pages_nothing_tells_whether_it_searched(pages: object) -> None:
    answer = answer_in(completion("Dyson.", web_search=pages), adapter=ADAPTER)
    assert (answer.search, answer.sources) == (SearchEvidence.UNKNOWN, ())


def test_an_answer_without_a_search_is_an_answer() -> None:
    answer = answer_in(PLAIN, adapter=ADAPTER)
    assert (answer.text, answer.usage) == ("Dyson.", Usage(11, 22, None, 3))


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (completion("", finish_reason="sensitive"), Reason.BLOCKED),
        (completion("Dys", finish_reason="sensitive"), Reason.BLOCKED),
        (completion("Dys", finish_reason="network_error"), Reason.SERVER_FAULT),
        (completion("Dys", finish_reason="length"), Reason.TRUNCATED),
        (completion(""), Reason.EMPTY),
        (completion(None, message={"refusal": "No."}), Reason.REFUSED),
        (b"{}", Reason.MALFORMED),
    ],
)
def test_a_success_without_an_answer_has_its_reason(body: bytes, reason: Reason) -> None:
    assert failure_in(body, adapter=ADAPTER).reason is reason


def test_a_request_takes_the_search_tool_from_the_catalog() -> None:
    tools: dict[str, Any] = {
        "tools": [{"type": "web_search", "web_search": {"enable": True, "search_result": True}}]
    }
    assert ADAPTER.base_url is not None
    request = requested(
        ADAPTER,
        replace(a_platform(), parameters=tools),
        base_url=ADAPTER.base_url,
        key="not-a-key",
    )
    assert request.url == "https://open.bigmodel.cn/api/paas/v4/chat/completions"
    assert request.headers["Authorization"] == "Bearer not-a-key"
    body = json.loads(request.body)
    assert body["tools"] == tools["tools"]
    assert body["messages"] == [{"role": "user", "content": PROMPT}]


@settings(max_examples=150, deadline=None)
@given(hostile_responses(PLAIN, SEARCHED, error("1302")))
def test_no_response_makes_the_adapter_raise(response: WireResponse) -> None:
    assert_reads(ADAPTER, response)
