"""How the engine's tasks wait: for a change, for a time, for each other to end.

Every wait goes through the injected clock. What is waited for belongs to the waiters.
"""

import asyncio
from collections.abc import Callable, Iterable
from typing import Any

from brand_visibility.collection.ports import Clock


class Signal:
    """Wakes everyone who waits when something changed; each then looks for himself."""

    def __init__(self) -> None:
        self._event = asyncio.Event()

    def notify(self) -> None:
        """Wake everyone who waits now, and nobody who waits later."""
        event, self._event = self._event, asyncio.Event()
        event.set()

    async def until(self, is_true: Callable[[], bool]) -> None:
        """Wait until the condition holds, looking again after each notification."""
        while not is_true():
            await self._event.wait()

    async def wait(self, clock: Clock, seconds: float | None = None) -> None:
        """Wait for a notification, at most so many seconds when any are given."""
        if seconds is None:
            await self._event.wait()
        else:
            await wait_at_most(self._event, clock, seconds)


async def wait_at_most(event: asyncio.Event, clock: Clock, seconds: float) -> None:
    """Wait until the event is set, at most so many seconds."""
    racers = {asyncio.create_task(event.wait()), asyncio.create_task(clock.sleep(seconds))}
    try:
        await asyncio.wait(racers, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for racer in racers:
            racer.cancel()


async def finish_within(
    tasks: Iterable[asyncio.Task[None]], clock: Clock, seconds: float | None
) -> None:
    """Wait for the tasks, at most so many seconds, and cancel those that remain.

    None waits without limit. What the tasks raise stays with them.
    """
    ending = asyncio.gather(*tasks, return_exceptions=True)
    if seconds is None:
        await ending
        return
    alarm = asyncio.create_task(clock.sleep(seconds))
    try:
        racers: set[asyncio.Future[Any]] = {ending, alarm}
        await asyncio.wait(racers, return_when=asyncio.FIRST_COMPLETED)
    finally:
        alarm.cancel()
        ending.cancel()
        await asyncio.gather(ending, alarm, return_exceptions=True)
