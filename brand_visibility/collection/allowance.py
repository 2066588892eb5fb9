"""What an account may use up: tokens in a minute, queries in a day.

Both are charged before a query is sent. What happens when nothing is left belongs to
`lane` and to the dispatcher.
"""

import math
from dataclasses import dataclass, field

from brand_visibility.collection.windows import SlidingWindow
from brand_visibility.domain.outcomes import Answer, Outcome, Reason
from brand_visibility.domain.planning import Query

_MINUTE_S = 60
# Prompts are text of mixed languages: about 3 UTF-8 bytes a Chinese token and 4 an English
# one. The estimate takes the dearer.
_BYTES_PER_TOKEN = 3

# A call that never got past the door has used no tokens.
_USES_NONE = frozenset({Reason.RATE_LIMITED, Reason.UNREACHABLE})


@dataclass(slots=True)
class _Second:
    tokens: int = 0


@dataclass(slots=True)
class Charge:
    """Tokens that are charged to the second in which their query was let through."""

    tokens: int = 0
    second: _Second = field(default_factory=_Second)

    def correct(self, tokens: int) -> None:
        """Charge so many tokens instead."""
        self.second.tokens += tokens - self.tokens
        self.tokens = tokens


class TokenAllowance:
    """Tokens that all windows of a minute may hold. Times are monotonic seconds.

    None as the limit allows any number. `completion_tokens` is an answer's typical length.
    """

    def __init__(self, limit: int | None, completion_tokens: int) -> None:
        self._limit = limit
        self._completion_tokens = completion_tokens
        # One more than a minute: the oldest slice is only partly within the window.
        self._seconds = SlidingWindow(_Second, slices=_MINUTE_S + 1)

    def charge(self, query: Query, now: float) -> Charge | None:
        """Charge what the query will probably use, None when that is not left."""
        if self._limit is None:
            return Charge()
        tokens = self.estimate(query)
        if self._used(now) + tokens > self._limit:
            return None
        second = self._seconds.current(now)
        second.tokens += tokens
        return Charge(tokens, second)

    def settle(self, charge: Charge, outcome: Outcome) -> None:
        """Correct a charge by what the platform counted, where that is known."""
        prompt, completion = outcome.usage.prompt_tokens, outcome.usage.completion_tokens
        if prompt is not None and completion is not None:
            charge.correct(prompt + completion)
        elif not isinstance(outcome, Answer) and outcome.reason in _USES_NONE:
            charge.correct(0)

    def estimate(self, query: Query) -> int:
        """Return the tokens a query will probably use, the whole limit at most."""
        prompt = math.ceil(len(query.prompt.encode()) / _BYTES_PER_TOKEN)
        tokens = prompt + self._completion_tokens
        return tokens if self._limit is None else min(tokens, self._limit)

    def next_refill(self, now: float) -> float:
        """Return when some of the used tokens are allowed again."""
        return self._seconds.oldest_end(now) or now

    def _used(self, now: float) -> int:
        return sum(second.tokens for second in self._seconds.within(now))


class DailyAllowance:
    """Sends that are left of an account's day, without end when it has no such limit."""

    def __init__(self, limit: int | None, sent_today: int) -> None:
        self._left: float = math.inf if limit is None else max(0, limit - sent_today)

    @property
    def is_used_up(self) -> bool:
        return self._left <= 0

    def room(self, held: int) -> float:
        """Return how many more may be let through, with so many let through and not sent."""
        return max(0, self._left - held)

    def note_sent(self) -> None:
        """Take note of a send."""
        self._left -= 1
