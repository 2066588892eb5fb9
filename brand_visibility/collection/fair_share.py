"""Weighted fair share among the tenants of one rank: whose turn comes when.

Start-time fair queueing: each query gets a virtual start time when it arrives, and the
smallest goes first. Ranks, heaps and retries belong to the queue.
"""

from collections.abc import Sequence

_NOBODY = ("",)


class FairShare:
    """Hands out virtual start times, in queries of a tenant of weight 1.

    A tenant of twice the weight gets twice the turns while both have something waiting.
    A query that serves several tenants is charged to them in equal parts, and goes as
    soon as the first of them has its turn: a small tenant never waits for the backlog of
    a big one with which it shares a question.
    """

    __slots__ = ("_ends", "_now")

    def __init__(self) -> None:
        self._now = 0.0
        self._ends: dict[str, float] = {}

    def start_of(self, tenant_ids: Sequence[str], weights: Sequence[float]) -> float:
        """Return the virtual start of a query that arrives now, and charge its tenants.

        `weights` are those of `tenant_ids`, in their order; none means that all weigh 1.
        Without tenants all such queries share one turn.
        """
        tenant_ids = tenant_ids or _NOBODY
        part = 1.0 / len(tenant_ids)
        earliest = float("inf")
        for position, tenant_id in enumerate(tenant_ids):
            # Turns that a tenant left unused are gone: it begins at the present.
            start = max(self._now, self._ends.get(tenant_id, 0.0))
            weight = weights[position] if weights else 1.0
            self._ends[tenant_id] = start + part / weight
            earliest = min(earliest, start)
        return earliest

    def serve(self, start: float) -> None:
        """Move the present to the start of a query whose turn has come."""
        self._now = max(self._now, start)
