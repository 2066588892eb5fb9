"""When the next send may happen, so that no window of one second exceeds the limit.

Slots are spaced a little wider than the limit asks, because the way to the platform
varies; a ring of the real send times guards against late wake-ups. What is sent in a
slot, and how many calls are in flight, belong to the dispatcher.
"""

import asyncio
import math
from collections import deque
from collections.abc import Callable, Sequence

from brand_visibility.collection.ports import Clock, PaceSource

# Below one percent a strict platform still refuses, as measured; two leave nothing of 98 %
# of the rate for a slot that was missed.
DEFAULT_JITTER = 0.0175

# Less than a clock can tell: waiting for it would never end.
_NEGLIGIBLE_S = 1e-9


def window(rate: float) -> tuple[int, float]:
    """Return the sends and the seconds of the window in which a rate is enforced.

    A whole rate N means N in one second, a fractional one its whole part in the time
    that takes, and a rate below one a single send in 1/N seconds.
    """
    sends = max(1, math.floor(rate))
    return sends, sends / rate


class LocalPace:
    """Slots of an account that no other process uses.

    Slots of the past are gone: after idleness the pace goes on, it never catches up.
    """

    def __init__(self, rate: float, clock: Clock, jitter: float = DEFAULT_JITTER) -> None:
        self._interval_s = (1 + jitter) / rate
        self._clock = clock
        self._next = -math.inf

    async def reserve(self, count: int) -> Sequence[float]:
        first = max(self._next, self._clock.monotonic())
        self._next = first + count * self._interval_s
        return [first + index * self._interval_s for index in range(count)]


class GuardRing:
    """The exact guard: the real times of the last sends that fill a window."""

    def __init__(self, rate: float, jitter: float = DEFAULT_JITTER) -> None:
        sends, window_s = window(rate)
        self._sent: deque[float] = deque(maxlen=sends)
        self._rest_s = window_s * (1 + jitter / 2)

    def delay(self, now: float) -> float:
        """Return the seconds until a send is allowed, 0 when it is now."""
        if len(self._sent) < (self._sent.maxlen or 0):
            return 0.0
        left = self._sent[0] + self._rest_s - now
        return left if left > _NEGLIGIBLE_S else 0.0

    def note(self, now: float) -> None:
        """Take note of a send."""
        self._sent.append(now)


class PacedGate:
    """Lets one send through at a time: takes a slot, sleeps until it, asks the guard.

    A slot that the process is late for is given up. The tolerance is half the spacing's
    surplus over a window, so that slots shared with other processes hold the limit too,
    although each process guards its own sends only.
    """

    def __init__(
        self,
        source: PaceSource,
        clock: Clock,
        *,
        rate: float,
        block: int,
        jitter: float = DEFAULT_JITTER,
    ) -> None:
        self._source = source
        self._clock = clock
        self._block = block
        self._guard = GuardRing(rate, jitter)
        self._tolerance_s = window(rate)[1] * jitter / 2
        self._slots: deque[float] = deque()
        self._ahead: asyncio.Task[Sequence[float]] | None = None

    async def admit(
        self, wanted: int = 1, is_still_wanted: Callable[[], bool] = lambda: True
    ) -> bool:
        """Return True when one send may happen, which must then happen at once.

        `wanted` is how many sends are in sight: no more slots than that are reserved. False
        when the slot has come and is not wanted any more: nothing was sent for the guard.
        """
        while not await self._reached(await self._next_slot(wanted)):
            pass
        await self._pass_guard()
        if not is_still_wanted():
            return False
        self._guard.note(self._clock.monotonic())
        return True

    async def close(self) -> None:
        """Forget reserved slots and end a reservation that is under way."""
        self._slots.clear()
        if self._ahead is not None:
            self._ahead.cancel()
            await asyncio.gather(self._ahead, return_exceptions=True)
            self._ahead = None

    async def _next_slot(self, wanted: int) -> float:
        if not self._slots:
            self._reserve_ahead(wanted)
            await self._refill()
        slot = self._slots.popleft()
        # Half a block early: a shared source answers long before the slots run out.
        if len(self._slots) <= self._block // 2:
            self._reserve_ahead(wanted - 1 - len(self._slots))
        return slot

    def _reserve_ahead(self, count: int) -> None:
        if self._ahead is None and count > 0:
            reservation = self._source.reserve(min(count, self._block))
            self._ahead = asyncio.ensure_future(reservation)

    async def _refill(self) -> None:
        if self._ahead is not None:
            self._slots.extend(await self._ahead)
            self._ahead = None

    async def _reached(self, slot: float) -> bool:
        now = self._clock.monotonic()
        while slot - now > _NEGLIGIBLE_S:
            await self._clock.sleep(slot - now)
            now = self._clock.monotonic()
        return now - slot <= self._tolerance_s

    async def _pass_guard(self) -> None:
        now = self._clock.monotonic()
        while delay := self._guard.delay(now):
            await self._clock.sleep(delay)
            now = self._clock.monotonic()
