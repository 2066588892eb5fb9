"""One account's way out: mark the next queries running, wait for a slot, send the best.

Whatever follows a send belongs to the collector; when a slot comes belongs to pacing.
"""

import heapq
from collections.abc import Callable

from brand_visibility.collection.pacing import PacedGate
from brand_visibility.collection.ports import Journal
from brand_visibility.collection.queue import QueryQueue, Queued
from brand_visibility.collection.signals import Signal
from brand_visibility.domain.catalog import Account


class Dispatcher:
    """Sends an account's queries, one for each slot, at most so many in flight.

    Staged queries are those that the journal knows as running and that wait for their
    slot. They are few (a block of slots, and no more than there is room in flight), so
    that little is sent twice after a crash. The best of them is chosen when its slot has
    come, and a more urgent query of the queue is staged at once: it overtakes.
    """

    def __init__(
        self,
        account: Account,
        *,
        gate: PacedGate,
        block: int,
        queue: QueryQueue,
        journal: Journal,
        changed: Signal,
        send: Callable[[Queued, "Dispatcher"], None],
    ) -> None:
        self.account = account
        self.is_stopped = False
        self._gate = gate
        self._block = block
        self._queue = queue
        self._journal = journal
        self._changed = changed
        self._send = send
        self._staged: list[Queued] = []
        self._in_flight = 0

    async def stage(self) -> None:
        """Keep the next queries staged, until stopped."""
        while not self.is_stopped:
            await self._changed.until(lambda: self.is_stopped or self._wants_more())
            if not self.is_stopped:
                await self._stage_block()

    async def dispatch(self) -> None:
        """Send what is staged, one query for each slot, until stopped."""
        try:
            while not self.is_stopped:
                await self._changed.until(lambda: self.is_stopped or bool(self._staged))
                if not self.is_stopped:
                    await self._dispatch_one()
        finally:
            await self._gate.close()

    def finish_one(self) -> None:
        """Free the place in flight of a call that ended."""
        self._in_flight -= 1
        self._changed.notify()

    def stop(self) -> None:
        """Send nothing more. What was staged goes back into the queue."""
        self.is_stopped = True
        self._unstage(self._staged)
        self._staged = []
        self._changed.notify()

    async def _stage_block(self) -> None:
        block = self._queue.take(min(self._block, self._room))
        await self._journal.mark_running(
            [queued.query_id for queued in block], self.account.account_id
        )
        if self.is_stopped:
            self._unstage(block)
        else:
            for queued in block:
                heapq.heappush(self._staged, queued)
        self._changed.notify()

    async def _dispatch_one(self) -> None:
        await self._gate.admit(len(self._staged) + self._queue.ready_count)
        # The account may have been stopped while its slot was awaited.
        if self.is_stopped:
            return
        queued = heapq.heappop(self._staged)
        self._in_flight += 1
        self._send(queued, self)
        self._changed.notify()

    @property
    def _room(self) -> int:
        return self.account.limits.concurrency - self._in_flight - len(self._staged)

    def _wants_more(self) -> bool:
        best = self._queue.best_rank
        if best is None or self._room <= 0:
            return False
        return len(self._staged) <= self._block // 2 or best < self._staged[0].rank

    def _unstage(self, block: list[Queued]) -> None:
        for queued in block:
            self._queue.put_back(queued)
