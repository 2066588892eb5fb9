"""An import from end to end: rows read, held against what was asked, and landed.

Good rows land and bad rows are reported: one never keeps the other from happening.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from pydantic import ValidationError

from brand_visibility.adapters.importing.asked import AskedDays, AskedPrompt
from brand_visibility.adapters.importing.faults import RowFault, faults_of, missing
from brand_visibility.adapters.importing.landing import Landing, Row, land
from brand_visibility.adapters.importing.records import Record, read_records
from brand_visibility.adapters.importing.rows import ImportRow
from brand_visibility.adapters.lake.files import Lake
from brand_visibility.domain.catalog import Catalog
from brand_visibility.domain.imports import IMPORT_CHANNEL, imported_query_id
from brand_visibility.domain.outcomes import SearchEvidence


@dataclass(frozen=True, slots=True)
class Defaults:
    """What holds for the rows that say nothing about it."""

    platform_id: str | None = None
    plan_date: date | None = None


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What became of a file's rows. `faults` come by line."""

    row_count: int
    faults: tuple[RowFault, ...]
    landings: tuple[Landing, ...]

    @property
    def bad_count(self) -> int:
        """Rows with at least one fault."""
        return len({fault.line for fault in self.faults})


@dataclass(slots=True)
class _Sheet:
    """The rows of one file as they are taken in."""

    row_count: int = 0
    faults: list[RowFault] = field(default_factory=list)
    groups: dict[tuple[date, str], list[Row]] = field(default_factory=dict)


class Importer:
    """Takes files of captured answers into a lake.

    `now` is the moment of the import, `zone` the plan's timezone, whose local days are
    meant by dates, `first_day` the first one that figures are made of.
    """

    def __init__(
        self, lake: Lake, catalog: Catalog, *, zone: ZoneInfo, first_day: date, now: datetime
    ) -> None:
        self._lake = lake
        self._asked = AskedDays(lake, catalog)
        self._zone = zone
        self._first_day = first_day
        self._now = now

    def take_in(self, path: Path, defaults: Defaults, *, replace: bool = False) -> ImportReport:
        """Import a file.

        Each platform's day lands as a whole. Raises InputError for a file that cannot be
        read at all, and OSError when the lake cannot be written.
        """
        sheet = _Sheet()
        for record in read_records(path):
            sheet.row_count += 1
            found = self._judge(path, record, defaults)
            if isinstance(found, list):
                sheet.faults += found
            else:
                key = (found["plan_date"], found["platform_id"])
                sheet.groups.setdefault(key, []).append(found)
        landings = [
            land(self._lake, plan_date, platform_id, rows, replace=replace)
            for (plan_date, platform_id), rows in sorted(sheet.groups.items())
        ]
        return _report(sheet, landings)

    def _judge(
        self, path: Path, record: Record | RowFault, defaults: Defaults
    ) -> dict[str, Any] | list[RowFault]:
        """Return a row of the lake, or what is wrong with it."""
        if isinstance(record, RowFault):
            return [record]
        try:
            row = ImportRow.model_validate(record.values)
        except ValidationError as error:
            return faults_of(record.line, error)
        plan_date = self._plan_date(record.line, row, defaults)
        if isinstance(plan_date, RowFault):
            return [plan_date]
        platform_id = row.platform_id or defaults.platform_id
        prompt = self._asked.find(record.line, platform_id, plan_date, row)
        if isinstance(prompt, RowFault):
            return [prompt]
        place = {"source_file": path.name, "source_line": record.line, "imported_at": self._now}
        return {**_stored(row, prompt, plan_date, str(platform_id)), **place}

    def _plan_date(self, line: int, row: ImportRow, defaults: Defaults) -> date | RowFault:
        captured = row.captured_at and row.captured_at.astimezone(self._zone).date()
        plan_date = row.date or defaults.plan_date or captured
        if plan_date is None:
            return missing(line, "date", "date or captured_at in the row, or --date")
        if captured not in (None, plan_date):
            expected = f"{plan_date}, the day that the row is for, in {self._zone}"
            return RowFault(line, "captured_at", f"a moment of {captured}", expected)
        today = self._now.astimezone(self._zone).date()
        if not self._first_day <= plan_date <= today:
            expected = f"a day from {self._first_day} to {today}"
            return RowFault(line, "date", str(plan_date), expected)
        return plan_date


def _stored(
    row: ImportRow, prompt: AskedPrompt, plan_date: date, platform_id: str
) -> dict[str, Any]:
    return {
        "plan_date": plan_date,
        "query_id": imported_query_id(plan_date, platform_id, prompt.prompt, row.repeat),
        "platform_id": platform_id,
        "channel": IMPORT_CHANNEL,
        "prompt_id": prompt.prompt_id,
        "prompt": prompt.prompt,
        "repeat": row.repeat,
        "text": row.text,
        "model": row.model,
        "search": _evidence(row.searched).value,
        "sources": [
            {"position": position, "url": source.url, "title": source.title}
            for position, source in enumerate(row.sources, start=1)
        ],
        "captured_at": row.captured_at,
        "captured_by": row.captured_by,
        "app_version": row.app_version,
        "tasks": prompt.tasks,
        "catalog_version": prompt.catalog_version,
    }


def _evidence(searched: bool | None) -> SearchEvidence:  # noqa: FBT001
    if searched is None:
        return SearchEvidence.UNKNOWN
    return SearchEvidence.SEARCHED if searched else SearchEvidence.NOT_SEARCHED


def _report(sheet: _Sheet, landings: Sequence[Landing]) -> ImportReport:
    faults = [*sheet.faults, *(fault for landing in landings for fault in landing.faults)]
    return ImportReport(
        row_count=sheet.row_count,
        faults=tuple(sorted(faults, key=lambda fault: fault.line)),
        landings=tuple(landings),
    )
