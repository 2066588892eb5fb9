"""Acting a call out over HTTP: its answer, or its fault as a client would see it.

Which fault it is was decided before (`faults`); the shapes of bodies are in `wire`.
"""

import asyncio
import math
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import NoReturn

import orjson
from aiohttp import web

from brand_visibility.simulator import wire
from brand_visibility.simulator.faults import Call
from brand_visibility.simulator.settings import FaultKind, PlatformBehaviour

_CHUNK = b"." * 65_536
_REFUSAL = "I can't help with that."
# A platform refuses at its door; everything else takes the time of an answer.
_WITHOUT_LATENCY = (FaultKind.RATE_LIMITED, FaultKind.EXHAUSTED_QUOTA, FaultKind.HANG)


@dataclass(frozen=True, slots=True)
class Act:
    """One call on its way to the client. `text` is the answer it would get."""

    request: web.Request
    call: Call
    behaviour: PlatformBehaviour
    created: int
    text: str

    async def perform(self) -> web.StreamResponse:
        """Wait as long as the platform would, and respond.

        Raises ConnectionAbortedError after dropping the connection on purpose.
        """
        if self.call.fault not in _WITHOUT_LATENCY:
            await asyncio.sleep(self.call.latency_s)
        if self.call.fault is None:
            return self.respond(self.completion(self.text))
        return await _FATES[self.call.fault](self)

    def respond(self, reply: wire.Reply) -> web.Response:
        """Return the response of this call."""
        return respond(reply, wire.call_id(self.call.key))

    def completion(
        self, text: str | None, *, finish_reason: str = "stop", refusal: str | None = None
    ) -> wire.Reply:
        """Return a well-formed answer with this text."""
        return wire.completion(
            self.call.key,
            text,
            created=self.created,
            finish_reason=finish_reason,
            refusal=refusal,
        )

    def drop(self) -> NoReturn:
        """Close the connection without another byte."""
        abort(self.request.transport)
        raise ConnectionAbortedError

    async def open_stream(self) -> web.StreamResponse:
        """Send the head of a response whose body follows in pieces."""
        response = web.StreamResponse(headers={"x-request-id": wire.call_id(self.call.key)})
        response.content_type = "application/json"
        await response.prepare(self.request)
        return response


def respond(reply: wire.Reply, request_id: str) -> web.Response:
    """Return the reply as a response of the server."""
    return web.Response(
        status=reply.status,
        body=reply.body,
        content_type="application/json",
        headers={**reply.headers, "x-request-id": request_id},
    )


def abort(transport: asyncio.Transport | None) -> None:
    """Close the connection, if it is still open, without flushing what is yet to be sent."""
    if transport is not None:
        transport.abort()


async def _rate_limited(act: Act) -> web.StreamResponse:
    reply = wire.rate_limited("Rate limit reached for requests.", act.behaviour.retry_after_s)
    return act.respond(reply)


async def _exhausted_quota(act: Act) -> web.StreamResponse:
    return act.respond(wire.quota_exhausted())


async def _server_fault(act: Act) -> web.StreamResponse:
    return act.respond(wire.server_fault())


async def _hang(act: Act) -> web.StreamResponse:
    await asyncio.sleep(act.behaviour.hang_s)
    act.drop()


async def _disconnect(act: Act) -> web.StreamResponse:
    act.drop()


async def _drip(act: Act) -> web.StreamResponse:
    behaviour = act.behaviour
    response = await act.open_stream()
    for _ in range(math.ceil(behaviour.drip_s / behaviour.drip_every_s)):
        await response.write(b"\n")
        await asyncio.sleep(behaviour.drip_every_s)
    await response.write_eof(act.completion(act.text).body)
    return response


async def _malformed(act: Act) -> web.StreamResponse:
    whole = act.completion(act.text)
    return act.respond(wire.Reply(whole.status, whole.body[: len(whole.body) // 2]))


async def _error_in_200(act: Act) -> web.StreamResponse:
    return act.respond(wire.error_in_200())


async def _empty(act: Act) -> web.StreamResponse:
    return act.respond(act.completion(""))


async def _refused(act: Act) -> web.StreamResponse:
    return act.respond(act.completion(None, refusal=_REFUSAL))


async def _truncated(act: Act) -> web.StreamResponse:
    half = act.text[: len(act.text) // 2]
    return act.respond(act.completion(half, finish_reason="length"))


async def _huge(act: Act) -> web.StreamResponse:
    # Valid JSON to the end: only a limit on the size protects a client.
    head, tail = act.completion(act.text).body.split(orjson.dumps(act.text), 1)
    response = await act.open_stream()
    await response.write(head + b'"')
    for start in range(0, act.behaviour.huge_bytes, len(_CHUNK)):
        await response.write(_CHUNK[: act.behaviour.huge_bytes - start])
    await response.write_eof(b'"' + tail)
    return response


_FATES: Mapping[FaultKind, Callable[[Act], Awaitable[web.StreamResponse]]] = {
    FaultKind.RATE_LIMITED: _rate_limited,
    FaultKind.SERVER_FAULT: _server_fault,
    FaultKind.HANG: _hang,
    FaultKind.DRIP: _drip,
    FaultKind.MALFORMED: _malformed,
    FaultKind.ERROR_IN_200: _error_in_200,
    FaultKind.EMPTY: _empty,
    FaultKind.REFUSED: _refused,
    FaultKind.TRUNCATED: _truncated,
    FaultKind.DISCONNECT: _disconnect,
    FaultKind.HUGE: _huge,
    FaultKind.EXHAUSTED_QUOTA: _exhausted_quota,
}
