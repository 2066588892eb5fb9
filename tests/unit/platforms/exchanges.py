"""Requests and responses for the adapter's tests to vary."""

import json
from datetime import UTC, date, datetime
from typing import Any

from brand_visibility.adapters.platforms.adapter import Adapter, Asking, Continuation
from brand_visibility.adapters.platforms.openai_compatible import ADAPTER
from brand_visibility.adapters.platforms.wire import WireRequest, WireResponse
from brand_visibility.domain.catalog import Platform
from brand_visibility.domain.outcomes import Answer, Failure
from brand_visibility.domain.planning import Query
from tests.builders import a_platform

NOW = datetime(2026, 11, 30, 0, 0, tzinfo=UTC)
PROMPT = "Which vacuum cleaner is best?"


def a_query(prompt: str = PROMPT) -> Query:
    return Query(
        query_id="q1",
        plan_date=date(2026, 11, 30),
        platform_id="deepseek",
        channel="api",
        prompt_id="p1",
        prompt=prompt,
        repeat=0,
        priority=0,
        shard_key=0,
    )


def completion(text: object = "Dyson.", *, finish_reason: object = "stop", **more: Any) -> bytes:
    message = {"role": "assistant", "content": text} | more.pop("message", {})
    choice = {"index": 0, "message": message, "finish_reason": finish_reason}
    choice |= more.pop("choice", {})
    return json.dumps({"id": "chatcmpl-1", "model": "m-1", "choices": [choice]} | more).encode()


def error(code: object = None, *, kind: str | None = None, message: str = "") -> bytes:
    return json.dumps({"error": {"code": code, "type": kind, "message": message}}).encode()


def requested(
    adapter: Adapter = ADAPTER,
    platform: Platform | None = None,
    *,
    base_url: str = "https://api.example.com/v1",
    key: str | None = None,
    earlier: Continuation | None = None,
) -> WireRequest:
    platform = platform or a_platform()
    return adapter.build(Asking(a_query(), platform, base_url, NOW, key, earlier))


def parsed(
    body: bytes, status: int = 200, *, adapter: Adapter = ADAPTER, **headers: str
) -> Answer | Failure | Continuation:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return adapter.parse(WireResponse(status, named, body), NOW)


def answer_in(
    body: bytes, status: int = 200, *, adapter: Adapter = ADAPTER, **headers: str
) -> Answer:
    outcome = parsed(body, status, adapter=adapter, **headers)
    assert isinstance(outcome, Answer)
    return outcome


def failure_in(
    body: bytes, status: int = 200, *, adapter: Adapter = ADAPTER, **headers: str
) -> Failure:
    outcome = parsed(body, status, adapter=adapter, **headers)
    assert isinstance(outcome, Failure)
    return outcome
