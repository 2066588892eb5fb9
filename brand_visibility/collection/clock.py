"""The real clock, the one default of the engine. Tests bring a loop of virtual time."""

import asyncio
import time
from datetime import UTC, datetime


class AsyncioClock:
    """Time of the running machine; `monotonic` is the clock that asyncio sleeps by."""

    def monotonic(self) -> float:
        return time.monotonic()

    def now(self) -> datetime:
        return datetime.now(UTC)

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)
