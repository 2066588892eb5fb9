import asyncio
import logging
import time

import aiohttp
import pytest
from aiohttp import web

from brand_visibility.simulator.recorded import RecordedAnswers
from brand_visibility.simulator.server import PlatformServer
from brand_visibility.simulator.settings import Latency, PlatformBehaviour, SimulatorSettings

BODY = {"messages": [{"role": "user", "content": "q"}]}
CALLS = 20
LATENCY_S = 0.14
STOPS_AT_S = 0.1
PATIENCE_S = 0.05


def an_application() -> web.Application:
    settings = SimulatorSettings(behaviour=PlatformBehaviour(latency=Latency(LATENCY_S, LATENCY_S)))
    source = RecordedAnswers({"q": ["a"]})
    return PlatformServer(settings, source, clock=time.monotonic, now=time.time).application()


async def ask(session: aiohttp.ClientSession, url: str) -> int:
    async with session.post(url, json=BODY) as response:
        return response.status


async def stop_as_calls_end() -> list[object]:
    """Stop so that calls end, and the server's patience for them, in one step of the loop."""
    runner = web.AppRunner(an_application(), handler_cancellation=True, shutdown_timeout=PATIENCE_S)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    url = f"http://127.0.0.1:{site.port}/kimi/v1/chat/completions"
    async with aiohttp.ClientSession() as session:
        calls = [asyncio.create_task(ask(session, url)) for _ in range(CALLS)]
        await asyncio.sleep(STOPS_AT_S)
        # Between the stop and the end of either: what falls due meanwhile comes at once.
        asyncio.get_running_loop().call_later(0.02, time.sleep, LATENCY_S + PATIENCE_S)
        await runner.cleanup()
        return list(await asyncio.gather(*calls, return_exceptions=True))


def test_calls_that_end_as_the_server_stops_leave_no_trace_in_its_log(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.WARNING):
        outcomes = asyncio.run(stop_as_calls_end())
    assert len(outcomes) == CALLS
    assert caplog.messages == []
