"""Send slots of an account, shared by every process and host through the ledger.

One statement on the database's clock reserves a block of consecutive slots. What a
process does with a slot belongs to `collection.pacing`.
"""

import contextlib
from collections.abc import AsyncIterator, Sequence

import psycopg

from brand_visibility.adapters.ledger.connection import plain_url, translated_errors
from brand_visibility.collection.ports import Clock

# Slots are this much further apart than the limit asks, so that sends which the network
# delays by up to this many seconds still never bunch into more than the limit in a second.
PACE_MARGIN = 0.02

_RESERVE = """
INSERT INTO ledger.account_pace AS pace (platform_id, account_id, next_at, rate_per_second)
VALUES (%(platform_id)s, %(account_id)s,
        clock_timestamp() + make_interval(secs => %(block_s)s), %(rate)s)
ON CONFLICT (platform_id, account_id) DO UPDATE
SET next_at = greatest(pace.next_at, clock_timestamp()) + make_interval(secs => %(block_s)s),
    rate_per_second = excluded.rate_per_second
RETURNING extract(epoch FROM next_at - clock_timestamp())::double precision
"""


class LedgerPace:
    """A `PaceSource` for one account, `rate_per_second` being the account's whole rate."""

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
        # The rate is kept for those who look how the night goes.
        self._scope = {
            "platform_id": platform_id,
            "account_id": account_id,
            "rate": rate_per_second,
        }
        self._interval_s = (1 + PACE_MARGIN) / rate_per_second

    async def reserve(self, count: int) -> Sequence[float]:
        """Reserve `count` consecutive slots and return their monotonic times."""
        block_s = count * self._interval_s
        with translated_errors():
            cursor = await self._session.execute(_RESERVE, {**self._scope, "block_s": block_s})
            row = await cursor.fetchone()
        if row is None:
            raise RuntimeError("the statement that reserves slots returned no row")
        # Read after the answer: slots may come late by the way back, never early.
        first = self._clock.monotonic() + row[0] - block_s
        return [first + position * self._interval_s for position in range(count)]


@contextlib.asynccontextmanager
async def pace_session(database_url: str) -> AsyncIterator[psycopg.AsyncConnection]:
    """Yield a session for pacing alone: slots must not wait for a commit of answers."""
    with translated_errors():
        session = await psycopg.AsyncConnection.connect(plain_url(database_url), autocommit=True)
        async with session:
            yield session
