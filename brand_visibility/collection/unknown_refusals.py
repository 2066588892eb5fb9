"""Refusals of the rate that nobody can explain: when an account rests because of them.

Whether a platform's table knows a refusal is read off its response by the adapters; what a
known one makes of the rate belongs to `adaptive`, telling people to `notices`.
"""

import math
from dataclasses import dataclass

from brand_visibility.domain.outcomes import RESULTS, Answer, Failure, Outcome, Reason


@dataclass(frozen=True, slots=True)
class UnknownRefusalSettings:
    """When unknown refusals pause an account, and for how long.

    At least `in_a_row` of them, with no answer between them and none in the last
    `without_answer_s` seconds, pause it for `pause_s` seconds, and so does each that follows.
    """

    in_a_row: int = 3
    without_answer_s: float = 60.0
    pause_s: float = 60.0


class UnknownRefusals:
    """One account's row of them. Times are monotonic seconds.

    `since` is when the first of a row came that paused the account, None while there is no
    such row. An answer ends it.
    """

    def __init__(self, settings: UnknownRefusalSettings) -> None:
        self.since: float | None = None
        self._settings = settings
        self._in_a_row = 0
        self._first_at = self._answered_at = self._paused_at = -math.inf

    def paused_until(self, now: float) -> float | None:
        """Return when sending goes on, None when it is not paused."""
        until = self._paused_at + self._settings.pause_s
        return until if now < until else None

    def note(self, outcome: Outcome, sent_at: float, now: float) -> None:
        """Take note of how a call that was sent at `sent_at` ended."""
        if isinstance(outcome, Answer) or outcome.reason in RESULTS:
            self._end_row(now)
        # One that was under way when the account was paused says nothing new.
        elif _is_unknown(outcome) and sent_at >= self._paused_at:
            self._lengthen_row(now)

    def _end_row(self, now: float) -> None:
        self._answered_at = now
        self._paused_at = -math.inf
        self._in_a_row = 0
        self.since = None

    def _lengthen_row(self, now: float) -> None:
        if not self._in_a_row:
            self._first_at = now
        self._in_a_row += 1
        is_long = self._in_a_row >= self._settings.in_a_row
        if is_long and now - self._answered_at >= self._settings.without_answer_s:
            self._paused_at = now
            self.since = self._first_at


def _is_unknown(failure: Failure) -> bool:
    return failure.reason is Reason.RATE_LIMITED and not failure.is_recognised
