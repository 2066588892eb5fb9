"""What a call gets in the end, in the shape of its platform: pure, nothing waits here.

Faults of the connection rather than of a reply belong to `acting`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from brand_visibility.simulator.faults import Call
from brand_visibility.simulator.settings import FaultKind, PlatformBehaviour
from brand_visibility.simulator.shapes.shape import (
    Ending,
    Given,
    Problem,
    Reply,
    Shape,
    Trouble,
)

_ENDINGS: Mapping[FaultKind, Ending] = {
    FaultKind.REFUSED: Ending.REFUSED,
    FaultKind.TRUNCATED: Ending.CUT,
    FaultKind.BLOCKED: Ending.BLOCKED,
}
_TROUBLES: Mapping[FaultKind, Trouble] = {
    FaultKind.RATE_LIMITED: Trouble.RATE_LIMITED,
    FaultKind.UNKNOWN_RATE_LIMITED: Trouble.UNKNOWN_RATE_LIMIT,
    FaultKind.EXHAUSTED_QUOTA: Trouble.NO_QUOTA,
    FaultKind.SERVER_FAULT: Trouble.SERVER_FAULT,
    FaultKind.ERROR_IN_200: Trouble.UNDER_SUCCESS,
}
# Kinds after which a platform has found nothing to name.
_WITHOUT_PAGES = (FaultKind.EMPTY, FaultKind.REFUSED, FaultKind.BLOCKED, FaultKind.HUGE)


@dataclass(frozen=True, slots=True)
class Fate:
    """A call, what it would be given, and the shape that it is given in."""

    call: Call
    behaviour: PlatformBehaviour
    shape: Shape
    given: Given

    def reply(self) -> Reply:
        """Return what the call gets. Where the connection is at fault: what it would get."""
        kind = self.call.fault
        if kind is not None and kind in _TROUBLES:
            return self._error(_TROUBLES[kind])
        whole = self.shape.answer(self._spoilt())
        if kind is FaultKind.MALFORMED:
            return replace(whole, body=whole.body[: len(whole.body) // 2])
        return whole

    def reply_around(self, marker: str) -> tuple[bytes, bytes]:
        """Return the parts of a sound reply before and after a text in place of its own."""
        question = replace(self.given.question, needs_tool=False)
        given = replace(self.given, question=question, text=marker, pages=())
        head, tail = self.shape.answer(given).body.split(marker.encode(), 1)
        return head, tail

    def _spoilt(self) -> Given:
        kind, given = self.call.fault, self.given
        if kind is None:
            return given
        if kind in _WITHOUT_PAGES:
            given = replace(given, pages=())
        if kind is FaultKind.EMPTY:
            given = replace(given, text="")
        if kind is FaultKind.TRUNCATED:
            given = replace(given, text=given.text[: len(given.text) // 2])
        return replace(given, ending=_ENDINGS.get(kind, Ending.WHOLE))

    def _error(self, trouble: Trouble) -> Reply:
        problem = Problem(
            trouble,
            request_id=self.given.call_id,
            at=self.given.created,
            wait_s=self.behaviour.retry_after_s,
        )
        return self.shape.error(problem)
