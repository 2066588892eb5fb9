"""What a collection came to, while it runs and when it has ended."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from brand_visibility.domain.outcomes import Reason


@dataclass(frozen=True, slots=True)
class Summary:
    """Committed results. `asked = answered + sum(failed) + left`.

    `left` are queries without an outcome: none when the collection ran to its end,
    those to resume with when it was stopped.
    """

    asked: int
    answered: int
    failed: Mapping[Reason, int]
    attempts: int
    was_stopped: bool = False

    @property
    def failed_count(self) -> int:
        return sum(self.failed.values())

    @property
    def cut_off(self) -> int:
        """Queries that the deadline left without an outcome of their own."""
        return self.failed.get(Reason.CUT_OFF, 0)

    @property
    def left(self) -> int:
        return self.asked - self.answered - self.failed_count


class Tally:
    """Counts results as they are committed."""

    def __init__(self) -> None:
        self.asked = 0
        self.answered = 0
        self.attempts = 0
        self._failed: Counter[Reason] = Counter()

    def fail(self, reason: Reason, queries: int = 1) -> None:
        self._failed[reason] += queries

    def summarise(self, *, was_stopped: bool = False) -> Summary:
        """Return the counts as they stand."""
        return Summary(self.asked, self.answered, dict(self._failed), self.attempts, was_stopped)
