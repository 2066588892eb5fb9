"""What an error means: ordered tables from status, code and wording to a reason.

Every platform's file has its own table, in front of `BY_STATUS`; the first matching row
decides. How long to wait afterwards belongs to `domain.retry`.
"""

import re
from collections.abc import Container, Iterable
from dataclasses import dataclass

from brand_visibility.domain.outcomes import Reason


@dataclass(frozen=True, slots=True)
class ErrorReport:
    """An error object as a platform wrote it; empty texts where it said nothing."""

    code: str = ""
    kind: str = ""
    message: str = ""

    def __str__(self) -> str:
        return ": ".join(part for part in (self.code or self.kind, self.message) if part)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What an error means for the query and its account.

    `pause_s` is how long the account rests when the platform names no time itself.
    `slows_down` asks for a lower rate besides. `is_recognised` is False for a refusal of
    the rate that no row names.
    """

    reason: Reason
    pause_s: float | None = None
    slows_down: bool = False
    is_recognised: bool = True


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a table: conditions, all of which must hold, and what they mean.

    `codes` is a pattern that the error's code or its type matches whole, `wording` one that
    its message contains, both in any case. A condition that is None always holds.
    """

    reason: Reason
    codes: str | None = None
    wording: str | None = None
    statuses: Container[int] | None = None
    pause_s: float | None = None
    slows_down: bool = False
    is_recognised: bool = True

    def matches(self, status: int, report: ErrorReport) -> bool:
        """Whether an error under this status is meant."""
        return (
            (self.statuses is None or status in self.statuses)
            and (self.codes is None or self._names(report.code) or self._names(report.kind))
            and (self.wording is None or bool(re.search(self.wording, report.message, re.I)))
        )

    @property
    def verdict(self) -> Verdict:
        """What the row says."""
        return Verdict(self.reason, self.pause_s, self.slows_down, self.is_recognised)

    def _names(self, code: str) -> bool:
        return bool(re.fullmatch(self.codes or "", code, re.I))


Table = tuple[Row, ...]

# What the status alone says, when no platform's own row matched.
BY_STATUS: Table = (
    Row(Reason.UNAUTHORIZED, statuses={401, 403}),
    Row(Reason.QUOTA_EXHAUSTED, statuses={402}),
    Row(Reason.TIMED_OUT, statuses={408, 504}),
    Row(Reason.RATE_LIMITED, statuses={429}, is_recognised=False),
    # An error object under a status of success: a gateway speaks for a failed platform.
    Row(Reason.SERVER_FAULT, statuses=range(200, 300)),
    Row(Reason.SERVER_FAULT, statuses=range(500, 600)),
    Row(Reason.REJECTED, statuses=range(300, 500)),
)


def judge_error(table: Iterable[Row], status: int, report: ErrorReport) -> Verdict:
    """Return what an error means by a platform's table, else by its status."""
    for row in (*table, *BY_STATUS):
        if row.matches(status, report):
            return row.verdict
    return Verdict(Reason.MALFORMED)
