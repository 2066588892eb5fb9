"""Why a collection ends. The first cause counts, an error outranks it in the end."""

import asyncio
from enum import Enum

from brand_visibility.domain.outcomes import Reason


class End(Enum):
    """The causes: all queries have outcomes, or nothing more may be sent."""

    DONE = "done"
    STOPPED = "stopped"
    DEADLINE = "deadline"
    NO_ACCOUNT = "no_account"
    FAILED = "failed"


class Ending:
    """Set once by whoever finds that the collection ends.

    `gives_up` is the reason that queries without an outcome then fail with, None when
    they stay as they are. `error` is what the caller of the collection must see.
    """

    def __init__(self) -> None:
        self.cause: End | None = None
        self.gives_up: Reason | None = None
        self.error: BaseException | None = None
        self._has_come = asyncio.Event()

    def come(self, cause: End, *, gives_up: Reason | None = None) -> None:
        """End for this cause, unless the end has come already."""
        if self.cause is None:
            self.cause = cause
            self.gives_up = gives_up
            self._has_come.set()

    def watch(self, task: asyncio.Task[None]) -> None:
        """End when the task fails; use as its done callback."""
        if task.cancelled():
            return
        error = task.exception()
        if error is not None:
            self.error = self.error or error
            self.come(End.FAILED)

    async def wait(self) -> None:
        """Wait for the end."""
        await self._has_come.wait()
