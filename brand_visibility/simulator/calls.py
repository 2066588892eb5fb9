"""The way of a call, whatever its shape: arrival, reading, fate, reply, and its end.

Routes belong to `server`.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from aiohttp import web

from brand_visibility.simulator.acting import Act, abort, id_headers, respond
from brand_visibility.simulator.desk import Denial, Desk, Visit
from brand_visibility.simulator.faults import Call
from brand_visibility.simulator.pages import find_pages
from brand_visibility.simulator.replies import Fate
from brand_visibility.simulator.shapes.shape import (
    Asked,
    Given,
    Problem,
    Question,
    Reply,
    Shape,
    Trouble,
)
from brand_visibility.simulator.source import AnswerSource

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


@dataclass(frozen=True, slots=True)
class Place:
    """Where a call came to: a platform's desk, and the shape that is spoken there."""

    desk: Desk
    shape: Shape


class CallsInFlight:
    """The calls that are being handled, to be dropped when the server stops."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[object]] = set()
        self._is_closed = False

    def kept(self, handler: Handler) -> Handler:
        """Return the handler with its calls known here as long as they last."""

        async def handle(request: web.Request) -> web.StreamResponse:
            task = asyncio.current_task()
            if self._is_closed or task is None:
                abort(request.transport)
                return web.Response()
            self._tasks.add(task)
            try:
                return await handler(request)
            finally:
                self._tasks.discard(task)

        return handle

    async def drop(self, application: web.Application) -> None:
        """Cancel every call, wait for their ends, and let no more come.

        To be done before aiohttp waits for them: it gives each a future to end, and a call
        that ends just as it gives that future up is logged as an InvalidStateError.
        """
        self._is_closed = True
        calls = list(self._tasks)
        for call in calls:
            call.cancel()
        await asyncio.gather(*calls, return_exceptions=True)


class CallHandler:
    """Handles calls that have found their place.

    `clock` gives monotonic seconds for the limits, `now` seconds since 1970 for answers.
    """

    def __init__(
        self, source: AnswerSource, *, clock: Callable[[], float], now: Callable[[], float]
    ) -> None:
        self._source = source
        self._clock = clock
        self._now = now
        self._denials = 0

    async def handle(self, request: web.Request, place: Place) -> web.StreamResponse:
        """Admit the call or refuse it, and respond."""
        body = await request.read()
        received = place.desk.arrive(self._clock())
        if isinstance(received, Denial):
            return self._refuse(place, Trouble.RATE_LIMITED, received)
        try:
            with received as visit:
                return await self._serve(request, body, place, visit)
        except ConnectionAbortedError:
            # Dropped on purpose: raised further it would be logged as the server's fault,
            # while a response to a closed connection is silently discarded.
            return web.Response()

    async def _serve(
        self, request: web.Request, body: bytes, place: Place, visit: Visit
    ) -> web.StreamResponse:
        request_id = self._next_denial()
        question = place.shape.read(Asked(request.headers, body, self._now()), request_id)
        if isinstance(question, Reply):
            visit.tally.bad_requests += 1
            return respond(question, id_headers(place.shape, request_id))
        # A request whose handler is cancelled no longer knows its transport.
        transport = request.transport
        try:
            return await self._act(request, question, place, visit)
        except (asyncio.CancelledError, ConnectionResetError):
            visit.tally.abandoned += 1
            # What a client never reads must not keep the connection open.
            abort(transport)
            raise

    async def _act(
        self, request: web.Request, question: Question, place: Place, visit: Visit
    ) -> web.StreamResponse:
        call = visit.begin(question.prompt, is_interim=question.needs_tool)
        platform_id = place.desk.platform_id
        text = self._source.answer(platform_id, question.prompt, call.answer_number)
        if text is None:
            visit.tally.unknown_questions += 1
            return self._refuse(place, Trouble.UNKNOWN_QUESTION)
        given = self._given(call, question, place, text)
        act = Act(request, Fate(call, place.desk.behaviour, place.shape, given))
        response = await act.perform()
        if call.is_answered:
            visit.answered()
        elif call.is_sound:
            visit.tally.interim += 1
        return response

    def _given(self, call: Call, question: Question, place: Place, text: str) -> Given:
        share = place.desk.behaviour.search_share
        is_searching = question.may_search and not question.needs_tool
        pages = find_pages(call.key, share, self._source.domains()) if is_searching else ()
        return Given(call.key, question, int(self._now()), text, pages)

    def _refuse(self, place: Place, trouble: Trouble, denial: Denial | None = None) -> web.Response:
        problem = Problem(
            trouble,
            request_id=self._next_denial(),
            at=self._now(),
            wait_s=denial.wait_s if denial else 0.0,
            detail=denial.message if denial else "",
        )
        return respond(place.shape.error(problem), id_headers(place.shape, problem.request_id))

    def _next_denial(self) -> str:
        self._denials += 1
        return f"refused-{self._denials}"
