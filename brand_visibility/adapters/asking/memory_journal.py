"""A journal in memory, for a run whose results are written when it ends.

A killed process loses it; a run that must survive that uses the ledger.
"""

from collections.abc import Sequence

from brand_visibility.domain.outcomes import Answer, Attempt, Reason


class MemoryJournal:
    """Keeps the attempts of each query, in order, and why queries were given up."""

    def __init__(self) -> None:
        self._attempts: dict[str, list[Attempt]] = {}
        self._given_up: dict[str, Reason] = {}

    async def mark_running(self, query_ids: Sequence[str], account_id: str) -> Sequence[str]:
        """Nothing outlives the process, so there is nothing to mark, and no budget either."""
        return ()

    async def record(self, attempts: Sequence[Attempt]) -> None:
        for attempt in attempts:
            self._attempts.setdefault(attempt.query_id, []).append(attempt)

    async def give_up(self, query_ids: Sequence[str], reason: Reason) -> None:
        self._given_up.update(dict.fromkeys(query_ids, reason))

    async def release(self, query_ids: Sequence[str]) -> None:
        """Nothing was marked."""

    def attempts_of(self, query_id: str) -> Sequence[Attempt]:
        """Return a query's attempts, the first one first."""
        return self._attempts.get(query_id, ())

    def answered(self, query_id: str) -> Attempt | None:
        """Return the attempt that brought the answer, None without one."""
        attempts = self.attempts_of(query_id)
        if attempts and isinstance(attempts[-1].outcome, Answer):
            return attempts[-1]
        return None

    def given_up(self, query_id: str) -> Reason | None:
        """Return why a query was given up, None when it was not."""
        return self._given_up.get(query_id)
