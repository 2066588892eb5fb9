from typing import Any

import orjson
import pytest

from brand_visibility.simulator.settings import PlatformBehaviour
from brand_visibility.simulator.shapes.registry import Endpoint, shape_of
from brand_visibility.simulator.shapes.shape import Ending, Reply, Shape, Trouble
from tests.unit.simulator.shape_calls import (
    ALL_SHAPES,
    KEY,
    NOW,
    PAGES,
    asked,
    content_of,
    given,
    problem,
    question_in,
)

MESSAGES = [{"role": "user", "content": "q"}]
VERSION = {"Anthropic-Version": "2023-06-01"}
CLAUDE = {"model": "m", "max_tokens": 9, "messages": MESSAGES}
GEMINI = {"contents": [{"role": "user", "parts": [{"text": "q"}]}]}
QWEN = {"model": "m", "input": {"messages": MESSAGES}}

every_shape = pytest.mark.parametrize("shape", ALL_SHAPES.values(), ids=ALL_SHAPES)


def at(endpoint: Endpoint) -> Shape:
    return shape_of(endpoint, PlatformBehaviour())


@every_shape
@pytest.mark.parametrize("trouble", Trouble)
def test_every_shape_has_words_for_every_trouble(shape: Shape, trouble: Trouble) -> None:
    reply = shape.error(problem(trouble, wait_s=1, detail="said the desk"))
    assert isinstance(content_of(reply), dict)
    assert (reply.status == 200) <= (trouble is Trouble.UNDER_SUCCESS or b"RequestId" in reply.body)


@every_shape
def test_every_shape_tells_a_refused_rate_from_an_empty_account(shape: Shape) -> None:
    limited, empty = (
        shape.error(problem(trouble)) for trouble in (Trouble.RATE_LIMITED, Trouble.NO_QUOTA)
    )
    assert (limited.status, limited.body) != (empty.status, empty.body)


@every_shape
def test_every_shape_refuses_what_is_no_request(shape: Shape) -> None:
    for body in (b"", b"{", b"[]", b"{}"):
        assert isinstance(shape.read(asked(body), "refused-1"), Reply)


@every_shape
def test_every_answer_carries_its_text_once_and_whole(shape: Shape) -> None:
    body = shape.answer(given("some text", pages=())).body
    assert body.count(orjson.dumps("some text")) == 1


@every_shape
@pytest.mark.parametrize("ending", [Ending.REFUSED, Ending.BLOCKED])
def test_no_answer_shows_a_text_that_was_kept_back(shape: Shape, ending: Ending) -> None:
    assert b"some text" not in shape.answer(given("some text", ending=ending)).body


@every_shape
@pytest.mark.parametrize("ending", Ending)
def test_the_same_call_gets_the_same_bytes(shape: Shape, ending: Ending) -> None:
    replies = [shape.answer(given(pages=PAGES, ending=ending)) for _ in range(2)]
    assert replies[0] == replies[1]


@pytest.mark.parametrize(
    ("endpoint", "content", "headers", "tool"),
    [
        (Endpoint.RESPONSES, {"input": "q"}, {}, {"tools": [{"type": "web_search"}]}),
        (Endpoint.RESPONSES, {"input": MESSAGES}, {}, {"tools": [{"type": "web_search_preview"}]}),
        (Endpoint.MESSAGES, CLAUDE, VERSION, {"tools": [{"type": "web_search_20250305"}]}),
        (Endpoint.GENERATE_CONTENT, GEMINI, {}, {"tools": [{"google_search": {}}]}),
        (Endpoint.TEXT_GENERATION, QWEN, {}, {"parameters": {"enable_search": True}}),
    ],
)
def test_a_platform_searches_only_with_its_tool(
    endpoint: Endpoint,
    content: dict[str, object],
    headers: dict[str, str],
    tool: dict[str, object],
) -> None:
    without, with_tool = (
        question_in(at(endpoint), body, headers) for body in (content, content | tool)
    )
    assert without.prompt == with_tool.prompt == "q"
    assert (without.may_search, with_tool.may_search) == (False, True)


@pytest.mark.parametrize(
    ("content", "headers"),
    [
        pytest.param(CLAUDE, {}, id="no version"),
        pytest.param({"model": "m", "messages": MESSAGES}, VERSION, id="no max_tokens"),
        pytest.param(CLAUDE | {"max_tokens": 0}, VERSION, id="no token"),
        pytest.param(CLAUDE | {"stream": True}, VERSION, id="streamed"),
        pytest.param(CLAUDE | {"messages": []}, VERSION, id="no message"),
    ],
)
def test_anthropic_refuses_a_request_that_lacks_what_it_needs(
    content: dict[str, object], headers: dict[str, str]
) -> None:
    reply = at(Endpoint.MESSAGES).read(asked(content, headers), "refused-1")
    assert isinstance(reply, Reply)
    assert content_of(reply)["error"]["type"] == "invalid_request_error"
    assert content_of(reply)["request_id"] == "refused-1"


def test_anthropic_names_its_wait_in_seconds_and_as_a_time() -> None:
    reply = at(Endpoint.MESSAGES).error(problem(Trouble.RATE_LIMITED, wait_s=29.5))
    assert reply.headers["retry-after"] == "30"
    assert reply.headers["anthropic-ratelimit-requests-reset"] == "2026-11-30T00:53:50Z"


