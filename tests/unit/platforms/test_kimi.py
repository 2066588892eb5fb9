import json
from dataclasses import replace
from typing import Any

import pytest
from exchanges import PROMPT, answer_in, completion, error, failure_in, parsed, requested
from hostile_bodies import assert_reads, hostile_responses
from hypothesis import example, given, settings

from brand_visibility.adapters.platforms.adapter import Continuation
from brand_visibility.adapters.platforms.kimi import ADAPTER
from brand_visibility.adapters.platforms.wire import WireResponse
from brand_visibility.domain.outcomes import Answer, Reason, SearchEvidence, Usage
from tests.builders import a_platform

TOOL = {"type": "builtin_function", "function": {"name": "$web_search"}}
ARGUMENTS = '{"search_result":{"search_id":"s1"},"usage":{"total_tokens":900}}'
USAGE = {"prompt_tokens": 40, "completion_tokens": 10}
GOOD = completion("Dyson.", usage={"prompt_tokens": 1000, "completion_tokens": 90})


def call(call_id: object = "c1", **function: object) -> dict[str, Any]:
    named = {"name": "$web_search", "arguments": ARGUMENTS} | function
    return {"index": 0, "id": call_id, "type": "builtin_function", "function": named}


def calling(*calls: object, **more: Any) -> bytes:
    message = {"tool_calls": list(calls), "reasoning_content": "Let me look.", "refusal": None}
    return completion("", finish_reason="tool_calls", message=message, usage=USAGE, **more)


def going_on(body: bytes) -> Continuation:
    read = parsed(body, adapter=ADAPTER)
    assert isinstance(read, Continuation)
    return read


# status, code, type, message, reason
ERRORS = [
    (429, None, "rate_limit_reached_error", "", Reason.RATE_LIMITED),
    (429, None, None, "max organization concurrency: 1, please try again after 1 seconds",
     Reason.RATE_LIMITED),
    (429, None, None, "Max organization RPM: 3 reached", Reason.RATE_LIMITED),
    (429, None, "engine_overloaded_error", "", Reason.SERVER_FAULT),
    (429, None, None, "The engine is currently overloaded", Reason.SERVER_FAULT),
    (429, None, "exceeded_current_quota_error", "", Reason.QUOTA_EXHAUSTED),
    (403, None, "exceeded_current_quota_error", "", Reason.QUOTA_EXHAUSTED),
    (403, None, None, "Your account balance is too low", Reason.QUOTA_EXHAUSTED),
    (403, None, "permission_denied_error", "", Reason.UNAUTHORIZED),
    (401, None, "invalid_authentication_error", "", Reason.UNAUTHORIZED),
    (400, None, "content_filter", "High risk", Reason.BLOCKED),
    (400, None, "invalid_request_error", "", Reason.REJECTED),
    (500, None, "server_error", "", Reason.SERVER_FAULT),
]  # fmt: skip


@pytest.mark.parametrize(("status", "code", "kind", "message", "reason"), ERRORS)
def test_an_error_has_its_reason(
    status: int, code: str | None, kind: str | None, message: str, reason: Reason
) -> None:
    failure = failure_in(error(code, kind=kind, message=message), status, adapter=ADAPTER)
    assert (failure.reason, failure.is_recognised) == (reason, True)


def test_a_refusal_that_no_row_names_is_not_recognised() -> None:
    failure = failure_in(error("brand_new"), 429, adapter=ADAPTER)
    assert (failure.reason, failure.is_recognised) == (Reason.RATE_LIMITED, False)


@pytest.mark.parametrize(
    ("message", "headers", "wait_s"),
    [
        ("max organization RPM: 3, please try again after 1 seconds", {}, 1.0),
        ("please try again after 20 seconds", {}, 20.0),
        ("please try again after 20 seconds", {"retry_after": "2"}, 2.0),
        ("please try again later", {}, None),
    ],
)
def test_a_wait_is_read_from_the_text(
    message: str, headers: dict[str, str], wait_s: float | None
) -> None:
    body = error(kind="rate_limit_reached_error", message=message)
    assert failure_in(body, 429, adapter=ADAPTER, **headers).retry_after_s == wait_s


