"""What one account may send right now: all its adaptive limits, asked together.

A lane answers and keeps count; it neither waits nor sends. That is the dispatcher's, and
when the next slot comes is pacing's.
"""

import math
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from brand_visibility.collection.adaptive import AdaptiveRate, RateSettings
from brand_visibility.collection.allowance import Charge, DailyAllowance, TokenAllowance
from brand_visibility.collection.breaker import Breaker, BreakerSettings, BreakerState, is_bad
from brand_visibility.collection.in_flight import InFlightBound, InFlightSettings
from brand_visibility.collection.ports import Clock
from brand_visibility.collection.unknown_refusals import UnknownRefusals, UnknownRefusalSettings
from brand_visibility.domain.catalog import Account
from brand_visibility.domain.outcomes import Outcome
from brand_visibility.domain.planning import Query

# Sleeping until a moment may end a little before it: looking again must not spin.
_SHORTEST_LOOK_S = 0.001


@dataclass(frozen=True, slots=True)
class LaneSettings:
    """Figures of the adaptive limits. `completion_tokens` is an answer's typical length."""

    breaker: BreakerSettings = field(default_factory=BreakerSettings)
    rate: RateSettings = field(default_factory=RateSettings)
    in_flight: InFlightSettings = field(default_factory=InFlightSettings)
    unknown_refusals: UnknownRefusalSettings = field(default_factory=UnknownRefusalSettings)
    completion_tokens: int = 800


@dataclass(frozen=True, slots=True)
class LaneState:
    """How an account stands. `rate` is in sends a second, of at most `rate_limit`.

    `held_until` is when a paused account goes on or an open breaker lets a probe through,
    None when neither holds it back. `refused_since` is when a row of refusals began that no
    table knows and that paused it, None outside of one. `is_stopped` accounts send nothing
    more tonight.
    """

    account_id: str
    breaker: BreakerState
    rate: float
    rate_limit: float
    in_flight: int
    in_flight_bound: int
    held_until: datetime | None = None
    refused_since: datetime | None = None
    is_stopped: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Permit:
    """Leave for one send. It lapses when the breaker opens before the query is sent."""

    episode: int
    charge: Charge


