"""One sliding second: the limit on sends and the measure of the busiest one.

Times are monotonic seconds and handed in, never read. Memory is bounded by the sends of
one second.
"""

from collections import deque

_SECOND = 1.0


class RateWindow:
    """A strict limit: no second, wherever it begins, holds more than `limit` sends.

    A send exactly one second after another is no longer in the same second. A refused send
    takes no place.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._admitted: deque[float] = deque(maxlen=limit)

    def admit(self, at: float) -> bool:
        """Admit or refuse a send at this time. Times must not decrease."""
        is_full = len(self._admitted) == self._limit
        if is_full and at - self._admitted[0] < _SECOND:
            return False
        self._admitted.append(at)
        return True

    def wait_s(self, at: float) -> float:
        """Return the seconds until a send would be admitted."""
        if len(self._admitted) < self._limit:
            return 0.0
        return max(0.0, _SECOND - (at - self._admitted[0]))


class BusiestSecond:
    """The largest number of sends that any one second held."""

    def __init__(self) -> None:
        self._recent: deque[float] = deque()
        self.most = 0

    def note(self, at: float) -> None:
        """Count a send at this time. Times must not decrease."""
        self._recent.append(at)
        while at - self._recent[0] >= _SECOND:
            self._recent.popleft()
        self.most = max(self.most, len(self._recent))
