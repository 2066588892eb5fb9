"""The simulator as something to start and stop: a server in a thread of its own."""

import asyncio
import socket
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from types import TracebackType
from typing import Self, TypeVar

from aiohttp import web

from brand_visibility.domain.errors import InputError
from brand_visibility.simulator.server import PlatformServer
from brand_visibility.simulator.settings import SimulatorSettings
from brand_visibility.simulator.source import AnswerSource

# Calls in flight are cancelled rather than awaited: some of them hang on purpose.
_PATIENCE_S = 0.05
# A client may open thousands of connections in one instant.
_BACKLOG = 4096
_LAST_PORT = 65_535

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class _Running:
    """The thread's event loop, and what ends it."""

    loop: asyncio.AbstractEventLoop
    must_stop: asyncio.Event


class Simulator:
    """Serves the platforms while its `with` block lasts, once.

    `port` 0 takes a free port. Entering raises InputError when the port can't be had.
    Leaving drops the calls in flight; the counts can still be read.
    """

    def __init__(
        self,
        settings: SimulatorSettings,
        source: AnswerSource,
        *,
        host: str = "127.0.0.1",
        port: int = 0,
        clock: Callable[[], float] = time.monotonic,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._server = PlatformServer(settings, source, clock=clock, now=now)
        self._host = host
        self._port = port
        self._started: Future[_Running] = Future()
        self._thread = threading.Thread(target=self._run, name="simulator", daemon=True)
        self._socket: socket.socket | None = None

    @property
    def url(self) -> str:
        """The address without a path, as in `http://127.0.0.1:8711`."""
        host = f"[{self._host}]" if ":" in self._host else self._host
        return f"http://{host}:{self._port}"

    def url_of(self, platform_id: str) -> str:
        """Return the base URL for an OpenAI-compatible client of this platform."""
        return f"{self.url}/{platform_id}/v1"

    def stats(self) -> dict[str, object]:
        """Return the counts of all platforms together and of each."""
        return self._in_turn(self._server.floor.stats)

    def reset(self) -> None:
        """Forget every count and attempt, so that the next client meets the same faults."""
        self._in_turn(self._server.floor.reset)

    def __enter__(self) -> Self:
        self._socket = _listen(self._host, self._port)
        self._port = self._socket.getsockname()[1]
        self._thread.start()
        self._started.result()
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        running = self._started.result()
        running.loop.call_soon_threadsafe(running.must_stop.set)
        self._thread.join()

    def _in_turn(self, function: Callable[[], T]) -> T:
        """Call the function between two steps of the server, whose counts it touches."""
        if not self._thread.is_alive():
            return function()
        outcome: Future[T] = Future()
        loop = self._started.result().loop
        loop.call_soon_threadsafe(lambda: outcome.set_result(function()))
        return outcome.result()

    def _run(self) -> None:
        try:
            asyncio.run(self._serve())
        except Exception as error:
            if self._started.done():
                raise
            self._started.set_exception(error)

    async def _serve(self) -> None:
        if self._socket is None:
            raise RuntimeError("the simulator was started without its socket")
        runner = web.AppRunner(
            self._server.application(),
            access_log=None,
            handler_cancellation=True,
            shutdown_timeout=_PATIENCE_S,
        )
        await runner.setup()
        try:
            await web.SockSite(runner, self._socket, backlog=_BACKLOG).start()
            must_stop = asyncio.Event()
            self._started.set_result(_Running(asyncio.get_running_loop(), must_stop))
            await must_stop.wait()
        finally:
            await runner.cleanup()


def _listen(host: str, port: int) -> socket.socket:
    expected = "expected an address of this machine and a free port, 0 for any"
    if not 0 <= port <= _LAST_PORT:
        raise InputError(f"port: found {port}, which is none; {expected}")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=_BACKLOG)
    except OSError as error:
        found = f"found {host}:{port}, where nothing can be served ({error})"
        raise InputError(f"host and port: {found}; {expected}") from error
