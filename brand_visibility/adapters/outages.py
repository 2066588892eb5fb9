"""Whether a shard goes on after its database was away, and after how long.

What a round of a shard's collection does belongs to `shard_collection`.
"""

import random

from brand_visibility.adapters.ledger.connection import LedgerUnavailableError
from brand_visibility.collection.ports import Clock

# A database that comes back within some ten seconds costs no retry of the step.
_FIRST_WAIT_S = 1.0
_GROWTH = 3.0
_MOST_IN_VAIN = 3


class Outages:
    """Counts the outages of one shard's collection, and waits between its rounds."""

    def __init__(self, clock: Clock, rng: random.Random) -> None:
        self.count = 0
        self._clock = clock
        self._rng = rng
        self._in_vain = 0

    async def outlive(self, error: LedgerUnavailableError, *, got_on: bool) -> None:
        """Wait until the next round may begin.

        `got_on` is whether the last one committed anything. Raises the error when three
        rounds in a row did not.
        """
        self.count += 1
        self._in_vain = 0 if got_on else self._in_vain + 1
        if self._in_vain >= _MOST_IN_VAIN:
            raise error
        # Shards that lost the same database must not all come back at once.
        await self._clock.sleep(
            _FIRST_WAIT_S * _GROWTH**self._in_vain * self._rng.uniform(0.5, 1.0)
        )
