"""Requests in every shape for tests to vary, and what a call is given."""

from collections.abc import Mapping
from typing import Any

import orjson
from multidict import CIMultiDict

from brand_visibility.simulator.faults import CallKey
from brand_visibility.simulator.pages import find_pages
from brand_visibility.simulator.settings import Personality, PlatformBehaviour
from brand_visibility.simulator.shapes.registry import Endpoint, shape_of
from brand_visibility.simulator.shapes.shape import (
    Asked,
    Given,
    Problem,
    Question,
    Reply,
    Shape,
    Trouble,
)

NOW = 1_796_000_000
KEY = CallKey(seed=1, platform_id="kimi", prompt="推荐", attempt=1)
PAGES = find_pages(KEY, 1.0, ())

ALL_SHAPES: Mapping[str, Shape] = {
    **{
        f"chat of {personality}": shape_of(
            Endpoint.CHAT, PlatformBehaviour(personality=personality)
        )
        for personality in Personality
    },
    **{
        endpoint.value: shape_of(endpoint, PlatformBehaviour())
        for endpoint in Endpoint
        if endpoint is not Endpoint.CHAT
    },
    "responses of doubao": shape_of(
        Endpoint.RESPONSES, PlatformBehaviour(personality=Personality.DOUBAO)
    ),
}


def chat(personality: Personality = Personality.OPENAI) -> Shape:
    return shape_of(Endpoint.CHAT, PlatformBehaviour(personality=personality))


def asked(content: object, headers: Mapping[str, str] | None = None) -> Asked:
    body = content if isinstance(content, bytes) else orjson.dumps(content)
    return Asked(CIMultiDict(headers or {}), body, NOW)


def question_in(
    shape: Shape, content: object, headers: Mapping[str, str] | None = None
) -> Question:
    question = shape.read(asked(content, headers), "refused-1")
    assert isinstance(question, Question), question
    return question


def given(text: str = "用小米", **more: Any) -> Given:
    return Given(KEY, more.pop("question", Question(KEY.prompt)), NOW, text, **more)


def problem(trouble: Trouble, **more: Any) -> Problem:
    return Problem(trouble, "id-1", NOW, **more)


def content_of(reply: Reply) -> dict[str, Any]:
    content: dict[str, Any] = orjson.loads(reply.body)
    return content
