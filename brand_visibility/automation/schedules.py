"""The schedules: when a night begins."""

from datetime import time
from typing import Any

import dagster as dg


def build_night_schedule(night_job: Any, *, starts_at: time) -> Any:
    """Return the schedule that starts one run a platform for the day that begins.

    It is off until an operator turns it on: with real keys it spends money.
    """
    return dg.build_schedule_from_partitioned_job(
        night_job,
        name="nightly",
        hour_of_day=starts_at.hour,
        minute_of_hour=starts_at.minute,
        description="Ask every platform for the new day.",
    )
