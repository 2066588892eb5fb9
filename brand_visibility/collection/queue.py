"""What is still to be sent, and in which order.

Ready queries wait by rank and turn, failed ones by the time of their retry; neither holds
a slot or a place in flight. Turns among tenants are `fair_share`'s; who sends, and when,
belongs to the dispatchers.
"""

import heapq
from dataclasses import replace
from itertools import count
from typing import NamedTuple

from brand_visibility.collection.fair_share import FairShare
from brand_visibility.collection.ports import Pending

# Waiting this long makes up for one class of priority.
AGEING_S = 600.0


class Rank(NamedTuple):
    """What goes first whoever it is for. The smaller goes first.

    Optional repeats come after everything that has to be asked once. Within either,
    `level` is the negated priority, plus one for each period that the query came later.
    """

    is_optional: bool
    level: int


class Queued(NamedTuple):
    """A query with its place in the order. The smaller goes first.

    Within a rank the tenants' turns decide (`start`), then the order of arrival. A retry
    keeps its place, so that it goes before the younger queries of its rank.
    """

    rank: Rank
    start: float
    number: int
    pending: Pending

    @property
    def query_id(self) -> str:
        return self.pending.query.query_id

    @property
    def attempt_number(self) -> int:
        """Which call the next one for this query is, from 1."""
        return self.pending.attempts_made + 1

    def after_attempt(self) -> "Queued":
        """Return the same place in the order, one attempt later."""
        later = replace(
            self.pending,
            attempts_made=self.attempt_number,
            retries_made=self.pending.retries_made + 1,
        )
        return self._replace(pending=later)


class QueryQueue:
    """Ready queries in their order and deferred ones by the time they are due.

    Everything that waits gains one class of priority every `ageing_s` seconds. Since all
    gain it at the same moments, a query's place never changes after its arrival: what
    comes later starts as many classes lower instead.
    """

    def __init__(self, *, ageing_s: float = AGEING_S) -> None:
        self._ageing_s = ageing_s
        self._ready: list[Queued] = []
        self._deferred: list[tuple[float, int, Queued]] = []
        self._numbers = count()
        self._classes: dict[Rank, tuple[Rank, FairShare]] = {}
        self._first_at: float | None = None

    @property
    def ready_count(self) -> int:
        return len(self._ready)

    @property
    def deferred_count(self) -> int:
        return len(self._deferred)

    @property
    def best_rank(self) -> Rank | None:
        """Rank of the query that `take` would return first, None when there is none."""
        return self._ready[0].rank if self._ready else None

    @property
    def next_due(self) -> float | None:
        """Time at which the next deferred query becomes ready, None when there is none."""
        return self._deferred[0][0] if self._deferred else None

    def add(self, pending: Pending, now: float = 0.0) -> None:
        """Append a new query that arrives at `now`, in monotonic seconds."""
        query = pending.query
        rank, share = self._class_of(Rank(query.repeat > 0, self._age(now) - query.priority))
        start = share.start_of(query.tenant_ids, pending.tenant_weights)
        self.put_back(Queued(rank, start, next(self._numbers), pending))

    def put_back(self, queued: Queued) -> None:
        """Return a query that was taken and not sent to its old place."""
        heapq.heappush(self._ready, queued)

    def defer(self, queued: Queued, due: float) -> None:
        """Keep a query until `due`, in monotonic seconds."""
        heapq.heappush(self._deferred, (due, queued.number, queued))

    def promote(self, now: float) -> int:
        """Make the queries ready that are due, and return how many there were."""
        promoted = 0
        while self._deferred and self._deferred[0][0] <= now:
            self.put_back(heapq.heappop(self._deferred)[2])
            promoted += 1
        return promoted

    def take(self, limit: int) -> list[Queued]:
        """Remove and return up to `limit` queries, the most urgent first."""
        taken = [heapq.heappop(self._ready) for _ in range(min(limit, len(self._ready)))]
        for queued in taken:
            self._classes[queued.rank][1].serve(queued.start)
        return taken

    def _class_of(self, rank: Rank) -> tuple[Rank, FairShare]:
        known = self._classes.get(rank)
        if known is None:
            # One object stands for a rank: heaps compare an object with itself for free.
            known = self._classes[rank] = (rank, FairShare())
        return known

    def _age(self, now: float) -> int:
        """Return how many classes the first query has gained until now."""
        if self._first_at is None:
            self._first_at = now
        return max(0, int((now - self._first_at) / self._ageing_s))