def test_an_answer_without_a_search_before_it_was_not_searched_for() -> None:
    answer = answer_in(GOOD, adapter=ADAPTER)
    assert (answer.text, answer.search) == ("Dyson.", SearchEvidence.NOT_SEARCHED)


def test_a_search_gets_its_arguments_back_in_one_more_call() -> None:
    earlier = going_on(calling(call("c1"), call("c2", arguments='{"q":2}')))
    request = requested(ADAPTER, replace(a_platform(), parameters={"tools": [TOOL]}),
                        earlier=earlier)  # fmt: skip
    body = json.loads(request.body)
    user, assistant, *tools = body["messages"]
    assert body["tools"] == [TOOL]
    assert user == {"role": "user", "content": PROMPT}
    assert (assistant["role"], assistant["content"]) == ("assistant", "")
    assert [said["function"]["arguments"] for said in assistant["tool_calls"]] == [
        ARGUMENTS,
        '{"q":2}',
    ]
    assert tools == [
        {"role": "tool", "tool_call_id": "c1", "name": "$web_search", "content": ARGUMENTS},
        {"role": "tool", "tool_call_id": "c2", "name": "$web_search", "content": '{"q":2}'},
    ]


def test_the_models_thoughts_go_along_with_its_search() -> None:
    assert going_on(calling(call())).messages[0]["reasoning_content"] == "Let me look."


def test_a_search_is_counted_with_what_it_used() -> None:
    earlier = going_on(calling(call("c1"), call("c2")))
    assert earlier.search is SearchEvidence.SEARCHED
    assert earlier.usage == Usage(40, 10, search_count=2)


def test_the_whole_answer_took_the_search_and_both_calls() -> None:
    outcome = going_on(calling(call())).finish(answer_in(GOOD, adapter=ADAPTER))
    assert isinstance(outcome, Answer)
    assert (outcome.text, outcome.search) == ("Dyson.", SearchEvidence.SEARCHED)
    assert outcome.usage == Usage(1040, 100, search_count=1)


@pytest.mark.parametrize(
    "body",
    [
        calling(call(name="get_weather")),
        calling(call(), call(name="get_weather")),
        calling(call(arguments=None)),
        calling(call(arguments={"q": 1})),
        calling(call(None)),
        calling(),
        completion(None, finish_reason="tool_calls"),
    ],
)
def test_a_call_that_nobody_can_answer_leaves_no_answer(body: bytes) -> None:
    assert failure_in(body, adapter=ADAPTER).reason is Reason.EMPTY


def test_a_call_beside_a_finished_text_is_ignored() -> None:
    body = completion("Dyson.", message={"tool_calls": [call()]})
    assert answer_in(body, adapter=ADAPTER).text == "Dyson."


def test_usage_may_stand_in_the_choice() -> None:
    body = completion("Dyson.", choice={"usage": USAGE})
    assert answer_in(body, adapter=ADAPTER).usage == Usage(40, 10)


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (completion(""), Reason.EMPTY),
        (completion("Dys", finish_reason="length"), Reason.TRUNCATED),
        (completion("", finish_reason="content_filter"), Reason.BLOCKED),
        (completion(None, message={"refusal": "No."}), Reason.REFUSED),
    ],
)
def test_a_success_without_an_answer_has_its_reason(body: bytes, reason: Reason) -> None:
    assert failure_in(body, adapter=ADAPTER).reason is reason


def test_a_request_forces_no_search() -> None:
    assert ADAPTER.base_url is not None
    request = requested(ADAPTER, base_url=ADAPTER.base_url, key="sk-not-a-key")
    assert request.url == "https://api.moonshot.cn/v1/chat/completions"
    assert request.headers["Authorization"] == "Bearer sk-not-a-key"
    assert json.loads(request.body).keys() == {"model", "messages", "stream"}


DEEP = (
    b'{"choices": [{"finish_reason": "tool_calls", "message": {"more": '
    + b"[" * 600
    + b"]" * 600
    + b', "tool_calls": [{"id": "c", "function": {"name": "$web_search", "arguments": "{}"}}]}}]}'
)


@settings(max_examples=150, deadline=None)
@given(hostile_responses(GOOD, calling(call()), error(kind="rate_limit_reached_error")))
@example(WireResponse(200, {}, DEEP))
def test_no_response_makes_the_adapter_raise(response: WireResponse) -> None:
    assert_reads(ADAPTER, response)
