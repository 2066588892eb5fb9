"""Kimi's (Moonshot's) chat completions.

Its own is the search, a tool that the catalog's parameters allow and the model calls: the
first answer is then a call of `$web_search`, and the platform searches once it gets the
call's arguments back. So an answer took a search exactly when such a call went before, and
what it found is part of the second call's prompt tokens; no pages are named. Its refusals
say how long to wait in their text only.

Sources: platform.kimi.ai, errors, tool pricing and web search; kimi.com, help; BettaFish
issue 258; pi issue 2017.
"""

from dataclasses import replace
from typing import Any

from brand_visibility.adapters.platforms import bodies
from brand_visibility.adapters.platforms.adapter import Continuation
from brand_visibility.adapters.platforms.chat import (
    Dialect,
    Findings,
    Json,
    chat_adapter,
    usage_of,
)
from brand_visibility.adapters.platforms.verdicts import Row, Table
from brand_visibility.domain.outcomes import Reason, SearchEvidence, Usage

SEARCH_TOOL = "$web_search"

VERDICTS: Table = (
    Row(Reason.BLOCKED, codes=r"content_filter"),
    Row(Reason.QUOTA_EXHAUSTED, codes=r"exceeded_current_quota_error"),
    Row(Reason.QUOTA_EXHAUSTED, statuses={403}, wording=r"balance|recharge|quota"),
    # Under status 429, although it says nothing about this account's rate.
    Row(Reason.SERVER_FAULT, codes=r"engine_overloaded_error"),
    Row(Reason.SERVER_FAULT, wording=r"engine is currently overloaded"),
    Row(Reason.RATE_LIMITED, codes=r"rate_limit_reached_error"),
    Row(Reason.RATE_LIMITED, wording=r"max organization (concurrency|rpm|tpm|tpd)"),
)


def _usage(content: Json) -> Usage:
    """Return the usage, which may stand in the choice."""
    if content.get("usage"):
        return usage_of(content)
    return usage_of(bodies.first(content.get("choices")) or {})


def _continuation(content: Json, choice: Json) -> Continuation | None:
    """Return what answers the model's searches, None when it asks for none or for more."""
    message = bodies.mapping(choice.get("message"))
    calls = list(bodies.mappings(message.get("tool_calls")))
    if choice.get("finish_reason") != "tool_calls" or not calls:
        return None
    echoes = [echo for echo in map(_echo, calls) if echo is not None]
    if len(echoes) < len(calls):
        return None
    return Continuation(
        messages=(_repeated(message, calls), *echoes),
        usage=replace(_usage(content), search_count=len(calls)),
        search=SearchEvidence.SEARCHED,
    )


def _repeated(message: Json, calls: list[Json]) -> Json:
    """Return the model's message for the next call, with nothing but texts of the stranger's.

    Its thoughts go with it: the platform refuses a call of a thinking model without them.
    """
    texts = {field: value for field, value in message.items() if isinstance(value, str)}
    return {
        **texts,
        "role": "assistant",
        "content": bodies.text(message.get("content")),
        "tool_calls": [_call(call) for call in calls],
    }


def _call(call: Json) -> dict[str, Any]:
    function = bodies.mapping(call.get("function"))
    return {
        "id": bodies.text(call.get("id")),
        "type": bodies.text(call.get("type")) or "function",
        "function": {field: bodies.text(function.get(field)) for field in ("name", "arguments")},
    }


def _echo(call: Json) -> Json | None:
    """Return the answer to a call for a search: its own arguments."""
    function = bodies.mapping(call.get("function"))
    call_id, arguments = call.get("id"), function.get("arguments")
    if function.get("name") != SEARCH_TOOL or not isinstance(call_id, str):
        return None
    if not isinstance(arguments, str):
        return None
    return {
        "role": "tool",
        "tool_call_id": call_id,
        "name": SEARCH_TOOL,
        "content": arguments,
    }


def _findings(_: Json, __: Json) -> Findings:
    return Findings(SearchEvidence.NOT_SEARCHED)


ADAPTER = chat_adapter(
    Dialect(verdicts=VERDICTS, usage=_usage, findings=_findings, continuation=_continuation),
    base_url="https://api.moonshot.cn/v1",
    hosts=("api.moonshot.cn", "api.moonshot.ai"),
    price_provider="moonshotai",
)
