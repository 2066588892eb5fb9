import json
from dataclasses import replace
from typing import Any

import pytest
from exchanges import PROMPT, answer_in, error, failure_in, requested
from hostile_bodies import assert_reads, hostile_responses
from hypothesis import given, settings

from brand_visibility.adapters.platforms.openai_responses import ADAPTER
from brand_visibility.adapters.platforms.wire import WireResponse
from brand_visibility.domain.outcomes import Reason, SearchEvidence, Source, Usage
from tests.builders import a_platform

USAGE = {
    "input_tokens": 300,
    "input_tokens_details": {"cached_tokens": 100},
    "output_tokens": 80,
    "output_tokens_details": {"reasoning_tokens": 60},
    "total_tokens": 380,
}
SEARCH = {
    "type": "web_search_call",
    "id": "ws_1",
    "status": "completed",
    "action": {"type": "search", "query": "best vacuum"},
}
THOUGHT = {"type": "reasoning", "id": "rs_1", "summary": []}


def citation(url: str, title: str) -> dict[str, Any]:
    return {"type": "url_citation", "start_index": 0, "end_index": 5, "url": url, "title": title}


def message(text: str, *annotations: dict[str, Any]) -> dict[str, Any]:
    part = {"type": "output_text", "text": text, "annotations": list(annotations)}
    return {"type": "message", "role": "assistant", "status": "completed", "content": [part]}


def refusal(text: str) -> dict[str, Any]:
    return {"type": "message", "content": [{"type": "refusal", "refusal": text}]}


def responded(*output: object, status: object = "completed", **more: Any) -> bytes:
    body = {
        "id": "resp_1",
        "object": "response",
        "status": status,
        "error": None,
        "incomplete_details": None,
        "model": "gpt-9",
        "output": list(output),
        "usage": USAGE,
    }
    return json.dumps(body | more).encode()


PLAIN = responded(THOUGHT, message("Dyson."))
SEARCHED = responded(
    THOUGHT,
    SEARCH,
    SEARCH | {"id": "ws_2"},
    message(
        "Dyson.",
        citation("https://a.example/1", "First"),
        citation("https://b.example", "Second"),
        citation("https://a.example/1", "First"),
    ),
)

# status, code, type, reason
ERRORS = [
    (429, "rate_limit_exceeded", "requests", Reason.RATE_LIMITED),
    (429, "slow_down", None, Reason.RATE_LIMITED),
    (503, "server_is_overloaded", None, Reason.SERVER_FAULT),
    (429, "insufficient_quota", "insufficient_quota", Reason.QUOTA_EXHAUSTED),
    (429, "credit_balance_exhausted", "insufficient_quota", Reason.QUOTA_EXHAUSTED),
    (401, "invalid_api_key", "invalid_request_error", Reason.UNAUTHORIZED),
    (403, None, None, Reason.UNAUTHORIZED),
    (400, None, "invalid_request_error", Reason.REJECTED),
]


@pytest.mark.parametrize(("status", "code", "kind", "reason"), ERRORS)
def test_an_error_means_what_it_means_in_chat(
    status: int, code: str | None, kind: str | None, reason: Reason
) -> None:
    assert failure_in(error(code, kind=kind), status, adapter=ADAPTER).reason is reason


def test_a_refusal_of_the_rate_that_no_row_names_is_not_recognised() -> None:
    failure = failure_in(error("brand_new"), 429, adapter=ADAPTER, retry_after="4")
    assert (failure.reason, failure.is_recognised) == (Reason.RATE_LIMITED, False)
    assert failure.retry_after_s == 4.0


def test_slow_down_pauses_and_lowers_the_rate() -> None:
    failure = failure_in(error("slow_down"), 429, adapter=ADAPTER)
    assert (failure.retry_after_s, failure.asks_to_slow_down) == (60.0, True)


def test_an_answer_is_read_with_everything_the_platform_said() -> None:
    answer = answer_in(SEARCHED, adapter=ADAPTER, x_request_id="req_7")
    assert (answer.text, answer.model, answer.finish_reason) == ("Dyson.", "gpt-9", "completed")
    assert answer.usage == Usage(300, 80, 60, 100, search_count=2)
    assert answer.request_id == "req_7"
    assert answer.raw_body == SEARCHED


def test_a_search_is_an_item_of_the_answer_and_its_citations_are_the_sources() -> None:
    answer = answer_in(SEARCHED, adapter=ADAPTER)
    assert answer.search is SearchEvidence.SEARCHED
    assert answer.sources == (
        Source(1, "https://a.example/1", "First", is_cited=True),
        Source(2, "https://b.example", "Second", is_cited=True),
    )


