"""The HTTP face: routes to every platform's endpoints, and to the counts and truths.

One server is many platforms: `/{platform_id}/v1` and the path of an endpoint. A path
without a platform is the platform `simulator`.
"""

import re
from collections.abc import Callable

import orjson
from aiohttp import web

from brand_visibility.simulator.acting import respond
from brand_visibility.simulator.calls import CallHandler, CallsInFlight, Handler, Place
from brand_visibility.simulator.desk import Floor
from brand_visibility.simulator.settings import SimulatorSettings
from brand_visibility.simulator.shapes.errors import (
    NO_TRUTH,
    UNKNOWN_PLATFORM,
    Named,
    error_body,
)
from brand_visibility.simulator.shapes.registry import PATHS, Endpoint, shape_of
from brand_visibility.simulator.shapes.shape import json_reply
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
        self._calls = CallHandler(source, clock=clock, now=now)
        self._in_flight = CallsInFlight()
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
                web.get("/{platform_id}/stats", self._platform_stats),
                web.get("/{platform_id}/truth", self._platform_truth),
            ]
        )
        for path, endpoint in PATHS.items():
            handler = self._in_flight.kept(self._handler(endpoint))
            application.router.add_post(f"/v1{path}", handler)
            application.router.add_post(f"/{{platform_id}}/v1{path}", handler)
        application.on_shutdown.append(self._in_flight.drop)
        return application

    def _handler(self, endpoint: Endpoint) -> Handler:
        async def handle(request: web.Request) -> web.StreamResponse:
            platform_id = request.match_info.get("platform_id", DEFAULT_PLATFORM)
            if not _PLATFORM_ID.fullmatch(platform_id):
                return _refuse(UNKNOWN_PLATFORM)
            desk = self.floor.desk(platform_id)
            return await self._calls.handle(
                request, Place(desk, shape_of(endpoint, desk.behaviour))
            )

        return handle

    async def _health(self, request: web.Request) -> web.Response:
        return _json({"status": "ok"})

    async def _stats(self, request: web.Request) -> web.Response:
        return _json(self.floor.stats())

    async def _platform_stats(self, request: web.Request) -> web.Response:
        platform_id = request.match_info["platform_id"]
        if not _PLATFORM_ID.fullmatch(platform_id):
            return _refuse(UNKNOWN_PLATFORM)
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
            return _refuse(NO_TRUTH)
        return _json(truths)

    async def _platform_truth(self, request: web.Request) -> web.Response:
        platform_id = request.match_info["platform_id"]
        if not _PLATFORM_ID.fullmatch(platform_id):
            return _refuse(UNKNOWN_PLATFORM)
        truth = self._source.truth(platform_id)
        return _refuse(NO_TRUTH) if truth is None else _json(truth)


def _refuse(named: Named) -> web.Response:
    return respond(json_reply(error_body(named, named.message), status=named.status), {})


def _json(content: object) -> web.Response:
    return web.Response(body=orjson.dumps(content), content_type="application/json")
