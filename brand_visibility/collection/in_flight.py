"""How many calls of an account may be in flight: no more than its rate and latency ask for.

When a platform hangs, this many calls are stuck and not as many as the account allows. What
the account allows is the vendor's hard limit; places are counted by the dispatcher.
"""

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from brand_visibility.collection.windows import SlidingWindow

_SLICE_S = 5.0
# Latencies are counted in classes that are a tenth wide, from a millisecond up.
_SHORTEST_S = 0.001
_WIDTH = math.log(1.1)


@dataclass(frozen=True, slots=True)
class InFlightSettings:
    """How the bound follows from rate × latency.

    The latency is the `quantile` of the last `window_s` seconds, or the mean of the last
    `recent_s` when that is more, and `first_latency_s` until there are `least_calls`. It is
    multiplied by `reserve`, and `lead_s` comes on top, for what has a place and still waits
    for its slot. The bound is at least `floor`, which is as many as a breaker has to see fail
    before it opens, and is renewed every `renewed_s` while calls end well.
    """

    window_s: float = 60.0
    recent_s: float = 10.0
    quantile: float = 0.95
    reserve: float = 1.5
    lead_s: float = 0.25
    floor: int = 20
    least_calls: int = 20
    first_latency_s: float = 10.0
    renewed_s: float = 1.0


class InFlightBound:
    """The bound of one account, `concurrency` at most. Times are monotonic seconds.

    `rate` is the account's limit, in sends a second.
    """

    def __init__(self, concurrency: int, rate: float, settings: InFlightSettings) -> None:
        self._concurrency = concurrency
        self._settings = settings
        self._latencies: SlidingWindow[Counter[int]] = SlidingWindow(
            Counter, slices=round(settings.window_s / _SLICE_S), slice_s=_SLICE_S
        )
        self._bound = self._bound_for(settings.first_latency_s, rate)
        self._renewed_at = self._well_at = -math.inf

    def note(self, latency_s: float, now: float, *, is_well: bool) -> None:
        """Take note of a call that ended, well or not: it held its place so long."""
        self._latencies.current(now)[_class_of(latency_s)] += 1
        if is_well:
            self._well_at = now

    def allowed(self, now: float, *, rate: float, started: Iterable[float]) -> int:
        """Return the bound. `started` are the times at which calls in flight were sent."""
        # When nothing ends well any more the platform is not slow but hangs: to follow its
        # latency would hand it ever more calls to lose.
        is_working = now - self._well_at <= self._settings.recent_s
        if is_working and now - self._renewed_at >= self._settings.renewed_s:
            self._renewed_at = now
            self._bound = self._bound_for(self._latency_s(now, started), rate)
        return self._bound

    def _bound_for(self, latency_s: float, rate: float) -> int:
        held_s = latency_s * self._settings.reserve + self._settings.lead_s
        return min(self._concurrency, max(self._settings.floor, math.ceil(rate * held_s)))

    def _latency_s(self, now: float, started: Iterable[float]) -> float:
        # Calls in flight count with their age. Those that have ended are the fast ones at
        # first, and a bound that followed them alone would never let the slow ones through.
        counts = Counter(_class_of(now - at) for at in started)
        for ended in self._latencies.within(now):
            counts.update(ended)
        if counts.total() < self._settings.least_calls:
            return self._settings.first_latency_s
        # A few calls that hang hold more places than any quantile shows; the mean knows.
        return max(_quantile(counts, self._settings.quantile), self._recent_mean_s(now))

    def _recent_mean_s(self, now: float) -> float:
        recent: Counter[int] = Counter()
        for ended in self._latencies.within(now, round(self._settings.recent_s / _SLICE_S)):
            recent.update(ended)
        total = sum(_upper_s(index) * count for index, count in recent.items())
        return total / max(1, recent.total())


def _class_of(latency_s: float) -> int:
    return max(0, math.ceil(math.log(max(latency_s, _SHORTEST_S) / _SHORTEST_S) / _WIDTH))


def _upper_s(index: int) -> float:
    return _SHORTEST_S * math.exp(index * _WIDTH)


def _quantile(counts: Counter[int], share: float) -> float:
    left = share * counts.total()
    for index in sorted(counts):
        left -= counts[index]
        if left <= 0:
            return _upper_s(index)
    return 0.0
