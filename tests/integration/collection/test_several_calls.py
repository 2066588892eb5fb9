"""An answer that takes several calls, over real connections."""

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta

from raw_server import RawServer, Script, response, saying, serving

from brand_visibility.adapters.platforms.adapter import Adapter, Asking, Continuation
from brand_visibility.adapters.platforms.http import MAX_CALLS, HttpSender
from brand_visibility.adapters.platforms.wire import WireRequest, WireResponse
from brand_visibility.domain.outcomes import (
    Answer,
    Failure,
    Outcome,
    Reason,
    SearchEvidence,
    Source,
    Usage,
)
from brand_visibility.domain.planning import Query
from tests.builders import a_platform

MAIN = a_platform().accounts[0]
QUERY = Query("q", date(2026, 11, 30), "deepseek", "api", "p", "Which is best?", 0, 0, 0)
START = datetime(2026, 11, 30, tzinfo=UTC)

FIRST = Continuation(
    messages=({"role": "tool", "content": "found"},),
    text="Dyson, ",
    usage=Usage(10, 20, search_count=1),
    sources=(Source(1, "https://a.example"), Source(2, "https://b.example")),
    search=SearchEvidence.SEARCHED,
)
LAST = Answer("Roborock.", usage=Usage(30, 40), sources=(Source(1, "https://c.example"),))


def build(asking: Asking) -> WireRequest:
    said = asking.earlier.messages if asking.earlier else ()
    body = json.dumps({"said": said, "at": asking.now.isoformat()}).encode()
    return WireRequest("POST", f"{asking.base_url}/ask", {}, body)


def reading(*reads: Outcome | Continuation) -> Adapter:
    """Return an adapter that reads these off the responses, one after the other."""
    left = list(reads)

    def parse(response: WireResponse, now: datetime) -> Outcome | Continuation:
        return left.pop(0)

    return Adapter(build, parse)


@dataclass
class Slots:
    """Counts the slots, and the calls that the server had seen when each was asked for."""

    server: RawServer
    calls_before: list[int] = field(default_factory=list)

    async def next_slot(self) -> None:
        self.calls_before.append(len(self.server.calls))


def ask(
    adapter: Adapter,
    *,
    script: Script = saying(response(b"{}")),  # noqa: B008 - a constant
    timeout_s: float = 5.0,
    wait: Callable[[], float] = lambda: 0.0,
) -> tuple[RawServer, Slots, Outcome]:
    platform = replace(a_platform(), attempt_timeout_s=timeout_s)
    moments = (START + timedelta(seconds=count) for count in range(100))

    async def main() -> tuple[RawServer, Slots, Outcome]:
        async with serving(script) as server:
            slots = Slots(server)

            async def next_slot() -> None:
                await slots.next_slot()
                await asyncio.sleep(wait())

            async with HttpSender(
                platform, {}, server.url, adapter=adapter, now=lambda: next(moments)
            ) as sender:
                return server, slots, await sender.send(QUERY, MAIN, next_slot)

    return asyncio.run(main())


def test_a_further_call_is_made_in_a_slot_of_its_own_and_carries_what_came_before() -> None:
    server, slots, outcome = ask(reading(FIRST, LAST))
    assert isinstance(outcome, Answer)
    assert slots.calls_before == [1]
    first, second = (json.loads(call.body) for call in server.calls)
    assert (first["said"], second["said"]) == ([], list(FIRST.messages))
    # Signatures carry the time of their own call.
    assert first["at"] < second["at"]


def test_text_usage_sources_and_search_of_all_calls_make_one_answer() -> None:
    _, _, outcome = ask(reading(FIRST, LAST))
    assert isinstance(outcome, Answer)
    assert outcome.text == "Dyson, Roborock."
    assert outcome.usage == Usage(40, 60, search_count=1)
    assert outcome.search is SearchEvidence.SEARCHED
    assert [(source.position, source.url) for source in outcome.sources] == [
        (1, "https://a.example"),
        (2, "https://b.example"),
        (3, "https://c.example"),
    ]


def test_a_failure_after_a_first_call_tells_what_that_one_used() -> None:
    _, _, outcome = ask(reading(FIRST, Failure(Reason.RATE_LIMITED, retry_after_s=3.0)))
    assert outcome == Failure(Reason.RATE_LIMITED, retry_after_s=3.0, usage=FIRST.usage)


def test_an_answer_may_take_as_many_calls_as_are_allowed() -> None:
    server, slots, outcome = ask(reading(*[FIRST] * (MAX_CALLS - 1), LAST))
    assert isinstance(outcome, Answer)
    assert outcome.text == "Dyson, " * (MAX_CALLS - 1) + "Roborock."
    assert slots.calls_before == list(range(1, MAX_CALLS))
    assert len(server.calls) == MAX_CALLS


def test_an_answer_that_wants_one_call_more_is_malformed() -> None:
    server, _, outcome = ask(reading(*[FIRST] * MAX_CALLS, LAST))
    assert isinstance(outcome, Failure)
    assert (outcome.reason, len(server.calls)) == (Reason.MALFORMED, MAX_CALLS)
    assert outcome.usage == Usage(10 * MAX_CALLS, 20 * MAX_CALLS, search_count=MAX_CALLS)


def test_the_wait_for_a_slot_counts_against_the_limit_of_the_attempt() -> None:
    server, _, outcome = ask(reading(FIRST, LAST), timeout_s=0.2, wait=lambda: 60.0)
    assert isinstance(outcome, Failure)
    assert (outcome.reason, len(server.calls)) == (Reason.TIMED_OUT, 1)
