"""Acting a call out over HTTP: when it gets its reply, or how its connection fails.

Which fault it is was decided before (`faults`), and what it gets (`replies`).
"""

import asyncio
import math
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import NoReturn

from aiohttp import web

from brand_visibility.simulator.replies import Fate
from brand_visibility.simulator.settings import FaultKind
from brand_visibility.simulator.shapes.shape import Reply, Shape

_CHUNK = b"." * 65_536
_MARKER = "the-huge-text"
# A platform refuses at its door; everything else takes the time of an answer.
_WITHOUT_LATENCY = (
    FaultKind.RATE_LIMITED,
    FaultKind.UNKNOWN_RATE_LIMITED,
    FaultKind.EXHAUSTED_QUOTA,
    FaultKind.HANG,
)
_SUCCESS = 200


@dataclass(frozen=True, slots=True)
class Act:
    """One call on its way to the client."""

    request: web.Request
    fate: Fate

    async def perform(self) -> web.StreamResponse:
        """Wait as long as the platform would, and respond.

        Raises ConnectionAbortedError after dropping the connection on purpose.
        """
        fault = self.fate.call.fault
        acted = None if fault is None else _CONNECTION_FAULTS.get(fault)
        if acted is None:
            return await self._deliver(self.fate.reply())
        if fault not in _WITHOUT_LATENCY:
            await asyncio.sleep(self.fate.call.latency_s)
        return await acted(self)

    def drop(self) -> NoReturn:
        """Close the connection without another byte."""
        abort(self.request.transport)
        raise ConnectionAbortedError

    async def open_stream(self) -> web.StreamResponse:
        """Send the head of a response whose body follows in pieces."""
        named = id_headers(self.fate.shape, self.fate.given.call_id)
        response = web.StreamResponse(headers=named)
        response.content_type = "application/json"
        await response.prepare(self.request)
        return response

    async def drip(self, response: web.StreamResponse, lines: int) -> None:
        """Send so many blank lines, each with its pause."""
        for _ in range(lines):
            await response.write(b"\n")
            await asyncio.sleep(self.fate.behaviour.drip_every_s)

    async def _deliver(self, reply: Reply) -> web.StreamResponse:
        is_at_the_door = self.fate.call.fault in _WITHOUT_LATENCY
        latency_s = 0.0 if is_at_the_door else self.fate.call.latency_s
        if self.fate.shape.starts_early and reply.status == _SUCCESS:
            return await self._deliver_early(reply, latency_s)
        await asyncio.sleep(latency_s)
        return respond(reply, id_headers(self.fate.shape, self.fate.given.call_id))

    async def _deliver_early(self, reply: Reply, latency_s: float) -> web.StreamResponse:
        response = await self.open_stream()
        lines, rest_s = divmod(latency_s, self.fate.behaviour.drip_every_s)
        await self.drip(response, int(lines))
        await asyncio.sleep(rest_s)
        await response.write_eof(reply.body)
        return response


def respond(reply: Reply, headers: Mapping[str, str]) -> web.Response:
    """Return the reply as a response of the server, with more headers."""
    return web.Response(
        status=reply.status,
        body=reply.body,
        content_type="application/json",
        headers={**reply.headers, **headers},
    )


def id_headers(shape: Shape, request_id: str) -> dict[str, str]:
    """Return the header that names a call, none where only bodies do."""
    return {} if shape.id_header is None else {shape.id_header: request_id}


def abort(transport: asyncio.Transport | None) -> None:
    """Close the connection, if it is still open, without flushing what is yet to be sent."""
    if transport is not None:
        transport.abort()


async def _hang(act: Act) -> web.StreamResponse:
    await asyncio.sleep(act.fate.behaviour.hang_s)
    act.drop()


async def _disconnect(act: Act) -> web.StreamResponse:
    act.drop()


async def _drip(act: Act) -> web.StreamResponse:
    behaviour = act.fate.behaviour
    response = await act.open_stream()
    await act.drip(response, math.ceil(behaviour.drip_s / behaviour.drip_every_s))
    await response.write_eof(act.fate.reply().body)
    return response


async def _huge(act: Act) -> web.StreamResponse:
    # Valid JSON to the end: only a limit on the size protects a client.
    head, tail = act.fate.reply_around(_MARKER)
    response = await act.open_stream()
    await response.write(head)
    huge_bytes = act.fate.behaviour.huge_bytes
    for start in range(0, huge_bytes, len(_CHUNK)):
        await response.write(_CHUNK[: huge_bytes - start])
    await response.write_eof(tail)
    return response


_CONNECTION_FAULTS: Mapping[FaultKind, Callable[[Act], Awaitable[web.StreamResponse]]] = {
    FaultKind.HANG: _hang,
    FaultKind.DRIP: _drip,
    FaultKind.DISCONNECT: _disconnect,
    FaultKind.HUGE: _huge,
}
