"""How a process that holds something in the ledger shows that it lives.

It beats through the session it holds it by: a process that is stopped, or cut off from
the database, falls silent although its session may live on. Whom silence costs what
belongs to `ownership` and `lanes`.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass

from brand_visibility.adapters.ledger.connection import LedgerUnavailableError
from brand_visibility.collection.ports import Clock
from brand_visibility.collection.signals import wait_at_most


@dataclass(frozen=True, slots=True)
class Heartbeat:
    """Seconds between two beats, and of silence after which a holder counts as gone."""

    every_s: float = 5.0
    stale_after_s: float = 60.0

    def __post_init__(self) -> None:
        if not 0 < self.every_s < self.stale_after_s:
            raise ValueError(
                f"heartbeat: found a beat every {self.every_s:g} s and a limit of"
                f" {self.stale_after_s:g} s; expected a limit above the time between beats"
            )


DEFAULT_HEARTBEAT = Heartbeat()


@contextlib.asynccontextmanager
async def beating(
    beat: Callable[[], Awaitable[None]],
    clock: Clock,
    heartbeat: Heartbeat,
    lost: asyncio.Event,
) -> AsyncIterator[None]:
    """Beat for the time of the block; set `lost` when a beat fails or is not heard in time."""
    leaving = asyncio.Event()
    beats = asyncio.create_task(_beat_until(leaving, beat, clock, heartbeat, lost))
    try:
        yield
    finally:
        # A beat under way ends by itself: cancelling it would break off its transaction.
        leaving.set()
        await beats


async def _beat_until(
    leaving: asyncio.Event,
    beat: Callable[[], Awaitable[None]],
    clock: Clock,
    heartbeat: Heartbeat,
    lost: asyncio.Event,
) -> None:
    await wait_at_most(leaving, clock, heartbeat.every_s)
    while not leaving.is_set():
        try:
            async with asyncio.timeout(heartbeat.stale_after_s):
                await beat()
        except (LedgerUnavailableError, TimeoutError):
            lost.set()
            return
        await wait_at_most(leaving, clock, heartbeat.every_s)
