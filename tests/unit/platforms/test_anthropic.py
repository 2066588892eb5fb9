import json
from dataclasses import replace
from typing import Any

import pytest
from exchanges import NOW, PROMPT, answer_in, failure_in, parsed, requested
from hostile_bodies import assert_reads, hostile_responses
from hypothesis import example, given, settings

from brand_visibility.adapters.platforms.adapter import Continuation
from brand_visibility.adapters.platforms.anthropic import ADAPTER, BASE_URL
from brand_visibility.adapters.platforms.wire import WireResponse
from brand_visibility.domain.outcomes import (
    Answer,
    Failure,
    Reason,
    SearchEvidence,
    Source,
    Usage,
)
from tests.builders import a_platform

KEY = "sk-ant-canary-0123456789"
SEARCH_TOOL = {"type": "web_search_20250305", "name": "web_search"}

Block = dict[str, Any]


def said(text: str, *cited: str) -> Block:
    citations = [
        {"type": "web_search_result_location", "url": url, "title": f"On {url}", "cited_text": "…"}
        for url in cited
    ]
    return {"type": "text", "text": text} | ({"citations": citations} if cited else {})


def searched(query: str = "best vacuum") -> Block:
    return {
        "type": "server_tool_use",
        "id": "srvtoolu_1",
        "name": "web_search",
        "input": {"query": query},
    }


