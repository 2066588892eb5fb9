import time
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from brand_visibility.simulator.settings import (
    FaultKind,
    Latency,
    Personality,
    PlatformBehaviour,
)
from brand_visibility.simulator.simulator import Simulator

Start = Callable[..., Simulator]

MESSAGES = [{"role": "user", "content": "q1"}]
Call = tuple[str, dict[str, Any], dict[str, str]]

CHAT: Call = ("/chat/completions", {"messages": MESSAGES}, {})
RESPONSES: Call = ("/responses", {"input": "q1"}, {})
CLAUDE: Call = (
    "/messages",
    {"model": "m", "max_tokens": 9, "messages": MESSAGES},
    {"anthropic-version": "2023-06-01"},
)
GEMINI: Call = (
    "/models/gemini-3-flash:generateContent",
    {"contents": [{"parts": [{"text": "q1"}]}]},
    {},
)
QWEN: Call = (
    "/services/aigc/text-generation/generation",
    {"model": "m", "input": {"messages": MESSAGES}},
    {},
)


def ask(client: httpx.Client, simulator: Simulator, call: Call) -> httpx.Response:
    path, body, headers = call
    return client.post(f"{simulator.url_of('any')}{path}", json=body, headers=headers)


@pytest.mark.parametrize(
    "call", [CHAT, RESPONSES, CLAUDE, GEMINI, QWEN], ids=lambda call: call[0].split("/")[1]
)
def test_every_endpoint_of_a_platform_answers_at_one_desk(
    start: Start, client: httpx.Client, call: Call
) -> None:
    simulator = start(PlatformBehaviour(rate_limit=2), clock=lambda: 100.0)
    chat, answered, denied = (ask(client, simulator, one) for one in (CHAT, call, call))
    assert "answer 1" in chat.text
    assert "answer 1" in answered.text
    assert denied.status_code == 429
    total = simulator.stats()["total"]
    assert isinstance(total, dict)
    assert (total["sends"], total["violations"], total["answered"]) == (3, 1, 2)


@pytest.mark.parametrize("path", ["", "/"])
def test_tencent_s_one_address_has_a_slash_or_none(
    start: Start, client: httpx.Client, path: str
) -> None:
    response = ask(client, start(), (path, {}, {"X-TC-Action": "ChatCompletions"}))
    error = response.json()["Response"]["Error"]
    assert (response.status_code, error["Code"]) == (200, "AuthFailure.InvalidAuthorization")


def test_a_response_of_deepseek_s_starts_before_its_answer(
    start: Start, client: httpx.Client
) -> None:
    behaviour = PlatformBehaviour(
        personality=Personality.DEEPSEEK, latency=Latency(0.4, 0.4), drip_every_s=0.1
    )
    url = f"{start(behaviour).url_of('deepseek')}/chat/completions"
    began = time.monotonic()
    with client.stream("POST", url, json={"messages": MESSAGES}) as response:
        assert response.status_code == 200
        assert time.monotonic() - began < 0.4
        body = response.read()
    assert time.monotonic() - began >= 0.4
    assert body.startswith(b"\n\n\n")
    assert b"answer 1" in body


def test_deepseek_refuses_before_its_response_starts(start: Start, client: httpx.Client) -> None:
    behaviour = PlatformBehaviour(
        personality=Personality.DEEPSEEK,
        latency=Latency(60, 60),
        faults={FaultKind.EXHAUSTED_QUOTA: 1.0},
    )
    response = ask(client, start(behaviour), CHAT)
    assert (response.status_code, response.content[:1]) == (402, b"{")


@pytest.mark.parametrize(
    ("call", "header"),
    [(CHAT, "x-request-id"), (CLAUDE, "request-id"), (QWEN, None)],
    ids=["chat", "messages", "qwen"],
)
def test_a_call_is_named_where_its_platform_names_it(
    start: Start, client: httpx.Client, call: Call, header: str | None
) -> None:
    response = ask(client, start(), call)
    named = {name for name in response.headers if name.endswith("request-id")}
    assert named == ({header} if header else set())
    if header is None:
        assert response.json()["request_id"]


def test_the_same_call_is_grounded_alike_at_every_simulator_of_a_seed(
    start: Start, client: httpx.Client
) -> None:
    behaviour = PlatformBehaviour(personality=Personality.PERPLEXITY, search_share=0.5)
    found = [
        [ask(client, simulator, CHAT).json()["citations"] for _ in range(12)]
        for simulator in (start(behaviour), start(behaviour))
    ]
    assert found[0] == found[1]
    assert {bool(pages) for pages in found[0]} == {True, False}
