"""The partitions of the graph: date × platform for asking and reading, date for figures."""

from dataclasses import dataclass
from datetime import date

import dagster as dg

from brand_visibility.adapters.lake.schemas import DATE, PLATFORM


@dataclass(frozen=True)
class Partitions:
    """The two partitionings of a deployment."""

    per_day: dg.DailyPartitionsDefinition
    per_platform: dg.MultiPartitionsDefinition


@dataclass(frozen=True, slots=True)
class PlatformDay:
    """One partition of `per_platform`."""

    plan_date: date
    platform_id: str

    @property
    def folder_keys(self) -> dict[str, str]:
        """The partition as the lake's folder keys."""
        return {DATE: self.plan_date.isoformat(), PLATFORM: self.platform_id}


def build_partitions(
    *, start_date: date, timezone: str, platform_ids: tuple[str, ...]
) -> Partitions:
    """Return the partitionings. Today's partition exists from local midnight on."""
    per_day = dg.DailyPartitionsDefinition(
        start_date=start_date.isoformat(), timezone=timezone, end_offset=1
    )
    per_platform = dg.MultiPartitionsDefinition(
        {DATE: per_day, PLATFORM: dg.StaticPartitionsDefinition(list(platform_ids))}
    )
    return Partitions(per_day, per_platform)


def platform_day(partition_key: str) -> PlatformDay:
    """Return the partition of a key such as `2026-11-30|deepseek`."""
    day, _, platform_id = partition_key.partition("|")
    return PlatformDay(date.fromisoformat(day), platform_id)
