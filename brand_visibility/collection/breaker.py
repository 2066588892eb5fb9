"""Whether an account's platform works at all: a breaker by the calls that fail.

It only says what may be sent. Holding back, and queueing meanwhile, is the dispatcher's;
a platform that asks for fewer calls works, and is `adaptive`'s.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from brand_visibility.collection.windows import SlidingWindow
from brand_visibility.domain.outcomes import Answer, Outcome, Reason

# Whether a failure speaks against the platform. One that is missing here says nothing about
# its health: a refusal for the rate, the quota or the key comes from the door, not the house.
_SPEAKS_AGAINST: Mapping[Reason, bool] = MappingProxyType(
    {
        Reason.TIMED_OUT: True,
        Reason.SERVER_FAULT: True,
        Reason.CONNECTION_LOST: True,
        Reason.UNREACHABLE: True,
        Reason.MALFORMED: True,
        Reason.REJECTED: False,
        Reason.REFUSED: False,
        Reason.BLOCKED: False,
        Reason.EMPTY: False,
        Reason.TRUNCATED: False,
    }
)


@dataclass(frozen=True, slots=True)
class BreakerSettings:
    """When a breaker opens, and for how long.

    It opens when at least `bad_share` of at least `least_calls` calls of the last
    `window_s` seconds were bad, or `bad_in_a_row` calls with none that went well between
    them, however long those took: a few calls at once that all time out never make the
    share. It opens for `open_s` seconds at first; each probe that fails doubles that, up to
    `longest_open_s`. After `hopeless_after` openings without a call that went well between
    them (a quarter of an hour, as set here) waiting has no sense.
    """

    window_s: int = 30
    least_calls: int = 20
    bad_share: float = 0.5
    bad_in_a_row: int = 10
    open_s: float = 30.0
    longest_open_s: float = 600.0
    hopeless_after: int = 6


class BreakerState(StrEnum):
    """Closed lets calls through, open none, half-open a single probe."""

    CLOSED = "closed"
    OPEN = "open"
    HALF_OPEN = "half_open"


def is_bad(outcome: Outcome) -> bool | None:
    """Return whether a call speaks against its platform's health, None when it says nothing."""
    return False if isinstance(outcome, Answer) else _SPEAKS_AGAINST.get(outcome.reason)


@dataclass(slots=True)
class _Calls:
    total: int = 0
    bad: int = 0


class Breaker:
    """The state of one account's breaker. Times are monotonic seconds.

    `episode` counts how often it opened. A call belongs to the episode in which it was
    let through: one that was under way when the breaker opened decides nothing later.
    """

    def __init__(self, settings: BreakerSettings) -> None:
        self.episode = 0
        self._settings = settings
        self._calls = SlidingWindow(_Calls, slices=settings.window_s)
        self._open_s = settings.open_s
        self._reopens_at: float | None = None
        self._openings_in_a_row = 0
        self._bad_in_a_row = 0

    @property
    def is_hopeless(self) -> bool:
        """Whether it has opened so often in a row that the platform is down for good."""
        return self._openings_in_a_row >= self._settings.hopeless_after

    def state(self, now: float) -> BreakerState:
        """Return the state, which opening changes and time does."""
        if self._reopens_at is None:
            return BreakerState.CLOSED
        return BreakerState.OPEN if now < self._reopens_at else BreakerState.HALF_OPEN

    def opens_until(self, now: float) -> float | None:
        """Return when a probe may be sent, None when calls are not held back for that."""
        reopens_at = self._reopens_at
        return reopens_at if reopens_at is not None and now < reopens_at else None

    def note(self, outcome: Outcome, episode: int, now: float) -> None:
        """Take note of how a call of an episode ended."""
        verdict = is_bad(outcome)
        if verdict is None or episode != self.episode:
            return
        if self._reopens_at is not None:
            self._judge_probe(now, is_bad=verdict)
            return
        self._count(now, is_bad=verdict)
        if verdict and self._trips(now):
            self._open(now)

    def _count(self, now: float, *, is_bad: bool) -> None:
        calls = self._calls.current(now)
        calls.total += 1
        calls.bad += is_bad
        self._bad_in_a_row = self._bad_in_a_row + 1 if is_bad else 0

    def _judge_probe(self, now: float, *, is_bad: bool) -> None:
        if is_bad:
            self._open_s = min(2 * self._open_s, self._settings.longest_open_s)
            self._open(now)
        else:
            self._open_s = self._settings.open_s
            self._reopens_at = None
            self._openings_in_a_row = 0

    def _trips(self, now: float) -> bool:
        if self._bad_in_a_row >= self._settings.bad_in_a_row:
            return True
        seen = list(self._calls.within(now))
        total = sum(calls.total for calls in seen)
        bad = sum(calls.bad for calls in seen)
        return total >= self._settings.least_calls and bad >= self._settings.bad_share * total

    def _open(self, now: float) -> None:
        self.episode += 1
        self._openings_in_a_row += 1
        self._bad_in_a_row = 0
        self._reopens_at = now + self._open_s
        self._calls.clear()
