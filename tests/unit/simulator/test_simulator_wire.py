from typing import Any

import orjson
import pytest

from brand_visibility.simulator import wire
from brand_visibility.simulator.faults import CallKey

KEY = CallKey(seed=1, platform_id="kimi", prompt="推荐", attempt=1)


def asking(**fields: Any) -> bytes:
    return orjson.dumps({"model": "m", "messages": [{"role": "user", "content": "q"}]} | fields)


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
        pytest.param(b"", None, id="nothing"),
        pytest.param(b"{", None, id="broken"),
        pytest.param(b"[]", None, id="no object"),
        pytest.param(b'{"model": "m"}', None, id="no messages"),
        pytest.param(asking(messages=[]), None, id="no message"),
        pytest.param(asking(messages=[{"role": "system", "content": "q"}]), None, id="no user"),
        pytest.param(asking(stream=True), None, id="streamed"),
        pytest.param(
            b'{"messages":[{"role":"user","content":"\\ud800"}]}', None, id="lone surrogate"
        ),
    ],
)
def test_the_prompt_is_the_last_user_message(body: bytes, prompt: str | None) -> None:
    assert wire.read_prompt(body) == prompt


def test_an_answer_has_the_shape_that_clients_expect() -> None:
    reply = wire.completion(KEY, "用小米", created=1_796_000_000)
    assert reply.status == 200
    assert orjson.loads(reply.body) == {
        "id": f"chatcmpl-{wire.call_id(KEY)}",
        "object": "chat.completion",
        "created": 1_796_000_000,
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


def test_the_same_call_has_the_same_id_and_another_attempt_another() -> None:
    again = CallKey(seed=1, platform_id="kimi", prompt="推荐", attempt=1)
    later = CallKey(seed=1, platform_id="kimi", prompt="推荐", attempt=2)
    assert wire.call_id(again) == wire.call_id(KEY)
    assert wire.call_id(later) != wire.call_id(KEY)


@pytest.mark.parametrize(
    ("wait_s", "header"), [(0.0, "1"), (0.2, "1"), (1.0, "1"), (1.01, "2"), (30.0, "30")]
)
def test_a_wait_is_named_in_whole_seconds_and_never_as_none(wait_s: float, header: str) -> None:
    assert wire.rate_limited("slow down", wait_s).headers == {"Retry-After": header}


@pytest.mark.parametrize(
    ("reply", "status", "kind", "code"),
    [
        (wire.rate_limited("slow down", 1), 429, "requests", "rate_limit_exceeded"),
        (wire.quota_exhausted(), 429, "insufficient_quota", "insufficient_quota"),
        (wire.server_fault(), 500, "server_error", None),
        (wire.error_in_200(), 200, "server_error", 502),
        (wire.bad_request(), 400, "invalid_request_error", "invalid_request"),
        (wire.unknown_question(), 400, "invalid_request_error", "unknown_question"),
        (wire.unknown_platform(), 404, "invalid_request_error", "unknown_platform"),
        (wire.no_truth(), 404, "invalid_request_error", "unknown_truth"),
    ],
)
def test_an_error_is_an_object_of_its_type_and_code(
    reply: wire.Reply, status: int, kind: str, code: str | int | None
) -> None:
    error = orjson.loads(reply.body)["error"]
    assert (reply.status, error["type"], error["code"]) == (status, kind, code)
    assert error["message"]
