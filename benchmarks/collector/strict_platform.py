"""The simulated platform in a process of its own, with the times that a benchmark needs.

The simulator's counts, and when the first call came and the last answer went (`GET /times`).
Run as `python -m benchmarks.collector.strict_platform '<json>'`; it prints its
address and serves until it is terminated.
"""

import asyncio
import gc
import json
import signal
import socket
import sys
import time
from collections.abc import Callable

import orjson
from aiohttp import web

from benchmarks.collector.scenario import behaviour_from
from brand_visibility.simulator.repertoire import empty_repertoire
from brand_visibility.simulator.server import PlatformServer
from brand_visibility.simulator.settings import SimulatorSettings
from brand_visibility.simulator.written import MentionOdds, WrittenAnswers

_BACKLOG = 4096


class Times:
    """Monotonic seconds of the first arrival and of the last answer, 0 before they came."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self.first_arrival = 0.0
        self.last_answer = 0.0

    def arrive(self) -> float:
        """Return the time, and keep the first: the simulator asks once for each arrival."""
        now = self._clock()
        self.first_arrival = self.first_arrival or now
        return now

    async def answered(self, request: web.Request, response: web.StreamResponse) -> None:
        """Note an answer as its head is written."""
        if response.status == web.HTTPOk.status_code and request.method == "POST":
            self.last_answer = self._clock()

    async def show(self, request: web.Request) -> web.Response:
        """Serve what was noted."""
        body = {"first_arrival": self.first_arrival, "last_answer": self.last_answer}
        return web.Response(body=orjson.dumps(body), content_type="application/json")


def _application(described: dict[str, object], times: Times) -> web.Application:
    behaviour, seed = described["behaviour"], described["seed"]
    if not isinstance(behaviour, dict) or not isinstance(seed, int):
        raise TypeError("expected `behaviour` as an object and `seed` as a number")
    settings = SimulatorSettings(behaviour=behaviour_from(behaviour), seed=seed)
    source = WrittenAnswers(empty_repertoire(), seed=seed, odds=MentionOdds(seed))
    server = PlatformServer(settings, source, clock=times.arrive, now=time.time)
    application = server.application()
    application.router.add_get("/times", times.show)
    application.on_response_prepare.append(times.answered)
    return application


async def _serve(described: dict[str, object]) -> None:
    times = Times()
    runner = web.AppRunner(
        _application(described, times),
        access_log=None,
        handler_cancellation=True,
        shutdown_timeout=0.05,
    )
    await runner.setup()
    listening = socket.create_server(("127.0.0.1", 0), backlog=_BACKLOG)
    await web.SockSite(runner, listening, backlog=_BACKLOG).start()
    print(f"http://127.0.0.1:{listening.getsockname()[1]}", flush=True)
    stopped = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stopped.set)
    await stopped.wait()
    await runner.cleanup()


def main() -> None:
    """Serve the platform that the first argument describes."""
    # A pause of the server's would be charged to the client as a late answer.
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)
    asyncio.run(_serve(json.loads(sys.argv[1])))


if __name__ == "__main__":
    main()
