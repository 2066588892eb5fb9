"""What is still to be sent, and in which order.

Ready queries wait by priority, failed ones by the time of their retry; neither holds a
slot or a place in flight. Who sends them, and when, belongs to the dispatchers.
"""

import heapq
from dataclasses import replace
from itertools import count
from typing import NamedTuple

from brand_visibility.collection.ports import Pending


class Queued(NamedTuple):
    """A query with its place in the order: by rank, then by age. The smaller goes first.

    A retry keeps its place, so that it goes before younger queries of its priority.
    """

    rank: int
    age: int
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
    """Ready queries by (priority, age) and deferred ones by the time they are due."""

    def __init__(self) -> None:
        self._ready: list[Queued] = []
        self._deferred: list[tuple[float, int, Queued]] = []
        self._ages = count()

    @property
    def ready_count(self) -> int:
        return len(self._ready)

    @property
    def deferred_count(self) -> int:
        return len(self._deferred)

    @property
    def best_rank(self) -> int | None:
        """Rank of the query that `take` would return first, None when there is none."""
        return self._ready[0].rank if self._ready else None

    @property
    def next_due(self) -> float | None:
        """Time at which the next deferred query becomes ready, None when there is none."""
        return self._deferred[0][0] if self._deferred else None

    def add(self, pending: Pending) -> None:
        """Append a new query."""
        self.put_back(Queued(-pending.query.priority, next(self._ages), pending))

    def put_back(self, queued: Queued) -> None:
        """Return a query that was taken and not sent to its old place."""
        heapq.heappush(self._ready, queued)

    def defer(self, queued: Queued, due: float) -> None:
        """Keep a query until `due`, in monotonic seconds."""
        heapq.heappush(self._deferred, (due, queued.age, queued))

    def promote(self, now: float) -> int:
        """Make the queries ready that are due, and return how many there were."""
        promoted = 0
        while self._deferred and self._deferred[0][0] <= now:
            self.put_back(heapq.heappop(self._deferred)[2])
            promoted += 1
        return promoted

    def take(self, limit: int) -> list[Queued]:
        """Remove and return up to `limit` queries, the most urgent first."""
        return [heapq.heappop(self._ready) for _ in range(min(limit, len(self._ready)))]