def test_an_account_of_anthropic_s_at_its_limit_differs_only_in_details_and_headers() -> None:
    shape = at(Endpoint.MESSAGES)
    limited, spent = (
        shape.error(problem(trouble)) for trouble in (Trouble.RATE_LIMITED, Trouble.NO_QUOTA)
    )
    assert limited.status == spent.status == 429
    assert spent.headers == {}
    error = content_of(spent)["error"]
    assert error["type"] == content_of(limited)["error"]["type"]
    assert error["details"] == {"error_code": "enforced_spend_limit_reached"}


def test_anthropic_cites_some_of_what_it_found() -> None:
    blocks = content_of(at(Endpoint.MESSAGES).answer(given("ab", pages=PAGES)))["content"]
    kinds = ["server_tool_use", "web_search_tool_result", "text", "text"]
    assert [block["type"] for block in blocks] == kinds
    assert [found["url"] for found in blocks[1]["content"]] == [page.url for page in PAGES]
    assert [cited["url"] for cited in blocks[3]["citations"]] == [page.url for page in PAGES[:2]]


def test_a_search_of_anthropic_s_fails_inside_a_success() -> None:
    reply = at(Endpoint.MESSAGES).error(problem(Trouble.UNDER_SUCCESS))
    assert reply.status == 200
    failed = content_of(reply)["content"][1]["content"]
    assert failed["type"] == "web_search_tool_result_error"


@pytest.mark.parametrize(
    ("trouble", "quota", "delay"),
    [(Trouble.RATE_LIMITED, "PerMinute", "1.5s"), (Trouble.NO_QUOTA, "PerDay", "30s")],
)
def test_gemini_tells_a_minute_s_limit_from_a_day_s_by_its_details(
    trouble: Trouble, quota: str, delay: str
) -> None:
    reply = at(Endpoint.GENERATE_CONTENT).error(problem(trouble, wait_s=1.5))
    error = content_of(reply)["error"]
    assert (error["code"], error["status"]) == (429, "RESOURCE_EXHAUSTED")
    violation, retry = error["details"]
    assert quota in violation["violations"][0]["quotaId"]
    assert retry["retryDelay"] == delay


def test_gemini_gives_no_candidate_for_a_blocked_prompt() -> None:
    content = content_of(at(Endpoint.GENERATE_CONTENT).answer(given(ending=Ending.BLOCKED)))
    assert "candidates" not in content
    assert content["promptFeedback"]["blockReason"]


def test_gemini_s_sources_redirect_and_are_titled_by_their_hosts() -> None:
    reply = at(Endpoint.GENERATE_CONTENT).answer(given(pages=PAGES))
    grounding = content_of(reply)["candidates"][0]["groundingMetadata"]
    web = [chunk["web"] for chunk in grounding["groundingChunks"]]
    assert [page["title"] for page in web] == [page.host for page in PAGES]
    assert len({page["uri"] for page in web}) == len(PAGES)


@pytest.mark.parametrize(
    ("ending", "status", "reason"),
    [
        (Ending.WHOLE, "completed", None),
        (Ending.REFUSED, "completed", None),
        (Ending.CUT, "incomplete", "max_output_tokens"),
        (Ending.BLOCKED, "incomplete", "content_filter"),
    ],
)
def test_a_response_says_whether_and_why_it_is_incomplete(
    ending: Ending, status: str, reason: str | None
) -> None:
    content = content_of(at(Endpoint.RESPONSES).answer(given(ending=ending)))
    details: dict[str, Any] = content["incomplete_details"] or {}
    assert (content["status"], details.get("reason")) == (status, reason)


def test_responses_name_a_wait_in_two_forms() -> None:
    reply = at(Endpoint.RESPONSES).error(problem(Trouble.RATE_LIMITED, wait_s=1.25))
    assert reply.headers == {"retry-after-ms": "1250", "Retry-After": "2"}


def test_a_search_of_responses_is_an_item_of_its_own() -> None:
    output = content_of(at(Endpoint.RESPONSES).answer(given(pages=PAGES)))["output"]
    assert [item["type"] for item in output] == ["reasoning", "web_search_call", "message"]
    annotations = output[-1]["content"][0]["annotations"]
    assert [cited["url"] for cited in annotations] == [page.url for page in PAGES]


def test_qwen_s_own_endpoint_puts_an_error_s_fields_into_the_body() -> None:
    content = content_of(at(Endpoint.TEXT_GENERATION).error(problem(Trouble.NO_QUOTA)))
    assert (content["code"], content["request_id"]) == ("Arrearage", "id-1")


def test_qwen_s_own_endpoint_names_what_it_found() -> None:
    output = content_of(at(Endpoint.TEXT_GENERATION).answer(given(pages=PAGES)))["output"]
    assert [page["url"] for page in output["search_info"]["search_results"]] == [
        page.url for page in PAGES
    ]


def test_tencent_s_errors_come_under_a_status_of_success() -> None:
    for trouble in set(Trouble) - {Trouble.UNKNOWN_RATE_LIMIT}:
        reply = at(Endpoint.ACTION).error(problem(trouble))
        response = content_of(reply)["Response"]
        assert (reply.status, response["RequestId"]) == (200, "id-1")
        assert ("Error" in response) != ("ErrorMsg" in response)


def test_times_are_those_of_the_call() -> None:
    content = content_of(at(Endpoint.ACTION).answer(given()))["Response"]
    assert content["Created"] == NOW
    assert content["Id"] == given().call_id
    assert KEY.prompt not in str(content)
