"""Send slots of an account, shared by every process and host through the ledger.

One statement on the database's clock reserves a block of consecutive slots, and the slots
are translated to this process's clock. What a process does with a slot belongs to
`collection.pacing`.
"""

import contextlib
from collections import deque
from collections.abc import AsyncIterator, Mapping, Sequence

import psycopg

from brand_visibility.adapters.ledger.connection import plain_url, translated_errors
from brand_visibility.collection.ports import Clock

# Slots are this much further apart than the limit asks, so that sends which the network
# delays by up to this many seconds still never bunch into more than the limit in a second.
PACE_MARGIN = 0.0175

# A slot lies this far ahead at least: it must not have passed when its answer is read.
_LEAD_S = 0.02

# Long enough to contain a prompt answer, short enough to follow clocks that drift apart.
_REMEMBERED_S = 30.0
_FIRST_LOOKS = 3

_RESERVE = """
INSERT INTO ledger.account_pace AS pace (platform_id, account_id, next_at, rate_per_second)
VALUES (%(platform_id)s, %(account_id)s,
        clock_timestamp() + make_interval(secs => %(lead_s)s + %(block_s)s), %(rate)s)
ON CONFLICT (platform_id, account_id) DO UPDATE
SET next_at = greatest(pace.next_at, clock_timestamp() + make_interval(secs => %(lead_s)s))
              + make_interval(secs => %(block_s)s),
    rate_per_second = excluded.rate_per_second
RETURNING extract(epoch FROM clock_timestamp())::double precision,
          extract(epoch FROM next_at)::double precision
"""

_LOOK = "SELECT extract(epoch FROM clock_timestamp())::double precision"


class ClockOffset:
    """How far a local monotonic clock is ahead of the database's, in seconds.

    Only answers tell, and each comes late by its way back: the promptest of the last 30
    seconds is believed. When the database's clock is set back, what was seen before is
    impossible and forgotten; when it is set forward, the next answer is the promptest.
    """

    def __init__(self) -> None:
        self._seen: deque[tuple[float, float]] = deque()

    def is_known(self, now: float) -> bool:
        """Whether an answer of the last 30 seconds is remembered."""
        self._forget_older_than(now - _REMEMBERED_S)
        return bool(self._seen)

    def note(self, database_time: float, *, asked: float, answered: float) -> float:
        """Take note of the database's time in an answer, and return the offset.

        `asked` and `answered` are the local times before and after.
        """
        self._forget_older_than(answered - _REMEMBERED_S)
        least, seen = asked - database_time, answered - database_time
        # Increasing from the oldest to the newest: the first is always the smallest.
        while self._seen and self._seen[-1][1] >= seen:
            self._seen.pop()
        while self._seen and self._seen[0][1] < least:
            self._seen.popleft()
        self._seen.append((answered, seen))
        return self._seen[0][1]

    def _forget_older_than(self, moment: float) -> None:
        while self._seen and self._seen[0][0] < moment:
            self._seen.popleft()


class LedgerPace:
    """A `PaceSource` for one account, `rate_per_second` being the account's whole rate.

    A slot may have passed when it is handed out, after an answer that took long: it is
    another process's turn by then.
    """

    def __init__(
        self,
        session: psycopg.AsyncConnection,
        clock: Clock,
        *,
        platform_id: str,
        account_id: str,
        rate_per_second: float,
    ) -> None:
        self._session = session
        self._clock = clock
        self._offset = ClockOffset()
        # The rate is kept for those who look how the night goes.
        self._scope = {
            "platform_id": platform_id,
            "account_id": account_id,
            "rate": rate_per_second,
            "lead_s": _LEAD_S,
        }
        self._interval_s = (1 + PACE_MARGIN) / rate_per_second

    async def reserve(self, count: int) -> Sequence[float]:
        """Reserve `count` consecutive slots and return their monotonic times."""
        if not self._offset.is_known(self._clock.monotonic()):
            # One answer alone may be late, and would move the slots into others' blocks.
            for _ in range(_FIRST_LOOKS):
                await self._ask(_LOOK, {})
        block_s = count * self._interval_s
        offset, end = await self._ask(_RESERVE, {**self._scope, "block_s": block_s})
        first = end + offset - block_s
        return [first + position * self._interval_s for position in range(count)]

    async def _ask(self, statement: str, values: Mapping[str, object]) -> tuple[float, ...]:
        """Return the clocks' offset and what follows the database's time in the answer."""
        asked = self._clock.monotonic()
        with translated_errors():
            cursor = await self._session.execute(statement, values)
            row = await cursor.fetchone()
        if row is None:
            raise RuntimeError("a statement that tells the database's time returned no row")
        database_time, *others = row
        answered = self._clock.monotonic()
        return self._offset.note(database_time, asked=asked, answered=answered), *others


@contextlib.asynccontextmanager
async def pace_session(database_url: str) -> AsyncIterator[psycopg.AsyncConnection]:
    """Yield a session for pacing alone: slots must not wait for a commit of answers."""
    with translated_errors():
        session = await psycopg.AsyncConnection.connect(plain_url(database_url), autocommit=True)
        async with session:
            yield session
