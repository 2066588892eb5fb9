"""Many calls in flight at once, as a process: our `HttpSender`, or plain aiohttp.

Plain aiohttp is the least that this project's HTTP can cost. Takes a JSON object and prints
one: `python -m benchmarks.collector.sender_run '<json>'`.
"""

import asyncio
import gc
import json
import sys
import time
from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass

import aiohttp
import orjson

from benchmarks.collector.scenario import MODEL, PLATFORM_ID, queries
from benchmarks.common.cpu import cpu_s
from brand_visibility.adapters.platforms.http import HttpSender
from brand_visibility.domain.catalog import Account, AccountLimits, Platform
from brand_visibility.domain.outcomes import Answer
from brand_visibility.domain.planning import Query


@dataclass(frozen=True, slots=True)
class SenderCall:
    """Who sends how many calls in all, and how many of them at once."""

    kind: str
    base_url: str
    calls: int
    in_flight: int

    def to_json(self) -> str:
        """Return it as one argument of a command."""
        return json.dumps(asdict(self))


@dataclass(frozen=True, slots=True)
class SenderReport:
    """CPU of the calls alone, in seconds; memory in bytes before and at the most."""

    answered: int
    wall_s: float
    cpu_s: float
    before_bytes: int
    peak_bytes: int


Send = Callable[[Query], Awaitable[bool]]


def main() -> None:
    """Send what the argument describes, and print the report as the last line."""
    call = SenderCall(**json.loads(sys.argv[1]))
    asked = queries(call.calls)
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)
    run = {"ours": _ours, "aiohttp": _plain}[call.kind]
    print(json.dumps(asdict(asyncio.run(run(call, asked)))))


async def _no_further_call() -> None:
    raise AssertionError("a simulated answer takes one call")


async def _ours(call: SenderCall, asked: list[Query]) -> SenderReport:
    account = Account("main", AccountLimits(call.calls, call.in_flight))
    platform = Platform(PLATFORM_ID, "openai_compatible", MODEL, (account,))

    async with HttpSender(platform, {}, call.base_url) as sender:

        async def send(query: Query) -> bool:
            return isinstance(await sender.send(query, account, _no_further_call), Answer)

        return await _drive(send, asked, call.in_flight)


async def _plain(call: SenderCall, asked: list[Query]) -> SenderReport:
    url = f"{call.base_url}/chat/completions"
    headers = {"Content-Type": "application/json"}
    connector = aiohttp.TCPConnector(limit=0)
    async with aiohttp.ClientSession(connector=connector) as session:

        async def send(query: Query) -> bool:
            message = {"role": "user", "content": query.prompt}
            body = orjson.dumps({"model": MODEL, "messages": [message]})
            async with session.post(url, data=body, headers=headers) as response:
                answer = orjson.loads(await response.read())
                return response.status == 200 and bool(answer["choices"])

        return await _drive(send, asked, call.in_flight)


async def _drive(send: Send, asked: list[Query], in_flight: int) -> SenderReport:
    """Keep `in_flight` workers busy until every query was sent."""
    waiting = iter(asked)
    answered = 0

    async def work() -> None:
        nonlocal answered
        for query in waiting:
            # Added after the wait: `answered += await …` would read the sum before it.
            is_answered = await send(query)
            answered += is_answered

    before, cpu_before, began = _memory("VmRSS"), cpu_s(), time.monotonic()
    await asyncio.gather(*(work() for _ in range(in_flight)))
    wall_s, spent_s = time.monotonic() - began, cpu_s() - cpu_before
    return SenderReport(answered, wall_s, spent_s, before, _memory("VmHWM"))


def _memory(name: str) -> int:
    with open("/proc/self/status", encoding="ascii") as status:  # noqa: PTH123 - no real file
        for line in status:
            if line.startswith(f"{name}:"):
                return int(line.split()[1]) * 1024
    return 0


if __name__ == "__main__":
    main()
