"""The times of a night: when a day's collection is cut off and when its figures are owed.

Times of day are wall time in the plan's timezone, so that 08:00 stays 08:00 when clocks
change.
"""

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from enum import StrEnum
from zoneinfo import ZoneInfo


class DayState(StrEnum):
    """Whether a day's figures may still change: outcomes that are missing may come."""

    PROVISIONAL = "provisional"
    FINAL = "final"


@dataclass(frozen=True, slots=True)
class NightTimes:
    """The times that rule every night of a deployment."""

    zone: ZoneInfo
    cut_off_at: time
    deadline_at: time

    def today(self, now: datetime) -> date:
        """Return the local day of a moment."""
        return now.astimezone(self.zone).date()

    def deadline(self, plan_date: date) -> datetime:
        """Return the moment at which the day's figures are owed."""
        return datetime.combine(plan_date, self.deadline_at, self.zone)

    def cut_off(self, plan_date: date, now: datetime) -> datetime | None:
        """Return when asking for the day ends, or None for a run that begins after it.

        A run that begins after the cut-off was started on purpose: it takes its time.
        """
        moment = datetime.combine(plan_date, self.cut_off_at, self.zone)
        return moment if now < moment else None

    def is_over(self, plan_date: date, now: datetime) -> bool:
        """Return whether the day has ended: what it misses then is not asked unbidden."""
        return self.today(now) > plan_date

    def available_s(self, plan_date: date, now: datetime) -> float:
        """Return the seconds left for asking: to the cut-off, else to the day's end.

        For a day that is over nothing is owed any more: such a run has a whole day.
        """
        day_end = datetime.combine(plan_date + timedelta(days=1), time(0), self.zone)
        if now >= day_end:
            return timedelta(days=1).total_seconds()
        end = self.cut_off(plan_date, now) or day_end
        # Aware datetimes of one zone subtract as wall time; seconds that pass are wanted.
        return end.timestamp() - now.timestamp()