class Lane:
    """One account's limits and what is let through them, on its way or in flight."""

    def __init__(
        self, account: Account, *, settings: LaneSettings, clock: Clock, sent_today: int = 0
    ) -> None:
        limits = account.limits
        self._account = account
        self._clock = clock
        self._breaker = Breaker(settings.breaker)
        self._rate = AdaptiveRate(limits.rate_per_second, settings.rate, clock.monotonic())
        self._unknown = UnknownRefusals(settings.unknown_refusals)
        self._bound = InFlightBound(limits.concurrency, limits.rate_per_second, settings.in_flight)
        self._renewed_s = settings.in_flight.renewed_s
        self._tokens = TokenAllowance(limits.tokens_per_minute, settings.completion_tokens)
        self._day = DailyAllowance(limits.queries_per_day, sent_today)
        self._tokens_at = -math.inf
        self._let_through = 0
        self._in_flight: dict[Permit, float] = {}
        self._last_calls: dict[Permit, float] = {}

    @property
    def is_used_up(self) -> bool:
        """Whether the account has sent all that it may in a day."""
        return self._day.is_used_up

    @property
    def is_hopeless(self) -> bool:
        """Whether the platform has failed for so long that nothing more is sent."""
        return self._breaker.is_hopeless

    def thinned_rate(self) -> float | None:
        """Return the sends a second that are right now, None when the limit is."""
        now = self._clock.monotonic()
        return self._rate.rate(now) if self._rate.is_slowed(now) else None

    def room(self) -> int:
        """Return how many more queries may be let through now."""
        return self._room(self._clock.monotonic())

    def next_look_s(self) -> float | None:
        """Return the seconds after which a full lane may have room although nothing happened.

        None when only a call that ends or a query that comes can change anything.
        """
        now = self._clock.monotonic()
        held_until = self._held_until(now)
        if self._tokens_at > now:
            held_until = max(held_until or now, self._tokens_at)
        if held_until is not None:
            return max(held_until - now, _SHORTEST_LOOK_S)
        is_bound = self._bound_at(now) < self._account.limits.concurrency
        return self._renewed_s if is_bound else None

    def let_through(self, query: Query) -> Permit | None:
        """Return leave to send a query, None when its tokens are not to be had yet."""
        now = self._clock.monotonic()
        charge = self._tokens.charge(query, now)
        if charge is None:
            self._tokens_at = self._tokens.next_refill(now)
            return None
        self._let_through += 1
        return Permit(self._breaker.episode, charge)

    def take_back(self, permit: Permit) -> None:
        """Undo the leave for a query that will not be sent now."""
        self._let_through -= 1
        permit.charge.correct(0)

    def honours(self, permit: Permit) -> bool:
        """Whether a query that was let through may still be sent."""
        return permit.episode == self._breaker.episode and not self.is_shut()

    def is_shut(self) -> bool:
        """Whether nothing may be sent now: the breaker is open or the account is paused."""
        return self._held_until(self._clock.monotonic()) is not None

    def sent(self, permit: Permit) -> None:
        """Take note that a query which was let through is in flight now."""
        now = self._clock.monotonic()
        self._let_through -= 1
        self._in_flight[permit] = now
        self._rate.note_sent(now)
        self._day.note_sent()

    def sent_again(self, permit: Permit) -> None:
        """Take note of a further call for a query in flight: a send that holds no other place."""
        now = self._last_calls[permit] = self._clock.monotonic()
        self._rate.note_sent(now)
        self._day.note_sent()

    def ended(self, permit: Permit, outcome: Outcome | None) -> None:
        """Take note of how a call ended, None for one that was broken off."""
        now = self._clock.monotonic()
        started = self._in_flight.pop(permit)
        last_call = self._last_calls.pop(permit, started)
        if outcome is None:
            return
        verdict = is_bad(outcome)
        # A refusal comes at once: it says nothing about how long answers take.
        if verdict is not None:
            self._bound.note(now - started, now, is_well=not verdict)
        self._rate.note_ended(outcome, last_call, now)
        self._unknown.note(outcome, last_call, now)
        self._breaker.note(outcome, permit.episode, now)
        self._tokens.settle(permit.charge, outcome)

    def state(self, *, is_stopped: bool = False) -> LaneState:
        """Return how the account stands now."""
        now = self._clock.monotonic()
        held_until, refused_since = self._held_until(now), self._unknown.since
        return LaneState(
            account_id=self._account.account_id,
            breaker=self._breaker.state(now),
            rate=self._rate.rate(now),
            rate_limit=self._account.limits.rate_per_second,
            in_flight=len(self._in_flight),
            in_flight_bound=self._bound_at(now),
            held_until=None if held_until is None else self._moment(held_until, now),
            refused_since=None if refused_since is None else self._moment(refused_since, now),
            is_stopped=is_stopped,
        )

    def _room(self, now: float) -> int:
        if self._held_until(now) is not None or now < self._tokens_at:
            return 0
        places = self._bound_at(now) - len(self._in_flight) - self._let_through
        room = min(places, self._day.room(self._let_through))
        if self._breaker.state(now) is BreakerState.HALF_OPEN:
            room = min(room, 1 - self._probes())
        return int(room)

    def _probes(self) -> int:
        episode = self._breaker.episode
        return self._let_through + sum(permit.episode == episode for permit in self._in_flight)

    def _bound_at(self, now: float) -> int:
        started = self._in_flight.values()
        return self._bound.allowed(now, rate=self._rate.rate(now), started=started)

    def _held_until(self, now: float) -> float | None:
        holds = (
            self._breaker.opens_until(now),
            self._rate.paused_until(now),
            self._unknown.paused_until(now),
        )
        return max((until for until in holds if until is not None), default=None)

    def _moment(self, monotonic: float, now: float) -> datetime:
        return self._clock.now() + timedelta(seconds=monotonic - now)
