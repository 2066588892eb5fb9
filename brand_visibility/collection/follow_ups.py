"""Calls in flight that need another call: a search's second half, an answer in pieces.

They wait here for a slot of their account's rate. When a slot comes, and that it is theirs
before any query's that was not sent yet, is decided by `dispatching`.
"""

import asyncio

from brand_visibility.collection.lane import Permit
from brand_visibility.collection.signals import Signal


class FollowUps:
    """The calls that wait, in the order in which they came."""

    def __init__(self, changed: Signal) -> None:
        self._changed = changed
        self._waiting: dict[asyncio.Future[None], Permit] = {}

    @property
    def count(self) -> int:
        """How many wait, without those that were broken off a moment ago."""
        return sum(not turn.done() for turn in self._waiting)

    async def wait(self, permit: Permit) -> None:
        """Return when one more call may be made under the permit of the first.

        A call that is broken off meanwhile takes no slot.
        """
        turn = asyncio.get_running_loop().create_future()
        self._waiting[turn] = permit
        self._changed.notify()
        try:
            await turn
        finally:
            self._waiting.pop(turn, None)

    def let_next_go(self) -> Permit | None:
        """Let the first one go and return its permit, None when nobody waits any more."""
        for turn, permit in self._waiting.items():
            # One that was broken off leaves when its task comes to that.
            if not turn.done():
                turn.set_result(None)
                return permit
        return None
