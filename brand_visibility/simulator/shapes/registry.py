"""Which shape a call has: by the endpoint it came to, and by the personality of its platform.

A new shape is a file beside this one and a line here.
"""

from collections.abc import Mapping
from enum import StrEnum

from brand_visibility.simulator.settings import Personality, PlatformBehaviour
from brand_visibility.simulator.shapes import (
    anthropic,
    deepseek,
    doubao,
    gemini,
    hunyuan,
    hunyuan_native,
    kimi,
    openai,
    perplexity,
    qwen,
    qwen_native,
    responses,
    zhipu,
)
from brand_visibility.simulator.shapes.shape import Shape


class Endpoint(StrEnum):
    """What a platform can be asked."""

    CHAT = "chat"
    RESPONSES = "responses"
    MESSAGES = "messages"
    GENERATE_CONTENT = "generate_content"
    TEXT_GENERATION = "text_generation"
    ACTION = "action"


# The paths after `/{platform_id}/v1`.
PATHS: Mapping[str, Endpoint] = {
    "/chat/completions": Endpoint.CHAT,
    "/responses": Endpoint.RESPONSES,
    "/messages": Endpoint.MESSAGES,
    "/models/{model}:generateContent": Endpoint.GENERATE_CONTENT,
    "/services/aigc/text-generation/generation": Endpoint.TEXT_GENERATION,
    # Tencent's API has one address for everything and tells actions apart by a header.
    "": Endpoint.ACTION,
    "/": Endpoint.ACTION,
}
_CHAT: Mapping[Personality, Shape] = {
    Personality.OPENAI: openai.SHAPE,
    Personality.DEEPSEEK: deepseek.SHAPE,
    Personality.DOUBAO: doubao.SHAPE,
    Personality.HUNYUAN: hunyuan.SHAPE,
    Personality.KIMI: kimi.SHAPE,
    Personality.PERPLEXITY: perplexity.SHAPE,
    Personality.PLAIN: openai.PLAIN,
    Personality.QWEN: qwen.SHAPE,
    Personality.ZHIPU: zhipu.SHAPE,
}
_RESPONSES: Mapping[Personality, Shape] = {Personality.DOUBAO: doubao.RESPONSES}
_BY_PATH: Mapping[Endpoint, Shape] = {
    Endpoint.MESSAGES: anthropic.SHAPE,
    Endpoint.GENERATE_CONTENT: gemini.SHAPE,
    Endpoint.TEXT_GENERATION: qwen_native.SHAPE,
}


def shape_of(endpoint: Endpoint, behaviour: PlatformBehaviour) -> Shape:
    """Return the shape of calls that come to this endpoint of a platform."""
    if endpoint is Endpoint.CHAT:
        return _CHAT[behaviour.personality]
    if endpoint is Endpoint.RESPONSES:
        return _RESPONSES.get(behaviour.personality, responses.SHAPE)
    if endpoint is Endpoint.ACTION:
        return hunyuan_native.ChatCompletionsAction(behaviour.tencent_secret_key)
    return _BY_PATH[endpoint]