def found(*urls: str) -> Block:
    pages = [
        {"type": "web_search_result", "url": url, "title": f"On {url}", "encrypted_content": "E"}
        for url in urls
    ]
    return {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": pages}


def search_error(code: str) -> Block:
    content = {"type": "web_search_tool_result_error", "error_code": code}
    return {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": content}


def message(*blocks: object, stop_reason: object = "end_turn", **more: Any) -> bytes:
    body = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "claude-x",
        "content": list(blocks),
        "stop_reason": stop_reason,
    }
    return json.dumps(body | more).encode()


def error(kind: str | None, text: str = "", *, error_code: str | None = None) -> bytes:
    described: Block = {"type": kind, "message": text}
    if error_code is not None:
        described["details"] = {"error_code": error_code}
    return json.dumps({"type": "error", "error": described, "request_id": "req_1"}).encode()


def read(body: bytes, status: int = 200, **headers: str) -> Answer | Failure | Continuation:
    return parsed(body, status, adapter=ADAPTER, **headers)


def read_answer(*blocks: object, **more: Any) -> Answer:
    return answer_in(message(*blocks, **more), adapter=ADAPTER)


def read_failure(body: bytes, status: int = 200, **headers: str) -> Failure:
    return failure_in(body, status, adapter=ADAPTER, **headers)


def read_pause(*blocks: object, **more: Any) -> Continuation:
    paused = read(message(*blocks, stop_reason="pause_turn", **more))
    assert isinstance(paused, Continuation)
    return paused


def test_a_request_asks_the_prompt_with_the_key_and_the_version_in_headers() -> None:
    request = requested(ADAPTER, base_url=BASE_URL, key=KEY)
    assert (request.method, request.url) == ("POST", "https://api.anthropic.com/v1/messages")
    assert request.headers == {
        "Content-Type": "application/json",
        "Accept": "application/json",
        "anthropic-version": "2023-06-01",
        "x-api-key": KEY,
    }
    assert json.loads(request.body) == {
        "model": "model-1",
        "max_tokens": 4096,
        "messages": [{"role": "user", "content": PROMPT}],
        "stream": False,
    }


def test_without_a_key_no_header_holds_one() -> None:
    assert "x-api-key" not in requested(ADAPTER, base_url=f"{BASE_URL}/").headers


def test_the_catalogs_parameters_bring_the_search_and_another_bound() -> None:
    parameters = {"tools": [SEARCH_TOOL], "max_tokens": 900, "model": "x", "stream": True}
    body = json.loads(requested(ADAPTER, replace(a_platform(), parameters=parameters)).body)
    assert (body["tools"], body["max_tokens"]) == ([SEARCH_TOOL], 900)
    assert (body["model"], body["stream"]) == ("model-1", False)


def test_an_answer_without_search_is_read_with_everything_the_platform_said() -> None:
    body = message(
        {"type": "thinking", "thinking": "Vacuums…", "signature": "S"},
        said("Dyson.\n戴森。"),
        usage={"input_tokens": 12, "output_tokens": 34, "cache_read_input_tokens": 0},
    )
    assert answer_in(body, adapter=ADAPTER, request_id="req_7") == Answer(
        text="Dyson.\n戴森。",
        model="claude-x",
        finish_reason="end_turn",
        usage=Usage(12, 34, cached_tokens=0),
        request_id="req_7",
        search=SearchEvidence.NOT_SEARCHED,
        raw_body=body,
    )


def test_an_answer_after_a_search_names_every_page_and_marks_the_cited_ones() -> None:
    answer = read_answer(
        said("I'll look."),
        searched(),
        found("https://a.example/1", "https://b.example/2"),
        said("According to tests, "),
        said("Dyson", "https://b.example/2", "https://c.example/3"),
        said(" leads."),
        usage={
            "input_tokens": 100,
            "cache_read_input_tokens": 20,
            "cache_creation_input_tokens": 3,
            "output_tokens": 50,
            "output_tokens_details": {"thinking_tokens": 7},
            "server_tool_use": {"web_search_requests": 1},
        },
    )
    assert answer.text == "I'll look.\n\nAccording to tests, Dyson leads."
    assert answer.search is SearchEvidence.SEARCHED
    assert answer.usage == Usage(123, 50, 7, 20, 1)
    assert answer.sources == (
        Source(1, "https://a.example/1", "On https://a.example/1"),
        Source(2, "https://b.example/2", "On https://b.example/2", is_cited=True),
        Source(3, "https://c.example/3", "On https://c.example/3", is_cited=True),
    )


def test_a_page_that_two_searches_found_is_one_source_at_its_first_place() -> None:
    answer = read_answer(
        found("https://a.example", "https://b.example"),
        found("https://c.example", "https://a.example"),
        said("Dyson.", "https://a.example", "https://a.example"),
    )
    assert [(source.position, source.url) for source in answer.sources] == [
        (1, "https://a.example"),
        (2, "https://b.example"),
        (3, "https://c.example"),
    ]


def test_a_cited_page_that_is_found_again_stays_cited() -> None:
    answer = read_answer(said("Dyson", "https://a.example"), found("https://a.example"))
    assert [source.is_cited for source in answer.sources] == [True]


def test_only_blocks_of_text_are_the_answers_text() -> None:
    assert read_answer({"type": "thinking", "text": "Hm."}, said("Dyson.")).text == "Dyson."


def test_citations_of_documents_and_pages_without_an_address_are_no_sources() -> None:
    nameless = {"type": "web_search_tool_result", "content": [{"title": "No address"}]}
    document = {"type": "text", "text": "Dyson.", "citations": [{"type": "char_location"}]}
    assert read_answer(nameless, document).sources == ()


def test_the_sources_have_a_bound() -> None:
    urls = [f"https://{number}.example" for number in range(300)]
    assert len(read_answer(found(*urls), said("Dyson.")).sources) == 200


# blocks before the text, what usage says of searches, evidence
EVIDENCE = [
    ([], None, SearchEvidence.NOT_SEARCHED),
    ([], {}, SearchEvidence.NOT_SEARCHED),
    ([], {"web_search_requests": 0}, SearchEvidence.NOT_SEARCHED),
    ([], {"web_search_requests": 1}, SearchEvidence.SEARCHED),
    ([searched(), found("https://a.example")], None, SearchEvidence.SEARCHED),
    ([searched(), found()], None, SearchEvidence.SEARCHED),
    ([searched(), search_error("max_uses_exceeded")], None, SearchEvidence.SEARCHED),
    ([found("https://a.example"), search_error("max_uses_exceeded")], None,
     SearchEvidence.SEARCHED),
    ([searched(), search_error("query_too_long")], None, SearchEvidence.UNKNOWN),
    ([searched(), search_error("invalid_input")], None, SearchEvidence.UNKNOWN),
    ([searched()], None, SearchEvidence.UNKNOWN),
    ([searched() | {"name": "code_execution"}], None, SearchEvidence.NOT_SEARCHED),
]  # fmt: skip


@pytest.mark.parametrize(("blocks", "counted", "search"), EVIDENCE)
def test_an_answer_says_whether_it_was_searched_for(
    blocks: list[Block], counted: object, search: SearchEvidence
) -> None:
    answer = read_answer(*blocks, said("Dyson."), usage={"server_tool_use": counted})
    assert answer.search is search


@pytest.mark.parametrize(
    ("code", "reason"),
    [("too_many_requests", Reason.RATE_LIMITED), ("unavailable", Reason.SERVER_FAULT)],
)
def test_a_search_that_could_not_be_made_leaves_no_answer(code: str, reason: Reason) -> None:
    failure = read_failure(
        message(searched(), search_error(code), said("From memory: Dyson."),
                usage={"input_tokens": 9, "output_tokens": 4})
    )  # fmt: skip
    assert (failure.reason, failure.http_status) == (reason, 200)
    assert failure.detail == f"the search failed: {code}"
    assert failure.usage == Usage(9, 4)


@pytest.mark.parametrize("code", ["too_many_requests", "unavailable"])
def test_a_search_that_failed_beside_one_that_did_not_leaves_the_answer(code: str) -> None:
    answer = read_answer(search_error(code), found("https://a.example"), said("Dyson."))
    assert (answer.text, answer.search) == ("Dyson.", SearchEvidence.SEARCHED)


@pytest.mark.parametrize(
    ("stop_reason", "reason"), [("refusal", Reason.REFUSED), ("max_tokens", Reason.TRUNCATED)]
)
def test_a_failed_search_does_not_hide_why_the_text_ended(stop_reason: str, reason: Reason) -> None:
    body = message(search_error("unavailable"), said("I"), stop_reason=stop_reason)
    assert read_failure(body).reason is reason


def test_a_paused_turn_goes_on_with_the_platforms_own_words() -> None:
    blocks = [said("I'll look."), searched(), found("https://a.example")]
    paused = read_pause(*blocks, usage={"input_tokens": 5, "output_tokens": 6})
    assert paused == Continuation(
        messages=({"role": "assistant", "content": blocks},),
        text="I'll look.\n\n",
        usage=Usage(5, 6),
        sources=(Source(1, "https://a.example", "On https://a.example"),),
        search=SearchEvidence.SEARCHED,
    )
    body = json.loads(requested(ADAPTER, earlier=paused).body)
    assert body["messages"] == [
        {"role": "user", "content": PROMPT},
        {"role": "assistant", "content": blocks},
    ]


def test_the_calls_of_a_paused_turn_make_one_answer() -> None:
    paused = read_pause(said("I'll look."), searched(), found("https://a.example"))
    last = read_answer(found("https://b.example"), said("Dyson.", "https://b.example"))
    whole = paused.finish(last)
    assert isinstance(whole, Answer)
    assert whole.text == "I'll look.\n\nDyson."
    assert [source.position for source in whole.sources] == [1, 2]


def test_a_turn_that_pauses_without_a_text_adds_none() -> None:
    assert read_pause(searched(), found("https://a.example")).text == ""


def test_a_paused_turn_whose_search_could_not_be_made_is_not_gone_on_with() -> None:
    body = message(search_error("unavailable"), stop_reason="pause_turn")
    assert read_failure(body).reason is Reason.SERVER_FAULT


@pytest.mark.parametrize(("depth", "is_sent"), [(200, True), (300, False)])
def test_a_paused_turn_goes_on_only_when_it_can_be_sent_back(*, depth: int, is_sent: bool) -> None:
    block = b'{"type":"x","deep":' + b"[" * depth + b"]" * depth + b"}"
    body = b'{"stop_reason":"pause_turn","content":[' + block + b"]}"
    outcome = read(body)
    if is_sent:
        assert isinstance(outcome, Continuation)
        assert block in requested(ADAPTER, earlier=outcome).body
    else:
        assert isinstance(outcome, Failure)
        assert outcome.reason is Reason.MALFORMED


NO_ANSWERS = [
    (message(said("I can't."), stop_reason="refusal"), Reason.REFUSED),
    (message(stop_reason="refusal"), Reason.REFUSED),
    (message(said("Cut sho"), stop_reason="max_tokens"), Reason.TRUNCATED),
    (message(said("Cut"), stop_reason="model_context_window_exceeded"), Reason.TRUNCATED),
    (message(said("Let me ask."), stop_reason="tool_use"), Reason.MALFORMED),
    (message(), Reason.EMPTY),
    (message(said("")), Reason.EMPTY),
    (message(said(" \n")), Reason.EMPTY),
    (message({"type": "thinking", "thinking": "Dyson"}), Reason.EMPTY),
    (message(found("https://a.example")), Reason.EMPTY),
    (message(stop_reason="pause_turn"), Reason.EMPTY),
    (message(content="Dyson."), Reason.MALFORMED),
    (message(content=None), Reason.MALFORMED),
    (b"", Reason.MALFORMED),
    (b"null", Reason.MALFORMED),
    (b"[]", Reason.MALFORMED),
    (b"{}", Reason.MALFORMED),
    (b"<html>busy</html>", Reason.MALFORMED),
    (message(said("Dyson."))[:-9], Reason.MALFORMED),
]


@pytest.mark.parametrize(("body", "reason"), NO_ANSWERS)
def test_a_200_without_an_answer_has_its_reason(body: bytes, reason: Reason) -> None:
    failure = read_failure(body)
    assert (failure.reason, failure.http_status) == (reason, 200)
    assert failure.detail


# status, type, details.error_code, message, reason
ERRORS = [
    (429, "rate_limit_error", None, "Number of requests", Reason.RATE_LIMITED),
    (429, "rate_limit_error", None, "acceleration limit", Reason.RATE_LIMITED),
    (429, "rate_limit_error", "enforced_spend_limit_reached", "", Reason.QUOTA_EXHAUSTED),
    (529, "overloaded_error", None, "Overloaded", Reason.SERVER_FAULT),
    (429, "overloaded_error", None, "Overloaded", Reason.SERVER_FAULT),
    (504, "timeout_error", None, "", Reason.TIMED_OUT),
    (200, "timeout_error", None, "", Reason.TIMED_OUT),
    (402, "billing_error", None, "", Reason.QUOTA_EXHAUSTED),
    (200, "billing_error", None, "", Reason.QUOTA_EXHAUSTED),
    (400, "invalid_request_error", None, "You have reached your spend limit",
     Reason.QUOTA_EXHAUSTED),
    (400, "invalid_request_error", None, "specified API usage limits", Reason.QUOTA_EXHAUSTED),
    (400, "invalid_request_error", None, "Your credit balance is too low",
     Reason.QUOTA_EXHAUSTED),
    (400, "invalid_request_error", None, "Output blocked by content filtering policy",
     Reason.BLOCKED),
    (400, "invalid_request_error", None, "max_tokens: Field required", Reason.REJECTED),
    (200, "invalid_request_error", None, "", Reason.REJECTED),
    (401, "authentication_error", None, "invalid x-api-key", Reason.UNAUTHORIZED),
    (403, "permission_error", None, "", Reason.UNAUTHORIZED),
    (200, "authentication_error", None, "", Reason.UNAUTHORIZED),
    (200, "permission_error", None, "", Reason.UNAUTHORIZED),
    (404, "not_found_error", None, "model: claude-y", Reason.REJECTED),
    (413, "request_too_large", None, "", Reason.REJECTED),
    (500, "api_error", None, "", Reason.SERVER_FAULT),
    (200, "api_error", None, "", Reason.SERVER_FAULT),
    (529, None, None, "", Reason.SERVER_FAULT),
]  # fmt: skip


@pytest.mark.parametrize(("status", "kind", "code", "text", "reason"), ERRORS)
def test_an_error_has_its_reason(
    status: int, kind: str | None, code: str | None, text: str, reason: Reason
) -> None:
    failure = read_failure(error(kind, text, error_code=code), status)
    assert (failure.reason, failure.http_status) == (reason, status)
    assert failure.is_recognised


@pytest.mark.parametrize(
    "body", [b"", b"<html>", b"[]", error("something_new"), b'{"error": "busy"}']
)
def test_a_429_that_the_table_does_not_know_is_not_recognised(body: bytes) -> None:
    failure = read_failure(body, 429)
    assert (failure.reason, failure.is_recognised) == (Reason.RATE_LIMITED, False)


def test_the_detail_names_the_code_and_what_was_said() -> None:
    body = error("rate_limit_error", "Wait.", error_code="enforced_spend_limit_reached")
    assert read_failure(body, 429).detail == "enforced_spend_limit_reached: Wait."
    assert read_failure(b'{"message": "no route"}', 404).detail == "no route"


def test_the_wait_is_the_headers() -> None:
    body = error("rate_limit_error")
    assert read_failure(body, 429, retry_after="7").retry_after_s == 7.0
    reset = "anthropic_ratelimit_input_tokens"
    limits = {f"{reset}_remaining": "0", f"{reset}_reset": "2026-11-30T00:00:30Z"}
    assert read_failure(body, 429, **limits).retry_after_s == 30.0
    assert read_failure(body, 429).retry_after_s is None


def test_the_key_may_go_to_the_platforms_own_host_only() -> None:
    assert ADAPTER.hosts == ("api.anthropic.com",)
    assert ADAPTER.base_url == BASE_URL


GOOD = message(
    said("I'll look."),
    searched(),
    found("https://a.example"),
    search_error("unavailable"),
    said("Dyson.", "https://a.example"),
    usage={
        "input_tokens": 1,
        "output_tokens": 2,
        "cache_read_input_tokens": 3,
        "server_tool_use": {"web_search_requests": 1},
    },
)
PAUSED = message(said("I'll look."), searched(), stop_reason="pause_turn")
REFUSED = error("rate_limit_error", "Wait.", error_code="x")


@settings(max_examples=200, deadline=None)
@given(response=hostile_responses(GOOD, PAUSED, REFUSED))
@example(WireResponse(200, {}, b"[" * 5_000))
@example(WireResponse(200, {}, message(found("https://a.example"), [[]], None, 3)))
def test_no_bytes_make_the_adapter_raise(response: WireResponse) -> None:
    assert_reads(ADAPTER, response)
    outcome = ADAPTER.parse(response, NOW)
    if isinstance(outcome, Continuation):
        assert requested(ADAPTER, earlier=outcome).body
