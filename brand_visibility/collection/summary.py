"""What a collection came to, while it runs and when it has ended."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from brand_visibility.collection.lane import LaneState
from brand_visibility.domain.outcomes import Answer, Attempt, Reason


@dataclass(frozen=True, slots=True)
class Summary:
    """Committed results. `asked = answered + sum(failed) + left`.

    `left` are queries without an outcome: none when the collection ran to its end,
    those to resume with when it was stopped. `lanes` is how the accounts stand at this
    moment, for display; two summaries of the same results are equal.
    """

    asked: int
    answered: int
    failed: Mapping[Reason, int]
    attempts: int
    was_stopped: bool = False
    lanes: tuple[LaneState, ...] = field(default=(), compare=False)

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
    """Counts results as they are committed, and knows which queries have none yet."""

    def __init__(self) -> None:
        self._known: set[str] = set()
        self._open: set[str] = set()
        self._answered = 0
        self._attempts = 0
        self._failed: Counter[Reason] = Counter()

    @property
    def open_count(self) -> int:
        """Queries without an outcome."""
        return len(self._open)

    def open_ids(self) -> Sequence[str]:
        """Return the ids of the queries without an outcome, sorted."""
        return sorted(self._open)

    def add(self, query_id: str) -> bool:
        """Take a query that needs an outcome. Returns False for a known one."""
        if query_id in self._known:
            return False
        self._known.add(query_id)
        self._open.add(query_id)
        return True

    def note(self, attempt: Attempt) -> None:
        """Count an attempt, and its query's outcome unless another attempt follows."""
        self._attempts += 1
        if attempt.wait_s is not None:
            return
        self._open.discard(attempt.query_id)
        if isinstance(attempt.outcome, Answer):
            self._answered += 1
        else:
            self._failed[attempt.outcome.reason] += 1

    def give_up(self, query_ids: Sequence[str], reason: Reason) -> None:
        """Count queries that failed without a further attempt."""
        self._open.difference_update(query_ids)
        self._failed[reason] += len(query_ids)

    def summarise(self, *, was_stopped: bool = False, lanes: tuple[LaneState, ...] = ()) -> Summary:
        """Return the counts as they stand."""
        return Summary(
            asked=len(self._known),
            answered=self._answered,
            failed=dict(self._failed),
            attempts=self._attempts,
            was_stopped=was_stopped,
            lanes=lanes,
        )
