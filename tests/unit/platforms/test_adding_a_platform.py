"""The page on adding a platform is true: its examples run, its tables name what exists."""

import json
import re
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from exchanges import PROMPT, answer_in, completion, error, failure_in, requested
from hostile_bodies import assert_reads, hostile_responses
from hypothesis import given, settings

from brand_visibility.adapters.platforms.adapter import Adapter
from brand_visibility.adapters.platforms.chat import Dialect
from brand_visibility.adapters.platforms.verdicts import Row
from brand_visibility.adapters.platforms.wire import WireResponse
from brand_visibility.domain.outcomes import Reason, SearchEvidence, Source, Usage

PAGE = Path(__file__).resolve().parents[3] / "docs" / "adding-a-platform.md"
BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
PARROT, BUDGIE = BLOCK.findall(PAGE.read_text("utf-8"))


def adapter_in(block: str) -> Adapter:
    namespace: dict[str, Any] = {}
    exec(compile(block, PAGE.name, "exec"), namespace)
    adapter = namespace["ADAPTER"]
    assert isinstance(adapter, Adapter)
    return adapter


def reply(text: object = "Dyson.", **more: Any) -> bytes:
    return json.dumps({"reply": text, "engine": "parrot-3", "ending": "whole"} | more).encode()


GOOD = reply(
    call="c-1",
    spent={"heard": 12, "spoken": 34},
    pages=[{"link": "https://a.example", "name": "A"}, {"link": "https://b.example"}],
)


def test_the_example_asks_the_prompt_at_its_own_address() -> None:
    adapter = adapter_in(PARROT)
    assert adapter.base_url is not None
    request = requested(adapter, base_url=adapter.base_url, key="k")
    assert request.url == "https://api.parrot.example/v1/ask"
    assert request.headers["Authorization"] == "Bearer k"
    assert json.loads(request.body) == {"engine": "model-1", "question": PROMPT}


def test_the_example_reads_an_answer() -> None:
    answer = answer_in(GOOD, adapter=adapter_in(PARROT))
    assert (answer.text, answer.model, answer.request_id) == ("Dyson.", "parrot-3", "c-1")
    assert (answer.usage, answer.search) == (Usage(12, 34), SearchEvidence.SEARCHED)
    assert answer.sources == (
        Source(1, "https://a.example", "A"),
        Source(2, "https://b.example"),
    )


@pytest.mark.parametrize(
    ("body", "status", "reason"),
    [
        (error("too_fast"), 429, Reason.RATE_LIMITED),
        (error("too_many"), 429, Reason.RATE_LIMITED),
        (error("out_of_seeds"), 429, Reason.QUOTA_EXHAUSTED),
        (error(message="Not in front of the children!"), 400, Reason.BLOCKED),
        (error(message="Not in front of the children!"), 500, Reason.SERVER_FAULT),
        (reply("I", ending="cut"), 200, Reason.TRUNCATED),
        (reply("I", ending="declined"), 200, Reason.REFUSED),
        (reply(" "), 200, Reason.EMPTY),
        (b"{}", 200, Reason.MALFORMED),
        (b"<html>", 200, Reason.MALFORMED),
    ],
)
def test_the_example_says_why_there_is_no_answer(body: bytes, status: int, reason: Reason) -> None:
    assert failure_in(body, status, adapter=adapter_in(PARROT)).reason is reason


def test_the_examples_pause_holds_where_the_platform_names_no_time() -> None:
    adapter = adapter_in(PARROT)
    assert failure_in(error("too_fast"), 429, adapter=adapter).retry_after_s == 10.0
    named = failure_in(error("too_fast"), 429, adapter=adapter, retry_after="3")
    assert named.retry_after_s == 3.0


@settings(max_examples=100, deadline=None)
@given(response=hostile_responses(GOOD))
def test_no_bytes_make_the_example_raise(response: WireResponse) -> None:
    assert_reads(adapter_in(PARROT), response)


def test_the_short_example_is_a_chat_platform_with_pages_and_errors_of_its_own() -> None:
    adapter = adapter_in(BUDGIE)
    pages = [{"url": "https://a.example"}]
    assert answer_in(completion(pages=pages), adapter=adapter).sources == (
        Source(1, "https://a.example"),
    )
    assert answer_in(completion(), adapter=adapter).search is SearchEvidence.UNKNOWN
    assert failure_in(error("out_of_seeds"), 429, adapter=adapter).reason is (
        Reason.QUOTA_EXHAUSTED
    )


def test_the_table_of_errors_has_a_line_for_every_column() -> None:
    section = PAGE.read_text("utf-8").split("## The table of errors")[1].split("\n## ")[0]
    columns = re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE)
    assert columns == [field.name for field in fields(Row)]


def test_everything_that_a_dialect_may_say_is_named() -> None:
    text = PAGE.read_text("utf-8")
    assert [field.name for field in fields(Dialect) if f"`{field.name}`" not in text] == []
