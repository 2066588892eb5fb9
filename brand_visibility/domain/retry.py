"""When a query is asked again: one table from the reason of a failure to its rule.

The rules are tenacity's wait and stop objects, used as values. Waiting itself belongs to
the collection, and which reason a response means belongs to the platform adapters.
"""

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from tenacity import RetryCallState, Retrying, stop_after_attempt, wait_exponential, wait_fixed
from tenacity.stop import stop_base
from tenacity.wait import wait_base

from brand_visibility.domain.catalog import RetrySettings
from brand_visibility.domain.outcomes import Failure, Reason

# These say something about the account, not about the query: it may be asked elsewhere.
STOPS_ACCOUNT = frozenset({Reason.QUOTA_EXHAUSTED, Reason.UNAUTHORIZED})

# Share of the nominal wait by which a wait may be shorter. None is longer: a night that
# waits for its last retry would end later than its forecast says.
_SPREAD = 0.1

_Jitter = Callable[[float, random.Random], float]


@dataclass(frozen=True, slots=True)
class _Rule:
    """How long to wait, when to stop, and whether the platform's own time goes first."""

    wait: wait_base
    stop: stop_base
    jitter: _Jitter
    heeds_platform: bool = False


class RetryRules:
    """The waits after failed attempts, for one platform's settings."""

    def __init__(self, settings: RetrySettings) -> None:
        self.settings = settings
        self._table = _build_table(settings)

    def next_wait(self, failure: Failure, retries_made: int, rng: random.Random) -> float | None:
        """Return the seconds to wait before the next attempt, None to give up.

        `retries_made` counts the attempts after the first, whatever their reasons were:
        a reason that is worth one more attempt gets it only as the query's first retry.
        """
        rule = self._table[failure.reason]
        state = _state_after(retries_made)
        if rule is None or rule.stop(state):
            return None
        if rule.heeds_platform and failure.retry_after_s:
            return self._platform_wait(failure.retry_after_s)
        return rule.jitter(rule.wait(state), rng)

    def _platform_wait(self, named_s: float) -> float | None:
        # Clamping to the cap would only buy another refusal.
        return named_s if named_s <= self.settings.longest_platform_wait_s else None


def _build_table(settings: RetrySettings) -> Mapping[Reason, _Rule | None]:
    always = stop_after_attempt(settings.max_retries + 1)
    once = stop_after_attempt(min(settings.max_retries, 1) + 1)
    backoff = wait_exponential(settings.rate_limit_base_s, max=settings.rate_limit_cap_s)
    fault = _Rule(wait_fixed(settings.server_fault_s), always, _nearly, heeds_platform=True)
    once_more = _Rule(backoff, once, _below)
    timed_out = _Rule(
        wait_exponential(settings.timeout_base_s), always, _plus(settings.timeout_jitter_s)
    )
    return {
        Reason.RATE_LIMITED: _Rule(backoff, always, _below, heeds_platform=True),
        Reason.TIMED_OUT: timed_out,
        Reason.SERVER_FAULT: fault,
        Reason.UNREACHABLE: fault,
        # It may have been answered and paid for: a second loss is not worth a third call.
        Reason.CONNECTION_LOST: once_more,
        Reason.MALFORMED: once_more,
        Reason.EMPTY: once_more,
        Reason.QUOTA_EXHAUSTED: None,
        Reason.UNAUTHORIZED: None,
        Reason.REJECTED: None,
        Reason.REFUSED: None,
        Reason.BLOCKED: None,
        Reason.TRUNCATED: None,
        Reason.CUT_OFF: None,
        Reason.OVER_BUDGET: None,
    }


def _state_after(retries_made: int) -> RetryCallState:
    state = RetryCallState(Retrying(), fn=None, args=(), kwargs={})
    state.attempt_number = retries_made + 1
    return state


def _below(wait_s: float, rng: random.Random) -> float:
    return wait_s * rng.uniform(0.5, 1.0)


def _nearly(wait_s: float, rng: random.Random) -> float:
    return wait_s * rng.uniform(1 - _SPREAD, 1.0)


def _plus(jitter_s: float) -> _Jitter:
    return lambda wait_s, rng: wait_s + rng.uniform(0.0, jitter_s)
