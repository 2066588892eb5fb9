"""The door to the night's times and the clock."""

from datetime import UTC, datetime, time
from zoneinfo import ZoneInfo

import dagster as dg

from brand_visibility.domain.night import NightTimes


class NightResource(dg.ConfigurableResource):  # type: ignore[type-arg]
    """Times of day as HH:MM, wall time in `timezone`."""

    timezone: str
    cut_off_at: str
    deadline_at: str

    @property
    def times(self) -> NightTimes:
        """The times as values."""
        return NightTimes(
            zone=ZoneInfo(self.timezone),
            cut_off_at=time.fromisoformat(self.cut_off_at),
            deadline_at=time.fromisoformat(self.deadline_at),
        )

    def now(self) -> datetime:
        """Return the present moment in UTC."""
        return datetime.now(UTC)
