"""What was planned for a day and what became of it, for each platform.

Counts queries, the unit that is sent: one answer that serves several brands is one. The
coverage of a single brand belongs to `visibility`.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

from brand_visibility.domain.night import DayState
from brand_visibility.domain.outcomes import RESULTS, Reason
from brand_visibility.measures.frames import narrow, require_one_day
from brand_visibility.measures.matching import asked_prompts, narrow_plan, narrow_queries, serving

_PLATFORM = ["platform_id", "channel"]


@dataclass(frozen=True, slots=True)
class ReasonCount:
    """How many queries of a platform have no answer for one reason."""

    reason: str
    count: int


@dataclass(frozen=True, slots=True)
class PlatformCoverage:
    """The day's collection on one platform and channel, in queries."""

    platform_id: str
    channel: str
    planned_count: int
    answered_count: int
    failures: tuple[ReasonCount, ...] = ()

    @property
    def refused_count(self) -> int:
        """Queries that the platform refused or blocked: that is their result."""
        return sum(failure.count for failure in self.failures if failure.reason in RESULTS)

    @property
    def failed_count(self) -> int:
        """Queries given up without any result."""
        return sum(failure.count for failure in self.failures) - self.refused_count

    @property
    def open_count(self) -> int:
        """Queries planned that have no outcome at all."""
        with_outcome = self.answered_count + self.refused_count + self.failed_count
        return self.planned_count - with_outcome

    @property
    def is_settled(self) -> bool:
        """Whether every query has an outcome of its own: the cut-off gives none."""
        is_cut_off = any(failure.reason == Reason.CUT_OFF for failure in self.failures)
        return self.open_count == 0 and not is_cut_off

    @property
    def coverage_rate(self) -> float | None:
        """Answers obtained over queries planned, None when nothing was planned."""
        return self.answered_count / self.planned_count if self.planned_count else None


def day_state(coverage: Sequence[PlatformCoverage], *, is_over: bool) -> DayState:
    """Return a day's state: final once all that was planned is settled, or the day is over.

    A day that nobody planned is final when it is over.
    """
    is_settled = bool(coverage) and all(one.is_settled for one in coverage)
    return DayState.FINAL if is_settled or is_over else DayState.PROVISIONAL


def platform_coverage(
    plan: pd.DataFrame, answers: pd.DataFrame, failures: pd.DataFrame
) -> tuple[PlatformCoverage, ...]:
    """Return the day's collection figures, one for each platform and channel of the plan.

    A query that failed first and was answered later counts as answered. Rows that the
    plan does not know are left out. Reasons come by falling count.

    Raises IncompleteError when a column is missing or holds nulls, when days are mixed,
    or when a query occurs twice within answers or within failures.
    """
    require_one_day({"query_plan": plan, "raw_answers": answers, "failures": failures})
    asked = asked_prompts(narrow_plan(plan), _PLATFORM)
    answered = serving(asked, narrow_queries(answers, "raw_answers"))
    failed = serving(asked, narrow_queries(failures, "failures"))
    failed = failed[~failed["query_id"].isin(answered["query_id"])]
    reasons = narrow(failures, "failures", {"query_id": "str", "reason": "str"})
    return _figures(asked, answered, failed.merge(reasons, on="query_id"))


def _figures(
    asked: pd.DataFrame, answered: pd.DataFrame, failed: pd.DataFrame
) -> tuple[PlatformCoverage, ...]:
    planned = asked.groupby(_PLATFORM, as_index=False, sort=True)[["repeats"]].sum()
    columns = (planned[name].tolist() for name in (*_PLATFORM, "repeats"))
    return tuple(
        PlatformCoverage(
            platform_id=platform_id,
            channel=channel,
            planned_count=int(planned_count),
            answered_count=len(_rows_of(answered, platform_id, channel)),
            failures=_reasons(_rows_of(failed, platform_id, channel)),
        )
        for platform_id, channel, planned_count in zip(*columns, strict=True)
    )


def _rows_of(frame: pd.DataFrame, platform_id: str, channel: str) -> pd.DataFrame:
    return frame[(frame["platform_id"] == platform_id) & (frame["channel"] == channel)]


def _reasons(failed: pd.DataFrame) -> tuple[ReasonCount, ...]:
    counts = failed["reason"].value_counts()
    found = [ReasonCount(str(reason), int(count)) for reason, count in counts.items()]
    return tuple(sorted(found, key=lambda item: (-item.count, item.reason)))
