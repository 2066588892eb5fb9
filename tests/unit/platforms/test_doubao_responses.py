import json
from dataclasses import replace
from typing import Any

import pytest
from exchanges import PROMPT, answer_in, error, failure_in, requested
from hostile_bodies import assert_reads, hostile_responses
from hypothesis import given, settings

from brand_visibility.adapters.platforms.doubao_responses import ADAPTER
from brand_visibility.adapters.platforms.wire import WireResponse
from brand_visibility.domain.outcomes import Reason, SearchEvidence, Usage
from tests.builders import a_platform

SEARCH = {
    "type": "web_search_call",
    "id": "ws-1",
    "status": "completed",
    "action": {"type": "search", "query": "吸尘器"},
}


def message(text: str, *pages: tuple[str, str]) -> dict[str, Any]:
    annotations = [{"type": "url_citation", "url": url, "title": title} for url, title in pages]
    part = {"type": "output_text", "text": text, "annotations": annotations}
    return {"type": "message", "role": "assistant", "content": [part]}


def responded(*output: object, status: str = "completed", **more: Any) -> bytes:
    usage = {
        "input_tokens": 12,
        "output_tokens": 34,
        "input_tokens_details": {"cached_tokens": 5},
        "output_tokens_details": {"reasoning_tokens": 20},
        "tool_usage": {"web_search": 1},
    }
    thoughts = {"type": "reasoning", "summary": [{"type": "summary_text", "text": "Hm."}]}
    body = {"id": "resp-1", "model": "doubao-1", "status": status, "usage": usage}
    return json.dumps(body | {"output": [thoughts, *output]} | more).encode()


SEARCHED = responded(
    SEARCH, message("戴森。", ("https://a.example", "A"), ("https://b.example", "B"))
)


def test_a_request_asks_the_prompt_with_the_catalogs_tools() -> None:
    parameters = {"tools": [{"type": "web_search", "max_keyword": 2}]}
    platform = replace(a_platform(), parameters=parameters)
    request = requested(ADAPTER, platform, base_url=str(ADAPTER.base_url), key="key-1")
    assert request.url == "https://ark.cn-beijing.volces.com/api/v3/responses"
    asked = json.loads(request.body)
    assert asked.items() >= (parameters | {"model": "model-1", "input": PROMPT}).items()


def test_an_answer_after_a_search_has_its_citations_as_sources() -> None:
    answer = answer_in(SEARCHED, adapter=ADAPTER)
    assert (answer.text, answer.model, answer.request_id) == ("戴森。", "doubao-1", "resp-1")
    assert answer.search is SearchEvidence.SEARCHED
    assert [(one.position, one.url, one.title) for one in answer.sources] == [
        (1, "https://a.example", "A"),
        (2, "https://b.example", "B"),
    ]


def test_an_answer_counts_its_tokens_and_searches() -> None:
    usage = answer_in(SEARCHED, adapter=ADAPTER).usage
    assert usage == Usage(12, 34, reasoning_tokens=20, cached_tokens=5, search_count=1)


def test_an_answer_without_a_search_item_was_not_searched_for() -> None:
    answer = answer_in(responded(message("戴森。")), adapter=ADAPTER)
    assert (answer.search, answer.sources) == (SearchEvidence.NOT_SEARCHED, ())


# Its whole table is tested with chat completions: these tell it from OpenAI's.
ERRORS = [
    (429, "RateLimitExceeded.EndpointTPMExceeded", Reason.RATE_LIMITED),
    (429, "SetLimitExceeded", Reason.QUOTA_EXHAUSTED),
    (429, "ServerOverloaded", Reason.SERVER_FAULT),
    (400, "InputTextRiskDetection", Reason.BLOCKED),
    (404, "ModelNotOpen", Reason.UNAUTHORIZED),
    (200, "OutputTextSensitiveContentDetected", Reason.BLOCKED),
    (500, "New", Reason.SERVER_FAULT),
]


@pytest.mark.parametrize(("status", "code", "reason"), ERRORS)
def test_an_error_means_what_it_means_in_chat_completions(
    status: int, code: str, reason: Reason
) -> None:
    failure = failure_in(error(code), status, adapter=ADAPTER)
    assert (failure.reason, failure.is_recognised) == (reason, True)


def test_a_429_that_no_row_names_is_not_recognised() -> None:
    failure = failure_in(error("New"), 429, adapter=ADAPTER, retry_after="7")
    assert (failure.reason, failure.is_recognised) == (Reason.RATE_LIMITED, False)
    assert failure.retry_after_s == 7.0


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (
            responded(
                message("戴"), status="incomplete", incomplete_details={"reason": "content_filter"}
            ),
            Reason.BLOCKED,
        ),
        (
            responded(message("戴"), status="incomplete", incomplete_details={"reason": "length"}),
            Reason.TRUNCATED,
        ),
        (responded(status="failed"), Reason.SERVER_FAULT),
        (responded(message("")), Reason.EMPTY),
        (responded(), Reason.EMPTY),
        (b"{}", Reason.MALFORMED),
        (b"", Reason.MALFORMED),
    ],
)
def test_a_200_without_an_answer_has_its_reason(content: bytes, reason: Reason) -> None:
    assert failure_in(content, adapter=ADAPTER).reason is reason


@settings(max_examples=60, deadline=None)
@given(hostile_responses(SEARCHED, error("ServerOverloaded")))
def test_no_bytes_make_the_adapter_raise(response: WireResponse) -> None:
    assert_reads(ADAPTER, response)
