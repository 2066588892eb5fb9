"""The engine: every query gets an outcome, within the accounts' limits and the deadline.

It decides what follows an attempt and when the collection ends. The order of queries,
pacing, adaptive limits, staging and group commits are the modules beside it; HTTP and the
database are behind `ports`.
"""

import asyncio
import random
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from functools import partial
from types import MappingProxyType

from brand_visibility.collection.adaptive import ThinnedPace
from brand_visibility.collection.committing import Committer, Ended, SerialJournal
from brand_visibility.collection.dispatching import Dispatcher
from brand_visibility.collection.ending import End, Ending
from brand_visibility.collection.engine_settings import EngineSettings
from brand_visibility.collection.lane import Lane, LaneState, Permit
from brand_visibility.collection.pacing import PacedGate
from brand_visibility.collection.ports import Clock, Journal, PaceSource, Pending, Sender
from brand_visibility.collection.queue import QueryQueue, Queued
from brand_visibility.collection.signals import Signal, finish_within
from brand_visibility.collection.summary import Summary, Tally
from brand_visibility.domain.catalog import Account
from brand_visibility.domain.outcomes import Answer, Attempt, Outcome, Reason
from brand_visibility.domain.retry import STOPS_ACCOUNT, RetryRules

_NOTHING_SENT: Mapping[str, int] = MappingProxyType({})


