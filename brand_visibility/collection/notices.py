"""What people must be told while a collection runs, found in its summaries.

How a notice reaches anybody belongs to whoever asks for notices.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from brand_visibility.collection.lane import LaneState
from brand_visibility.collection.summary import Summary

_WHAT = "is refused for its rate with a code that its platform's table does not know"
_CONSEQUENCE = (
    "The account rests for a minute after each such refusal, and what it is to ask waits."
    " Look up the code in the failures' details: when it means that the account is out of"
    " money or blocked, waiting does not help."
)


@dataclass(frozen=True, slots=True)
class Notice:
    """One account's trouble: `what` it is, since when, and what follows from it.

    `what` goes on a sentence that begins with the account.
    """

    platform_id: str
    account_id: str
    what: str
    since: datetime
    consequence: str


class NoticeBoard:
    """Tells each trouble once an episode, which ends when the account is answered again."""

    def __init__(self, platform_id: str, tell: Callable[[Notice], None]) -> None:
        self._platform_id = platform_id
        self._tell = tell
        self._told: set[str] = set()

    def hear(self, summary: Summary) -> None:
        """Look at how the accounts stand now."""
        for lane in summary.lanes:
            self._look_at(lane)

    def _look_at(self, lane: LaneState) -> None:
        if lane.refused_since is None:
            self._told.discard(lane.account_id)
        elif lane.account_id not in self._told:
            self._told.add(lane.account_id)
            since = lane.refused_since
            self._tell(Notice(self._platform_id, lane.account_id, _WHAT, since, _CONSEQUENCE))
