"""The HTTP face: routes, and the way of a request from its arrival to its response.

One server is many platforms: `/{platform_id}/v1/chat/completions`. A path without a
platform is the platform `simulator`.
"""

import asyncio
import re
from collections.abc import Callable

import orjson
from aiohttp import web

from brand_visibility.simulator import wire
from brand_visibility.simulator.acting import Act, abort, respond
from brand_visibility.simulator.desk import Denial, Desk, Floor, Visit
from brand_visibility.simulator.settings import SimulatorSettings
from brand_visibility.simulator.source import AnswerSource

DEFAULT_PLATFORM = "simulator"
_PLATFORM_ID = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")


class PlatformServer:
    """Handlers of all platforms.

    `clock` gives monotonic seconds for the limits, `now` seconds since 1970 for answers.
    """

    def __init__(
        self,
        settings: SimulatorSettings,
        source: AnswerSource,
        *,
        clock: Callable[[], float],
        now: Callable[[], float],
    ) -> None:
        self._source = source
        self._clock = clock
        self._now = now
        self._denials = 0
        self.floor = Floor(settings)

    def application(self) -> web.Application:
        """Return the application with all routes."""
        application = web.Application()
        application.add_routes(
            [
                web.get("/health", self._health),
                web.get("/stats", self._stats),
                web.post("/stats/reset", self._reset),
                web.get("/truth", self._truth),
                web.post("/v1/chat/completions", self._complete),
                web.get("/{platform_id}/stats", self._platform_stats),
                web.get("/{platform_id}/truth", self._platform_truth),
                web.post("/{platform_id}/v1/chat/completions", self._complete),
            ]
        )
        return application

    async def _complete(self, request: web.Request) -> web.StreamResponse:
        platform_id = request.match_info.get("platform_id", DEFAULT_PLATFORM)
        if not _PLATFORM_ID.fullmatch(platform_id):
            return self._refuse(wire.unknown_platform())
        desk = self.floor.desk(platform_id)
        body = await request.read()
        received = desk.arrive(self._clock())
        if isinstance(received, Denial):
            return self._refuse(wire.rate_limited(received.message, received.wait_s))
        try:
            with received as visit:
                return await self._serve(request, body, desk, visit)
        except ConnectionAbortedError:
            # Dropped on purpose: raised further it would be logged as the server's fault,
            # while a response to a closed connection is silently discarded.
            return web.Response()

    async def _serve(
        self, request: web.Request, body: bytes, desk: Desk, visit: Visit
    ) -> web.StreamResponse:
        prompt = wire.read_prompt(body)
        if prompt is None:
            visit.tally.bad_requests += 1
            return self._refuse(wire.bad_request())
        # A request whose handler is cancelled no longer knows its transport.
        transport = request.transport
        try:
            return await self._act(request, prompt, desk, visit)
        except (asyncio.CancelledError, ConnectionResetError):
            visit.tally.abandoned += 1
            # What a client never reads must not keep the connection open.
            abort(transport)
            raise

    async def _act(
        self, request: web.Request, prompt: str, desk: Desk, visit: Visit
    ) -> web.StreamResponse:
        call = visit.begin(prompt)
        text = self._source.answer(desk.platform_id, prompt, call.answer_number)
        if text is None:
            visit.tally.unknown_questions += 1
            return self._refuse(wire.unknown_question())
        act = Act(
            request=request,
            call=call,
            behaviour=desk.behaviour,
            created=int(self._now()),
            text=text,
        )
        response = await act.perform()
        if call.is_answered:
            visit.answered()
        return response

    def _refuse(self, reply: wire.Reply) -> web.Response:
        self._denials += 1
        return respond(reply, f"refused-{self._denials}")

    async def _health(self, request: web.Request) -> web.Response:
        return _json({"status": "ok"})

    async def _stats(self, request: web.Request) -> web.Response:
        return _json(self.floor.stats())

    async def _platform_stats(self, request: web.Request) -> web.Response:
        platform_id = request.match_info["platform_id"]
        if not _PLATFORM_ID.fullmatch(platform_id):
            return self._refuse(wire.unknown_platform())
        return _json(self.floor.desk(platform_id).stats())

    async def _reset(self, request: web.Request) -> web.Response:
        self.floor.reset()
        return _json({"status": "ok"})

    async def _truth(self, request: web.Request) -> web.Response:
        platform_ids = {
            DEFAULT_PLATFORM,
            *self._source.platform_ids(),
            *self.floor.platform_ids(),
        }
        truths = {name: self._source.truth(name) for name in sorted(platform_ids)}
        if None in truths.values():
            return self._refuse(wire.no_truth())
        return _json(truths)

    async def _platform_truth(self, request: web.Request) -> web.Response:
        platform_id = request.match_info["platform_id"]
        if not _PLATFORM_ID.fullmatch(platform_id):
            return self._refuse(wire.unknown_platform())
        truth = self._source.truth(platform_id)
        return self._refuse(wire.no_truth()) if truth is None else _json(truth)


def _json(content: object) -> web.Response:
    return web.Response(body=orjson.dumps(content), content_type="application/json")