def test_an_answer_without_a_search_item_was_not_searched_for() -> None:
    answer = answer_in(PLAIN, adapter=ADAPTER)
    assert (answer.search, answer.sources) == (SearchEvidence.NOT_SEARCHED, ())
    assert answer.usage.search_count == 0


def test_a_search_that_cites_nothing_was_a_search() -> None:
    answer = answer_in(responded(SEARCH, message("Dyson.")), adapter=ADAPTER)
    assert (answer.search, answer.sources) == (SearchEvidence.SEARCHED, ())


def test_another_kind_of_citation_is_no_page() -> None:
    body = responded(message("Dyson.", citation("https://a.example", "A") | {"type": "file"}))
    assert answer_in(body, adapter=ADAPTER).sources == ()


def test_the_parts_of_a_message_are_one_text_and_messages_are_paragraphs() -> None:
    parts = message("Dy")
    parts["content"].append({"type": "output_text", "text": "son"})
    answer = answer_in(responded(parts, SEARCH, message("Roborock.")), adapter=ADAPTER)
    assert answer.text == "Dyson\n\nRoborock."


@pytest.mark.parametrize("status", [None, "completed", 3])
def test_an_answer_needs_no_status(status: object) -> None:
    assert answer_in(responded(message("Dyson."), status=status), adapter=ADAPTER).text == "Dyson."


NO_ANSWERS = [
    (responded(refusal("I can't help.")), Reason.REFUSED),
    (responded(message("Dy"), refusal("No.")), Reason.REFUSED),
    (
        responded(
            message("Dys"), status="incomplete", incomplete_details={"reason": "max_output_tokens"}
        ),
        Reason.TRUNCATED,
    ),
    (
        responded(status="incomplete", incomplete_details={"reason": "content_filter"}),
        Reason.BLOCKED,
    ),
    (
        responded(message("Dys"), status="incomplete", incomplete_details={"reason": "new"}),
        Reason.TRUNCATED,
    ),
    (responded(message("Dys"), status="incomplete"), Reason.TRUNCATED),
    (responded(status="failed"), Reason.SERVER_FAULT),
    (responded(status="failed", error={"code": "server_error"}), Reason.SERVER_FAULT),
    (responded(status="failed", error={"code": "rate_limit_exceeded"}), Reason.RATE_LIMITED),
    (responded(status="cancelled"), Reason.SERVER_FAULT),
    (responded(status="queued"), Reason.MALFORMED),
    (responded(message("Dys"), status="in_progress"), Reason.MALFORMED),
    (responded(), Reason.EMPTY),
    (responded(THOUGHT, message(" ")), Reason.EMPTY),
    (responded(output=None), Reason.MALFORMED),
    (b"{}", Reason.MALFORMED),
    (b"[]", Reason.MALFORMED),
    (b"<html>", Reason.MALFORMED),
]


@pytest.mark.parametrize(("body", "reason"), NO_ANSWERS)
def test_a_success_without_an_answer_has_its_reason(body: bytes, reason: Reason) -> None:
    failure = failure_in(body, adapter=ADAPTER)
    assert (failure.reason, failure.http_status) == (reason, 200)


def test_what_a_truncated_answer_used_is_counted() -> None:
    body = responded(SEARCH, message("Dys"), status="incomplete")
    assert failure_in(body, adapter=ADAPTER).usage == Usage(300, 80, 60, 100, 1)


def test_a_request_asks_the_prompt_and_has_nothing_kept() -> None:
    platform = replace(a_platform(), parameters={"tools": [{"type": "web_search"}]})
    assert ADAPTER.base_url is not None
    request = requested(ADAPTER, platform, base_url=ADAPTER.base_url, key="sk-not-a-key")
    assert (request.method, request.url) == ("POST", "https://api.openai.com/v1/responses")
    assert request.headers["Authorization"] == "Bearer sk-not-a-key"
    assert json.loads(request.body) == {
        "store": False,
        "tools": [{"type": "web_search"}],
        "model": "model-1",
        "input": PROMPT,
        "stream": False,
    }


def test_the_catalog_may_have_answers_kept_but_not_change_what_is_asked() -> None:
    parameters = {"store": True, "input": "x", "model": "y", "stream": True}
    request = requested(ADAPTER, replace(a_platform(), parameters=parameters))
    assert json.loads(request.body) == {
        "store": True,
        "model": "model-1",
        "input": PROMPT,
        "stream": False,
    }


@settings(max_examples=150, deadline=None)
@given(hostile_responses(PLAIN, SEARCHED, responded(refusal("No."))))
def test_no_response_makes_the_adapter_raise(response: WireResponse) -> None:
    assert_reads(ADAPTER, response)
