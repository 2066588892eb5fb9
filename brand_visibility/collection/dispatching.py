"""One account's way out: mark the next queries running, wait for a slot, send the best.

Whatever follows a send belongs to the collector; when a slot comes belongs to pacing, and
how many queries may go to the account's lane.
"""

import heapq
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Sequence

from brand_visibility.collection.committing import SerialJournal
from brand_visibility.collection.follow_ups import FollowUps
from brand_visibility.collection.lane import Lane, LaneState, Permit
from brand_visibility.collection.pacing import PacedGate
from brand_visibility.collection.ports import Clock
from brand_visibility.collection.queue import QueryQueue, Queued
from brand_visibility.collection.signals import Signal
from brand_visibility.domain.catalog import Account
from brand_visibility.domain.outcomes import Outcome

_Staged = tuple[Queued, Permit]


class Dispatcher:
    """Sends an account's queries, one for each slot, as many as its lane lets through.

    Staged queries are those that the journal knows as running and that wait for their
    slot. They are few (a block of slots, and no more than there is room in flight), so
    that little is sent twice after a crash. The best of them is chosen when its slot has
    come, and a more urgent query of the queue is staged at once: it overtakes. While the
    lane is shut nothing is staged, so that other accounts can ask what waits.
    """

    def __init__(
        self,
        account: Account,
        *,
        lane: Lane,
        gate: PacedGate,
        block: int,
        queue: QueryQueue,
        journal: SerialJournal,
        clock: Clock,
        changed: Signal,
        send: Callable[[Queued, Permit, "Dispatcher"], None],
        after_call: Callable[["Dispatcher"], None],
        refuse: Callable[[Sequence[str]], Awaitable[None]],
    ) -> None:
        self.account = account
        self.is_stopped = False
        self._lane = lane
        self._gate = gate
        self._block = block
        self._queue = queue
        self._journal = journal
        self._clock = clock
        self._changed = changed
        self._send = send
        self._after_call = after_call
        self._refuse = refuse
        self._staged: list[_Staged] = []
        self._follow_ups = FollowUps(changed)

    @property
    def is_used_up(self) -> bool:
        """Whether the account has sent all that it may in a day."""
        return self._lane.is_used_up

    @property
    def is_hopeless(self) -> bool:
        """Whether the account's platform has failed for so long that waiting has no sense."""
        return self._lane.is_hopeless

    @property
    def state(self) -> LaneState:
        """How the account stands now."""
        return self._lane.state(is_stopped=self.is_stopped)

    async def stage(self) -> None:
        """Keep the next queries staged, until stopped."""
        while not self.is_stopped:
            if not self._wants_more():
                await self._changed.wait(self._clock)
            elif self._lane.room() > 0:
                await self._stage_block()
            else:
                await self._changed.wait(self._clock, self._lane.next_look_s())

    async def dispatch(self) -> None:
        """Send what is staged, one query for each slot. Ends by being cancelled only.

        Once stopped it lets nothing but further calls of what is in flight through.
        """
        try:
            while True:
                await self._changed.until(self._has_something)
                await self._dispatch_one()
        finally:
            await self._gate.close()

    async def next_slot(self, permit: Permit) -> None:
        """Return when one more call of a query in flight may be sent, before queries that wait."""
        await self._follow_ups.wait(permit)

    def finish_one(self, permit: Permit, outcome: Outcome | None) -> None:
        """Free the place in flight of a call that ended, None for one broken off."""
        self._lane.ended(permit, outcome)
        if self._lane.is_shut():
            self._unstage_all()
        self._changed.notify()

    def stop(self) -> None:
        """Send nothing more. What was staged goes back into the queue."""
        self.is_stopped = True
        self._unstage_all()
        self._changed.notify()

    async def _stage_block(self) -> None:
        block = self._take_block()
        if not block:
            return
        refused = await self._mark_running(block)
        for queued, permit in block:
            if queued.query_id in refused:
                self._lane.take_back(permit)
            elif self.is_stopped or not self._lane.honours(permit):
                self._unstage([(queued, permit)])
            else:
                heapq.heappush(self._staged, (queued, permit))
        self._changed.notify()
        if refused:
            await self._refuse(sorted(refused))

    def _take_block(self) -> list[_Staged]:
        """Take the next queries, as many as the lane lets through."""
        block: list[_Staged] = []
        waiting = deque(self._queue.take(min(self._block, self._lane.room())))
        # The first one that has to wait for its tokens holds the others back: smaller ones
        # that went before it would starve it.
        while waiting and (permit := self._lane.let_through(waiting[0].pending.query)):
            block.append((waiting.popleft(), permit))
        for queued in waiting:
            self._queue.put_back(queued)
        return block

    async def _mark_running(self, block: Sequence[_Staged]) -> frozenset[str]:
        query_ids = [queued.query_id for queued, _ in block]
        return frozenset(await self._journal.mark_running(query_ids, self.account.account_id))

    async def _dispatch_one(self) -> None:
        # The account may be stopped or shut, and a call broken off, while the slot is awaited.
        if not await self._gate.admit(self._in_sight(), self._has_something):
            return
        if (follow_up := self._follow_ups.let_next_go()) is not None:
            self._lane.sent_again(follow_up)
        else:
            queued, permit = heapq.heappop(self._staged)
            self._lane.sent(permit)
            self._send(queued, permit, self)
            self._changed.notify()
        self._after_call(self)

    def _has_something(self) -> bool:
        return bool(self._staged) or self._follow_ups.count > 0

    def _in_sight(self) -> int:
        # What there is no room for will not be sent soon: its slots are for other processes.
        queued = self._follow_ups.count + len(self._staged)
        return queued + min(self._queue.ready_count, self._lane.room())

    def _wants_more(self) -> bool:
        best = self._queue.best_rank
        if best is None:
            return False
        return len(self._staged) <= self._block // 2 or best < self._staged[0][0].rank

    def _unstage_all(self) -> None:
        staged, self._staged = self._staged, []
        self._unstage(staged)

    def _unstage(self, block: Iterable[_Staged]) -> None:
        for queued, permit in block:
            self._lane.take_back(permit)
            self._queue.put_back(queued)
