"""What goes on beside a shard's collection: saying how far it is, and hearing when to stop.

What is collected belongs to `shard_collection`, what is told to `collection.notices`.
"""

import asyncio
import contextlib
import logging
import os
import signal
import threading
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator

from brand_visibility.collection.notices import Notice
from brand_visibility.collection.summary import Summary

_PULSE_S = 30.0
_PARENT_CHECK_S = 1.0

_log = logging.getLogger(__name__)


class Pulse:
    """Says every half minute how far the shard is: a line a query would cost the run more."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
        self._latest: Summary | None = None

    @property
    def has_committed(self) -> bool:
        """Whether any attempt was committed."""
        return self._latest is not None and self._latest.attempts > 0

    def hear(self, summary: Summary) -> None:
        """Take note of how far the shard is."""
        self._latest = summary

    async def beat(self) -> None:
        """Say it, until cancelled."""
        while True:
            await asyncio.sleep(_PULSE_S)
            if (latest := self._latest) is not None:
                self._say(
                    f"{latest.answered} of {latest.asked} answered,"
                    f" {latest.failed_count} failed, {latest.attempts} calls"
                )


class Deliveries:
    """Hands notices over in threads of their own: a network may take its time.

    A delivery that fails is logged; the collection goes on without it.
    """

    def __init__(self, deliver: Callable[[Notice], None]) -> None:
        self._deliver = deliver
        self._under_way: set[asyncio.Task[None]] = set()

    def begin(self, notice: Notice) -> None:
        """Start a delivery."""
        task = asyncio.create_task(self._attempt(notice))
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)

    async def finish(self) -> None:
        """Wait for those that are under way."""
        await asyncio.gather(*self._under_way)

    async def _attempt(self, notice: Notice) -> None:
        try:
            await asyncio.to_thread(self._deliver, notice)
        except Exception:  # noqa: BLE001 - whoever tells people is no part of the collection
            _log.warning("a notice about %s was not delivered", notice.account_id, exc_info=True)


def log_notice(notice: Notice) -> None:
    """Tell whoever reads the process's log."""
    _log.warning(
        "%s: account %s %s", notice.platform_id, notice.account_id, notice.what, stacklevel=2
    )


@contextlib.contextmanager
def stopped_by_signals(request_stop: Callable[[], None]) -> Iterator[None]:
    """Let SIGTERM and SIGINT stop the engine gracefully, then restore their handlers."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    numbers = (signal.SIGTERM, signal.SIGINT)
    earlier = {number: signal.getsignal(number) for number in numbers}
    loop = asyncio.get_running_loop()
    for number in numbers:
        loop.add_signal_handler(number, request_stop)
    try:
        yield
    finally:
        for number in numbers:
            loop.remove_signal_handler(number)
            signal.signal(number, earlier[number])


@contextlib.asynccontextmanager
async def beside(*works: Coroutine[object, object, None]) -> AsyncIterator[None]:
    """Let the works go on for the time of the block."""
    tasks = [asyncio.create_task(work) for work in works]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def call_when_orphaned(request_stop: Callable[[], None]) -> None:
    """Stop when the process that started this one is gone."""
    parent = os.getppid()
    # The system sets no event when a parent dies; asking is the portable way.
    while os.getppid() == parent:  # noqa: ASYNC110
        await asyncio.sleep(_PARENT_CHECK_S)
    request_stop()


async def call_when_set(event: asyncio.Event, request_stop: Callable[[], None]) -> None:
    """Stop when the event is set."""
    await event.wait()
    request_stop()
