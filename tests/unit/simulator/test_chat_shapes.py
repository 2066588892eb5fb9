from typing import Any

import orjson
import pytest

from brand_visibility.simulator.settings import Personality
from brand_visibility.simulator.shapes.shape import Ending, Question, Reply, Trouble, call_id
from tests.unit.simulator.shape_calls import (
    KEY,
    NOW,
    PAGES,
    asked,
    chat,
    content_of,
    given,
    problem,
    question_in,
)

USER = {"role": "user", "content": "q"}
WEB_SEARCH = {"type": "builtin_function", "function": {"name": "$web_search"}}


def asking(**fields: Any) -> bytes:
    return orjson.dumps({"model": "m", "messages": [USER]} | fields)


@pytest.mark.parametrize(
    ("body", "prompt"),
    [
        pytest.param(asking(), "q", id="plain"),
        pytest.param(asking(stream=False, temperature=0.2, tools=[]), "q", id="more fields"),
        pytest.param(
            asking(
                messages=[
                    {"role": "system", "content": "be brief"},
                    {"role": "user", "content": "first"},
                    {"role": "assistant", "content": None},
                    {"role": "user", "content": "last"},
                ]
            ),
            "last",
            id="conversation",
        ),
        pytest.param(
            asking(
                messages=[
                    {
                        "role": "user",
                        "content": [
                            {"type": "text", "text": "a"},
                            {"type": "image_url", "image_url": {}},
                            {"type": "text", "text": "b"},
                        ],
                    }
                ]
            ),
            "ab",
            id="parts",
        ),
    ],
)
def test_the_prompt_is_the_last_user_message(body: bytes, prompt: str) -> None:
    for personality in Personality:
        assert question_in(chat(personality), body).prompt == prompt


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b"{", id="broken"),
        pytest.param(b"[]", id="no object"),
        pytest.param(b'{"model": "m"}', id="no messages"),
        pytest.param(asking(messages=[]), id="no message"),
        pytest.param(asking(messages=[{"role": "system", "content": "q"}]), id="no user"),
        pytest.param(asking(stream=True), id="streamed"),
        pytest.param(b'{"messages":[{"role":"user","content":"\\ud800"}]}', id="lone surrogate"),
    ],
)
def test_what_is_no_request_gets_an_error(body: bytes) -> None:
    for personality in Personality:
        reply = chat(personality).read(asked(body), "refused-1")
        assert isinstance(reply, Reply)
        assert (reply.status, content_of(reply)["error"]["code"]) == (400, "invalid_request")


def test_an_answer_of_the_default_manner_has_the_shape_that_clients_expect() -> None:
    reply = chat().answer(given())
    assert reply.status == 200
    assert content_of(reply) == {
        "id": f"chatcmpl-{call_id(KEY)}",
        "object": "chat.completion",
        "created": NOW,
        "model": "simulated-kimi",
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": "用小米", "refusal": None},
                "finish_reason": "stop",
            }
        ],
        "usage": {"prompt_tokens": 2, "completion_tokens": 3, "total_tokens": 5},
    }


@pytest.mark.parametrize(
    ("wait_s", "header"), [(0.0, "1"), (0.2, "1"), (1.0, "1"), (1.01, "2"), (30.0, "30")]
)
def test_a_wait_is_named_in_whole_seconds_and_never_as_none(wait_s: float, header: str) -> None:
    reply = chat().error(problem(Trouble.RATE_LIMITED, wait_s=wait_s))
    assert reply.headers == {"Retry-After": header}


def test_kimi_names_its_wait_only_in_words() -> None:
    reply = chat(Personality.KIMI).error(problem(Trouble.RATE_LIMITED, wait_s=1.2))
    assert reply.headers == {}
    assert "try again after 2 seconds" in content_of(reply)["error"]["message"]


def test_only_a_rate_that_was_refused_names_a_wait() -> None:
    for trouble in set(Trouble) - {Trouble.RATE_LIMITED}:
        assert chat().error(problem(trouble, wait_s=5)).headers == {}


@pytest.mark.parametrize(
    ("personality", "trouble", "status", "code"),
    [
        (Personality.OPENAI, Trouble.RATE_LIMITED, 429, "rate_limit_exceeded"),
        (Personality.OPENAI, Trouble.NO_QUOTA, 429, "insufficient_quota"),
        (Personality.OPENAI, Trouble.SERVER_FAULT, 500, None),
        (Personality.OPENAI, Trouble.UNDER_SUCCESS, 200, 502),
        (Personality.OPENAI, Trouble.UNKNOWN_QUESTION, 400, "unknown_question"),
        (Personality.DEEPSEEK, Trouble.NO_QUOTA, 402, "invalid_request_error"),
        (Personality.PERPLEXITY, Trouble.NO_QUOTA, 401, 401),
        (Personality.DOUBAO, Trouble.NO_QUOTA, 403, "AccountOverdueError"),
        # A limit that passes and one that does not, each named like the other's elsewhere.
        (Personality.QWEN, Trouble.RATE_LIMITED, 429, "insufficient_quota"),
        (Personality.ZHIPU, Trouble.NO_QUOTA, 429, "1113"),
    ],
)
def test_a_trouble_has_the_name_that_its_platform_gives_it(
    personality: Personality, trouble: Trouble, status: int, code: str | int | None
) -> None:
    reply = chat(personality).error(problem(trouble))
    assert (reply.status, content_of(reply)["error"]["code"]) == (status, code)
    assert content_of(reply)["error"]["message"]


