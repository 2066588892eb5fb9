"""Kimi: searches by a tool that the client hands back, and names a wait only in words."""

from typing import Any

import orjson

from brand_visibility.simulator.shapes.chat import (
    ChatMessage,
    ChatRequest,
    ChatShape,
    Json,
    Manner,
    no_wait,
)
from brand_visibility.simulator.shapes.errors import OPENAI_ERRORS, Errors, Named
from brand_visibility.simulator.shapes.shape import Given, Question, Trouble

WEB_SEARCH = "$web_search"
_SEARCH_TOKENS = 120

_ERRORS: Errors = {
    **OPENAI_ERRORS,
    Trouble.RATE_LIMITED: Named(
        429,
        None,
        "rate_limit_reached_error",
        "Your account reached max organization concurrency: 1, please try again after"
        " {wait} seconds",
    ),
    Trouble.NO_QUOTA: Named(
        429,
        None,
        "exceeded_current_quota_error",
        "You exceeded your current token quota, please check your account balance",
    ),
    Trouble.SERVER_FAULT: Named(
        429,
        None,
        "engine_overloaded_error",
        "The engine is currently overloaded, please try again later",
    ),
}
_BLOCKED = Named(400, None, "content_filter", "The request was rejected because of its content.")


def _question(request: ChatRequest, prompt: str) -> Question | None:
    """Return what is asked: first for a call of the tool, after its echo for the answer."""
    has_tool = any(_name_of(tool) == WEB_SEARCH for tool in request.tools)
    last = request.messages[-1]
    if last.role == "tool":
        is_echo = len(request.messages) > 1 and _is_echo(request.messages[-2], last)
        return Question(prompt) if has_tool and is_echo else None
    return Question(prompt, needs_tool=has_tool)


def _is_echo(asking: ChatMessage, echo: ChatMessage) -> bool:
    """Whether a tool's message hands back just what the assistant's asked with."""
    calls = asking.tool_calls or []
    return asking.role == "assistant" and any(
        call.get("id") == echo.tool_call_id and _arguments_of(call) == echo.content
        for call in calls
    )


def _name_of(tool: Json) -> Any:
    function = tool.get("function")
    return function.get("name") if isinstance(function, dict) else None


def _arguments_of(call: Json) -> Any:
    function = call.get("function")
    return function.get("arguments") if isinstance(function, dict) else None


def _tool_call(given: Given) -> Json:
    arguments = {
        "search_result": {"search_id": given.call_id},
        "usage": {"total_tokens": _SEARCH_TOKENS},
    }
    function = {"name": WEB_SEARCH, "arguments": orjson.dumps(arguments).decode()}
    call = {
        "index": 0,
        "id": f"{WEB_SEARCH}:{given.call_id}",
        "type": "builtin_function",
        "function": function,
    }
    return {"tool_calls": [call]}


SHAPE = ChatShape(
    Manner(
        errors=_ERRORS,
        question=_question,
        blocked=_BLOCKED,
        wait_headers=no_wait,
        tool_call=_tool_call,
    )
)