class Collector:
    """Collects the answers to one shard's queries, once.

    `deadline` is in monotonic seconds of the clock; `on_progress` hears the committed
    counts after each commit. Each account's limits are this process's own share, but for
    its rate, which `pace` shares out; `sent_today` are its earlier sends by account id.
    """

    def __init__(
        self,
        *,
        accounts: Sequence[Account],
        pace: Callable[[Account], PaceSource],
        sender: Sender,
        journal: Journal,
        rules: RetryRules,
        clock: Clock,
        rng: random.Random,
        deadline: float | None = None,
        sent_today: Mapping[str, int] = _NOTHING_SENT,
        on_progress: Callable[[Summary], None] | None = None,
        settings: EngineSettings | None = None,
    ) -> None:
        if not accounts:
            raise ValueError("accounts: found none; expected at least one to ask with")
        self._sender = sender
        self._journal = SerialJournal(journal)
        self._rules = rules
        self._clock = clock
        self._rng = rng
        self._deadline = deadline
        self._on_progress = on_progress
        self._settings = settings or EngineSettings()
        self._queue = QueryQueue()
        self._out_of_use: set[str] = set()
        self._tally = Tally()
        self._changed = Signal()
        self._deferred = Signal()
        self._ending = Ending()
        self._attempts: set[asyncio.Task[None]] = set()
        self._committer = Committer(
            self._journal,
            clock,
            self._acknowledge,
            every_s=self._settings.commit_every_s,
            group_size=self._settings.commit_size,
        )
        self._dispatchers = [
            self._dispatcher(account, pace(account), sent_today.get(account.account_id, 0))
            for account in accounts
        ]

    async def run(self, pending: Iterable[Pending]) -> Summary:
        """Ask until every query has an outcome, the deadline or a stop.

        Raises what the journal, a pace source or a faulty sender raised, after calls in
        flight have ended and one last commit was tried.
        """
        for one in pending:
            self.add(one)
        if self._tally.open_count:
            await self._collect()
        if self._ending.error is not None:
            raise self._ending.error
        was_stopped = self._ending.cause is End.STOPPED
        return self._tally.summarise(was_stopped=was_stopped, lanes=self.lanes())

    def add(self, pending: Pending) -> None:
        """Add a query, before or while the collection runs. Known queries are ignored."""
        if self._tally.add(pending.query.query_id):
            self._queue.add(pending, self._clock.monotonic())
            self._changed.notify()

    def request_stop(self) -> None:
        """Stop sending, let calls in flight end within `drain_s`, commit and return.

        Call it on the loop's thread (a signal handler of the loop is).
        """
        self._ending.come(End.STOPPED)

    def lanes(self) -> tuple[LaneState, ...]:
        """Return how each account stands now, in the order they were given."""
        return tuple(dispatcher.state for dispatcher in self._dispatchers)

    async def _collect(self) -> None:
        if self._deadline is not None and self._clock.monotonic() >= self._deadline:
            self._ending.come(End.DEADLINE, gives_up=Reason.CUT_OFF)
        for dispatcher in self._dispatchers:
            self._retire_used_up(dispatcher)
        committing = self._spawn(self._committer.run())
        staging = [self._spawn(dispatcher.stage()) for dispatcher in self._dispatchers]
        dispatching = [self._spawn(dispatcher.dispatch()) for dispatcher in self._dispatchers]
        timers = [self._spawn(self._release_retries()), self._spawn(self._keep_deadline())]
        drain_s: float | None = 0.0
        try:
            await self._ending.wait()
            drain_s = self._drain_s()
        finally:
            for dispatcher in self._dispatchers:
                dispatcher.stop()
            await finish_within(timers, self._clock, 0.0)
            await finish_within([*staging, *self._attempts], self._clock, drain_s)
            await finish_within(dispatching, self._clock, 0.0)
            await self._settle(committing)

    async def _settle(self, committing: asyncio.Task[None]) -> None:
        """Commit what ended, give up or release what has no outcome, or keep the first error."""
        self._committer.close()
        await asyncio.gather(committing, return_exceptions=True)
        try:
            await self._committer.flush()
            if self._ending.gives_up is not None and self._ending.error is None:
                await self._give_up(self._tally.open_ids(), self._ending.gives_up)
            await self._journal.release_unsent()
        except Exception as error:  # noqa: BLE001 - the first error is the one to raise
            self._ending.error = self._ending.error or error

    async def _give_up(self, query_ids: Sequence[str], reason: Reason) -> None:
        if query_ids:
            await self._journal.give_up(query_ids, reason)
            self._tally.give_up(query_ids, reason)
            self._tell()

    async def _refuse(self, query_ids: Sequence[str]) -> None:
        await self._give_up(query_ids, Reason.OVER_BUDGET)

    def _drain_s(self) -> float | None:
        # Attempts are bounded by their own limit: only an impatient end needs another.
        hurries = self._ending.cause in {End.STOPPED, End.FAILED}
        return self._settings.drain_s if hurries else None

    def _dispatcher(self, account: Account, source: PaceSource, sent_today: int) -> Dispatcher:
        lane = Lane(account, settings=self._settings.lane, clock=self._clock, sent_today=sent_today)
        block = max(1, round(account.limits.rate_per_second * self._settings.block_s))
        return Dispatcher(
            account,
            lane=lane,
            gate=self._gate(account, source, lane, block),
            block=block,
            queue=self._queue,
            journal=self._journal,
            clock=self._clock,
            changed=self._changed,
            send=self._send,
            after_call=self._retire_used_up,
            refuse=self._refuse,
        )

    def _gate(self, account: Account, source: PaceSource, lane: Lane, block: int) -> PacedGate:
        limit = account.limits.rate_per_second
        thinned = ThinnedPace(source, self._clock, limit=limit, rate=lane.thinned_rate)
        jitter = self._settings.jitter
        return PacedGate(thinned, self._clock, rate=limit, block=block, jitter=jitter)

    def _send(self, queued: Queued, permit: Permit, dispatcher: Dispatcher) -> None:
        self._journal.note_sent(queued.query_id)
        attempt = self._spawn(self._attempt(queued, permit, dispatcher))
        self._attempts.add(attempt)
        attempt.add_done_callback(self._attempts.discard)

    async def _attempt(self, queued: Queued, permit: Permit, dispatcher: Dispatcher) -> None:
        sent_at, started = self._clock.now(), self._clock.monotonic()
        outcome: Outcome | None = None
        try:
            query, account = queued.pending.query, dispatcher.account
            next_slot = partial(dispatcher.next_slot, permit)
            outcome = await self._sender.send(query, account, next_slot)
        finally:
            dispatcher.finish_one(permit, outcome)
        ended = self._clock.monotonic()
        attempt = Attempt(
            query_id=queued.query_id,
            number=queued.attempt_number,
            account_id=dispatcher.account.account_id,
            sent_at=sent_at,
            latency_ms=round((ended - started) * 1000),
            outcome=outcome,
            wait_s=self._wait_after(outcome, queued, dispatcher, ended),
        )
        self._committer.add(Ended(attempt, queued, ended))
        # Nothing else can end before this is committed: the tail need not wait.
        if self._committer.waiting_count >= self._tally.open_count:
            self._committer.hurry()

    def _wait_after(
        self, outcome: Outcome, queued: Queued, dispatcher: Dispatcher, ended: float
    ) -> float | None:
        if isinstance(outcome, Answer):
            return None
        # A deadline ends the wait for a platform that is down; without one it ends itself.
        is_given_up = self._deadline is None and dispatcher.is_hopeless
        if outcome.reason in STOPS_ACCOUNT or is_given_up:
            return self._move(queued, dispatcher, outcome.reason)
        wait_s = self._rules.next_wait(outcome, queued.pending.retries_made, self._rng)
        if wait_s is None or self._is_past_deadline(ended + wait_s):
            return None
        return wait_s

    def _move(self, queued: Queued, dispatcher: Dispatcher, reason: Reason) -> float | None:
        """Stop the account, and let another one ask the query if there is one."""
        self._retire(dispatcher, reason)
        if self._has_retired_all():
            return None
        return 0.0 if queued.pending.retries_made < self._rules.settings.max_retries else None

    def _retire(self, dispatcher: Dispatcher, reason: Reason) -> None:
        dispatcher.stop()
        self._out_of_use.add(dispatcher.account.account_id)
        if self._has_retired_all():
            self._ending.come(End.NO_ACCOUNT, gives_up=reason)

    def _retire_used_up(self, dispatcher: Dispatcher) -> None:
        if dispatcher.is_used_up:
            self._retire(dispatcher, Reason.QUOTA_EXHAUSTED)

    def _has_retired_all(self) -> bool:
        return len(self._out_of_use) == len(self._dispatchers)

    def _acknowledge(self, group: Sequence[Ended]) -> None:
        for ended in group:
            self._tally.note(ended.attempt)
            if ended.attempt.wait_s is not None:
                due = ended.ended + ended.attempt.wait_s
                self._queue.defer(ended.queued.after_attempt(), due)
        self._deferred.notify()
        self._tell()

    def _tell(self) -> None:
        if self._on_progress is not None:
            self._on_progress(self._tally.summarise(lanes=self.lanes()))
        if not self._tally.open_count:
            self._ending.come(End.DONE)

    async def _release_retries(self) -> None:
        while True:
            due = self._queue.next_due
            seconds = None if due is None else due - self._clock.monotonic()
            if seconds is None or seconds > 0:
                await self._deferred.wait(self._clock, seconds)
            if self._queue.promote(self._clock.monotonic()):
                self._changed.notify()

    async def _keep_deadline(self) -> None:
        if self._deadline is not None:
            await self._clock.sleep(self._deadline - self._clock.monotonic())
            self._ending.come(End.DEADLINE, gives_up=Reason.CUT_OFF)

    def _is_past_deadline(self, moment: float) -> bool:
        return self._deadline is not None and moment >= self._deadline

    def _spawn(self, work: Coroutine[object, object, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(work)
        task.add_done_callback(self._ending.watch)
        return task
