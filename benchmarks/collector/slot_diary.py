"""How late sends are: reserved slots and real sends, noted on the way."""

from array import array
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from brand_visibility.collection.ports import Clock, NextSlot, PaceSource, Sender
from brand_visibility.domain.catalog import Account
from brand_visibility.domain.outcomes import Outcome
from brand_visibility.domain.planning import Query


class SlotDiary:
    """Reserved slots and real sends, to tell how late a send was."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.slots = array("d")
        self.sends = array("d")

    def keep(self, source: PaceSource) -> "KeptPace":
        """Return the source, its slots noted."""
        return KeptPace(source, self.slots)

    def watch(self, sender: Sender) -> "WatchedSender":
        """Return the sender, its sends noted."""
        return WatchedSender(sender, self._clock, self.sends)

    def mean_delay_s(self) -> float:
        """Return the mean seconds from the last slot before a send to the send."""
        slots = sorted(self.slots)
        places = ((at, bisect_right(slots, at)) for at in self.sends)
        delays = [at - slots[place - 1] for at, place in places if place]
        return sum(delays) / len(delays) if delays else 0.0


@dataclass(frozen=True, slots=True)
class KeptPace:
    """A `PaceSource` that notes its slots."""

    source: PaceSource
    slots: "array[float]"

    async def reserve(self, count: int) -> Sequence[float]:
        reserved = await self.source.reserve(count)
        self.slots.extend(reserved)
        return reserved


@dataclass(frozen=True, slots=True)
class WatchedSender:
    """A `Sender` that notes its sends."""

    sender: Sender
    clock: Clock
    sends: "array[float]"

    async def send(self, query: Query, account: Account, next_slot: NextSlot) -> Outcome:
        self.sends.append(self.clock.monotonic())
        return await self.sender.send(query, account, next_slot)
