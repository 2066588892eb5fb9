"""Results become durable in groups, and only then count.

A query's retry enters the queue after its failed attempt was committed, so that the
journal sees each query's story in order. What a result means belongs to the collector.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from brand_visibility.collection.ports import Clock, Journal
from brand_visibility.collection.queue import Queued
from brand_visibility.collection.signals import wait_at_most
from brand_visibility.domain.outcomes import Attempt, Reason


class SerialJournal:
    """A journal whose calls never overlap: one session serves them in turn.

    It remembers what was marked running and not sent yet.
    """

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._turn = asyncio.Lock()
        self._unsent: set[str] = set()

    async def mark_running(self, query_ids: Sequence[str], account_id: str) -> Sequence[str]:
        async with self._turn:
            # Before the call: one that is broken off may have been committed all the same.
            self._unsent.update(query_ids)
            refused = await self._journal.mark_running(query_ids, account_id)
        self._unsent.difference_update(refused)
        return refused

    def note_sent(self, query_id: str) -> None:
        """Take note that a marked query is being asked: it may be paid for from now on."""
        self._unsent.discard(query_id)

    async def record(self, attempts: Sequence[Attempt]) -> None:
        async with self._turn:
            await self._journal.record(attempts)

    async def give_up(self, query_ids: Sequence[str], reason: Reason) -> None:
        async with self._turn:
            await self._journal.give_up(query_ids, reason)
        self._unsent.difference_update(query_ids)

    async def release_unsent(self) -> None:
        """Let what was marked running and never sent be pending again."""
        unsent = sorted(self._unsent)
        if unsent:
            async with self._turn:
                await self._journal.release(unsent)
            self._unsent.difference_update(unsent)


class Recorder(Protocol):
    """The part of a journal that a committer needs."""

    async def record(self, attempts: Sequence[Attempt]) -> None: ...


@dataclass(frozen=True, slots=True)
class Ended:
    """An attempt that ended, the query it was made for and its end in monotonic seconds."""

    attempt: Attempt
    queued: Queued
    ended: float


class Committer:
    """Records ended attempts in groups and acknowledges each group after its commit."""

    def __init__(
        self,
        journal: Recorder,
        clock: Clock,
        acknowledge: Callable[[Sequence[Ended]], None],
        *,
        every_s: float,
        group_size: int,
    ) -> None:
        self._journal = journal
        self._clock = clock
        self._acknowledge = acknowledge
        self._every_s = every_s
        self._group_size = group_size
        self._waiting: list[Ended] = []
        self._has_some = asyncio.Event()
        self._is_due = asyncio.Event()
        self._is_closing = False

    def add(self, ended: Ended) -> None:
        """Take a result that is to be committed."""
        self._waiting.append(ended)
        self._has_some.set()
        if len(self._waiting) >= self._group_size:
            self._is_due.set()

    @property
    def waiting_count(self) -> int:
        """Results that are not committed yet."""
        return len(self._waiting)

    def hurry(self) -> None:
        """Commit what waits without waiting for company."""
        self._is_due.set()

    async def run(self) -> None:
        """Commit until closed. Raises what the journal raises; the group is kept."""
        while not self._is_closing:
            await self._has_some.wait()
            await wait_at_most(self._is_due, self._clock, self._every_s)
            await self.flush()

    async def flush(self) -> None:
        """Commit everything that waits now, group by group."""
        left = len(self._waiting)
        while left > 0:
            group = self._waiting[: min(left, self._group_size)]
            await self._journal.record([ended.attempt for ended in group])
            # Only a committed group leaves: a failed one can be tried again.
            del self._waiting[: len(group)]
            left -= len(group)
            self._acknowledge(group)
        self._rest()

    def _rest(self) -> None:
        if self._is_closing:
            return
        if not self._waiting:
            self._has_some.clear()
        if len(self._waiting) < self._group_size:
            self._is_due.clear()

    def close(self) -> None:
        """Let `run` return after a last commit."""
        self._is_closing = True
        self._has_some.set()
        self._is_due.set()
