"""How fast an account may send right now: what its platform's refusals make of the rate.

Additive increase, multiplicative decrease, and pauses for as long as the platform names.
When the next send happens belongs to `pacing`, whether the platform works to `breaker`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from brand_visibility.collection.ports import Clock, PaceSource
from brand_visibility.collection.windows import SlidingWindow
from brand_visibility.domain.outcomes import Failure, Outcome, Reason


@dataclass(frozen=True, slots=True)
class RateSettings:
    """What becomes of the rate. Shares are of the limit unless they say otherwise.

    When more than `refused_share` of the calls in the last `window_s` seconds were refused for
    the rate, it shrinks to `cut_to` of itself, at most once in `cut_every_s` seconds, and
    grows back by `regained_share` each second. `doubt` is how many calls are thought to have
    gone well before: the first few refusals of all are no share yet.
    One that asks for a lower rate by its code does so without any share.
    A refusal that names more than `short_wait_s` pauses the account until then, as does any
    that names a time while there are too many. A lane starts at `first_share` and ramps up
    over `ramp_up_s` seconds; 0 starts it at its limit.
    """

    window_s: int = 10
    refused_share: float = 0.05
    doubt: int = 100
    cut_to: float = 0.8
    cut_every_s: float = 1.0
    regained_share: float = 0.01
    short_wait_s: float = 5.0
    first_share: float = 0.5
    ramp_up_s: float = 0.0


@dataclass(slots=True)
class _Second:
    sent: int = 0
    answered: int = 0
    refused: int = 0


class AdaptiveRate:
    """Sends a second of one account, never above its limit. Times are monotonic seconds."""

    def __init__(self, limit: float, settings: RateSettings, now: float) -> None:
        self._limit = limit
        self._settings = settings
        self._started = now
        self._seconds = SlidingWindow(_Second, slices=settings.window_s)
        self._cut_at = now
        self._cut_rate = limit
        self._paused_until = now

    def rate(self, now: float) -> float:
        """Return the sends a second that are right now."""
        regained = self._settings.regained_share * self._limit * (now - self._cut_at)
        return min(self._limit, self._cut_rate + regained, self._ramp(now))

    def is_slowed(self, now: float) -> bool:
        """Whether the rate is below the limit."""
        return self.rate(now) < self._limit

    def paused_until(self, now: float) -> float | None:
        """Return when sending goes on, None when it is not paused."""
        return self._paused_until if now < self._paused_until else None

    def note_sent(self, now: float) -> None:
        """Take note of a send."""
        self._seconds.current(now).sent += 1

    def note_ended(self, outcome: Outcome, sent_at: float, now: float) -> None:
        """Take note of how a call that was sent at `sent_at` ended."""
        refusal = _refusal(outcome)
        # A refusal of the rate before a cut says nothing about the rate after it.
        is_of_this_rate = sent_at >= self._cut_at
        if is_of_this_rate:
            second = self._seconds.current(now)
            second.answered += 1
            second.refused += refusal is not None
        if refusal is not None:
            slows_down = refusal.asks_to_slow_down and is_of_this_rate
            self._heed(refusal.retry_after_s, now, slows_down=slows_down)

    def _heed(self, named_s: float | None, now: float, *, slows_down: bool) -> None:
        are_too_many = self._are_too_many(now)
        if named_s and (are_too_many or named_s > self._settings.short_wait_s):
            self._paused_until = max(self._paused_until, now + named_s)
        if (are_too_many or slows_down) and now - self._cut_at >= self._settings.cut_every_s:
            self._cut(now)

    def _are_too_many(self, now: float) -> bool:
        seen = list(self._seconds.within(now))
        refused = sum(second.refused for second in seen)
        # A refusal comes at once and an answer after seconds: those on their way count too.
        sent = sum(second.sent for second in seen)
        answered = sum(second.answered for second in seen)
        return refused > self._settings.refused_share * (max(sent, answered) + self._settings.doubt)

    def _cut(self, now: float) -> None:
        # Of a rate that is shared this process may have used a part only, and a cut of the
        # rest would change nothing. Half at most: what was sent in a second that a pause
        # interrupted is no measure.
        rate = self.rate(now)
        used = max(second.sent for second in self._seconds.within(now))
        self._cut_rate = self._settings.cut_to * min(rate, max(used, rate / 2))
        self._cut_at = now
        self._seconds.clear()

    def _ramp(self, now: float) -> float:
        if self._settings.ramp_up_s <= 0:
            return self._limit
        done = min(1.0, (now - self._started) / self._settings.ramp_up_s)
        share = self._settings.first_share + (1 - self._settings.first_share) * done
        return share * self._limit


def _refusal(outcome: Outcome) -> Failure | None:
    if not isinstance(outcome, Failure):
        return None
    is_one = outcome.reason is Reason.RATE_LIMITED or outcome.asks_to_slow_down
    return outcome if is_one else None


class ThinnedPace:
    """Slots of a shared source, taken more rarely while an account is slowed down.

    It rests before it reserves, so that no slot is taken that others could have used.
    `rate` returns the sends a second that are right now, None for all that the source has.
    """

    def __init__(
        self, source: PaceSource, clock: Clock, *, limit: float, rate: Callable[[], float | None]
    ) -> None:
        self._source = source
        self._clock = clock
        self._limit = limit
        self._rate = rate
        self._rests_until = clock.monotonic()

    async def reserve(self, count: int) -> Sequence[float]:
        """Reserve up to `count` slots, in proportion fewer while slowed down."""
        rest_s = self._rests_until - self._clock.monotonic()
        if rest_s > 0:
            await self._clock.sleep(rest_s)
        rate = self._rate()
        if rate is None:
            return await self._source.reserve(count)
        count = max(1, int(count * rate / self._limit))
        self._rests_until = self._clock.monotonic() + count / rate
        return await self._source.reserve(count)
