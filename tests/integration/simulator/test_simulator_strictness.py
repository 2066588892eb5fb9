import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import aiohttp
import httpx
import pytest

from brand_visibility.simulator.faults import CallKey, choose_fault
from brand_visibility.simulator.settings import FaultKind, Latency, PlatformBehaviour
from brand_visibility.simulator.simulator import Simulator

Start = Callable[..., Simulator]

FAULTY = PlatformBehaviour(
    faults={FaultKind.RATE_LIMITED: 0.2, FaultKind.SERVER_FAULT: 0.1, FaultKind.DISCONNECT: 0.1}
)
QUESTIONS = [f"q{number}" for number in range(60)]


def frozen() -> float:
    """Return the same instant for ever: no send ever leaves its second."""
    return 100.0


def fetch(client: httpx.Client, url: str) -> dict[str, Any]:
    answered: dict[str, Any] = client.get(url).raise_for_status().json()
    return answered


async def ask_all(simulator: Simulator, questions: Sequence[str]) -> list[int]:
    """Ask all questions at once and return the statuses, 0 for a lost connection."""
    connector = aiohttp.TCPConnector(limit=0, force_close=True)
    async with aiohttp.ClientSession(connector=connector) as session:
        return list(await asyncio.gather(*(_ask(session, simulator, q) for q in questions)))


async def _ask(session: aiohttp.ClientSession, simulator: Simulator, question: str) -> int:
    message = {"role": "user", "content": question}
    url = f"{simulator.url_of('kimi')}/chat/completions"
    try:
        async with session.post(url, json={"messages": [message]}) as response:
            await response.read()
            return response.status
    except aiohttp.ClientConnectionError:
        return 0


async def ask_until_answered(simulator: Simulator, questions: Sequence[str]) -> Counter[int]:
    """Ask each question until it is answered, all at once, and count the statuses."""
    statuses: Counter[int] = Counter()
    left = list(questions)
    while left:
        asked = list(zip(left, await ask_all(simulator, left), strict=True))
        statuses.update(status for _, status in asked)
        left = [question for question, status in asked if status != 200]
    return statuses


def test_sends_over_the_rate_are_refused_and_counted(start: Start, client: httpx.Client) -> None:
    simulator = start(PlatformBehaviour(rate_limit=5), clock=frozen)
    statuses = asyncio.run(ask_all(simulator, QUESTIONS[:12]))
    assert Counter(statuses) == {200: 5, 429: 7}
    stats = fetch(client, f"{simulator.url}/stats")["total"]
    assert (stats["sends"], stats["violations"], stats["busiest_second"]) == (12, 7, 12)
    assert stats["faults"] == {}


def test_a_refused_send_says_when_to_come_back(start: Start, client: httpx.Client) -> None:
    simulator = start(PlatformBehaviour(rate_limit=1), clock=frozen)
    message = {"role": "user", "content": "q1"}
    url = f"{simulator.url_of('kimi')}/chat/completions"
    first, second = (client.post(url, json={"messages": [message]}) for _ in range(2))
    assert (first.status_code, second.status_code) == (200, 429)
    assert second.json()["error"]["code"] == "rate_limit_exceeded"
    assert second.headers["retry-after"] == "1"


def test_calls_over_the_concurrency_are_refused_and_counted_apart(start: Start) -> None:
    slow = PlatformBehaviour(latency=Latency(0.5, 0.5), max_concurrency=3)
    simulator = start(slow)
    statuses = asyncio.run(ask_all(simulator, QUESTIONS[:8]))
    assert Counter(statuses) == {200: 3, 429: 5}
    total = simulator.stats()["total"]
    assert isinstance(total, dict)
    assert (total["concurrency_violations"], total["violations"]) == (5, 0)
    assert total["in_flight_max"] == 3


def test_every_client_meets_the_same_faults_whatever_its_order(
    start: Start, client: httpx.Client
) -> None:
    simulator = start(FAULTY)
    met = []
    for order in (QUESTIONS, QUESTIONS[::-1]):
        statuses = asyncio.run(ask_until_answered(simulator, order))
        met.append((statuses, fetch(client, f"{simulator.url}/stats")["total"]["faults"]))
        client.post(f"{simulator.url}/stats/reset").raise_for_status()
    assert met[0] == met[1]
    assert set(met[0][0]) == {200, 429, 500, 0}


def test_the_faults_met_are_those_of_the_public_rule(start: Start, client: httpx.Client) -> None:
    simulator = start(FAULTY, seed=3)
    asyncio.run(ask_until_answered(simulator, QUESTIONS))
    foretold: Counter[str] = Counter()
    for question in QUESTIONS:
        for attempt in range(1, 100):
            fault = choose_fault(FAULTY, CallKey(3, "kimi", question, attempt))
            if fault is None:
                break
            foretold[fault.value] += 1
    stats = fetch(client, f"{simulator.url}/kimi/stats")
    assert stats["faults"] == dict(foretold)
    assert stats["sends"] == len(QUESTIONS) + foretold.total()
    assert (stats["answered"], stats["answered_prompts"]) == (len(QUESTIONS), len(QUESTIONS))
    assert (stats["duplicates"], stats["distinct_prompts"]) == (0, len(QUESTIONS))


def test_the_counts_of_a_platform_are_its_own(start: Start, client: httpx.Client) -> None:
    simulator = start()
    asyncio.run(ask_all(simulator, ["q1", "q1", "q2"]))
    stats = fetch(client, f"{simulator.url}/stats")
    assert stats["platforms"] == {"kimi": fetch(client, f"{simulator.url}/kimi/stats")}
    assert fetch(client, f"{simulator.url}/deepseek/stats")["sends"] == 0
    assert stats["total"]["duplicates"] == 1


def test_a_reset_starts_the_counts_anew(start: Start, client: httpx.Client) -> None:
    simulator = start()
    asyncio.run(ask_all(simulator, QUESTIONS[:3]))
    assert client.post(f"{simulator.url}/stats/reset").json() == {"status": "ok"}
    total = fetch(client, f"{simulator.url}/stats")["total"]
    assert (total["sends"], total["distinct_prompts"], total["busiest_second"]) == (0, 0, 0)


@pytest.mark.parametrize("path", ["health", "stats", "kimi/stats"])
def test_the_server_tells_how_it_is(start: Start, client: httpx.Client, path: str) -> None:
    assert fetch(client, f"{start().url}/{path}")