@pytest.mark.parametrize(
    ("personality", "status", "sign"),
    [
        (Personality.OPENAI, 200, "content_filter"),
        (Personality.HUNYUAN, 200, "sensitive"),
        (Personality.ZHIPU, 200, "sensitive"),
        (Personality.KIMI, 400, "content_filter"),
        (Personality.QWEN, 400, "DataInspectionFailed"),
        (Personality.DOUBAO, 400, "SensitiveContentDetected"),
    ],
)
def test_a_filtered_answer_shows_nothing_of_its_text(
    personality: Personality, status: int, sign: str
) -> None:
    reply = chat(personality).answer(given("kept back", ending=Ending.BLOCKED))
    assert reply.status == status
    assert sign.encode() in reply.body
    assert b"kept back" not in reply.body


@pytest.mark.parametrize("personality", Personality)
def test_a_refusal_is_a_field_of_openai_s_and_a_sentence_elsewhere(
    personality: Personality,
) -> None:
    reply = chat(personality).answer(given(ending=Ending.REFUSED))
    message = content_of(reply)["choices"][0]["message"]
    is_field = personality is Personality.OPENAI
    assert message.get("refusal") == ("I can't help with that." if is_field else None)
    assert message["content"] == (None if is_field else "I can't help with that.")


def test_perplexity_names_its_pages_twice_and_counts_its_search() -> None:
    content = content_of(chat(Personality.PERPLEXITY).answer(given(pages=PAGES)))
    assert content["citations"] == [page.url for page in PAGES]
    assert [page["url"] for page in content["search_results"]] == content["citations"]
    assert content["usage"]["num_search_queries"] == 1


@pytest.mark.parametrize(
    ("personality", "fields", "may_search", "shows_pages"),
    [
        (Personality.HUNYUAN, {}, True, False),
        (Personality.HUNYUAN, {"search_info": True}, True, True),
        (Personality.HUNYUAN, {"search_info": True, "enable_enhancement": False}, False, True),
        (Personality.QWEN, {}, False, False),
        (Personality.QWEN, {"enable_search": True}, True, False),
        (Personality.ZHIPU, {}, False, True),
        (Personality.ZHIPU, {"tools": [{"type": "web_search"}]}, True, True),
        (Personality.OPENAI, {}, True, True),
    ],
)
def test_a_platform_searches_and_shows_what_it_was_asked_to(
    personality: Personality, fields: dict[str, object], may_search: bool, shows_pages: bool
) -> None:
    question = question_in(chat(personality), asking(**fields))
    assert (question.may_search, question.shows_pages) == (may_search, shows_pages)


@pytest.mark.parametrize(
    ("personality", "field"),
    [
        (Personality.HUNYUAN, "search_info"),
        (Personality.ZHIPU, "web_search"),
    ],
)
def test_pages_stand_in_the_platform_s_own_field_when_there_are_some(
    personality: Personality, field: str
) -> None:
    shape = chat(personality)
    found = content_of(shape.answer(given(pages=PAGES)))[field]
    assert PAGES[0].url in str(found)
    assert field not in content_of(shape.answer(given()))


def test_kimi_asks_for_its_tool_first_and_answers_its_echo() -> None:
    shape = chat(Personality.KIMI)
    first = question_in(shape, asking(tools=[WEB_SEARCH]))
    assert first.needs_tool
    choice = content_of(shape.answer(given(question=first)))["choices"][0]
    assert choice["finish_reason"] == "tool_calls"
    second = question_in(shape, asking(tools=[WEB_SEARCH], messages=echoed(choice["message"])))
    assert second == Question("q")


def test_kimi_without_its_tool_answers_at_once() -> None:
    assert not question_in(chat(Personality.KIMI), asking()).needs_tool


@pytest.mark.parametrize("spoilt", [{"tool_call_id": "other"}, {"content": "{}"}])
def test_kimi_takes_no_echo_that_is_not_what_it_asked_with(spoilt: dict[str, str]) -> None:
    shape = chat(Personality.KIMI)
    first = question_in(shape, asking(tools=[WEB_SEARCH]))
    message = content_of(shape.answer(given(question=first)))["choices"][0]["message"]
    body = asking(tools=[WEB_SEARCH], messages=echoed(message, **spoilt))
    assert isinstance(shape.read(asked(body), "refused-1"), Reply)


def echoed(message: dict[str, Any], **spoilt: str) -> list[dict[str, Any]]:
    call = message["tool_calls"][0]
    echo = {
        "role": "tool",
        "tool_call_id": call["id"],
        "name": call["function"]["name"],
        "content": call["function"]["arguments"],
    }
    return [USER, message, echo | spoilt]
