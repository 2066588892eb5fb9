"""A stored day's report: its tables out of the lake, its page onto the disk."""

from dataclasses import dataclass
from datetime import date
from pathlib import Path

from brand_visibility.adapters.lake.schemas import OUT_SHARE_OF_VOICE_DAILY, OUT_VISIBILITY_DAILY
from brand_visibility.adapters.platforms.registry import is_simulated
from brand_visibility.adapters.stored_day import StoredDay
from brand_visibility.adapters.stored_imports import StoredImports
from brand_visibility.adapters.whole_files import whole_file
from brand_visibility.domain.catalog import Catalog
from brand_visibility.measures.coverage import platform_coverage
from brand_visibility.measures.imports import imported_counts
from brand_visibility.reporting.day_summary import DaySummary, Labels, summarise_day
from brand_visibility.reporting.samples import SampleAnswer, pick_samples


@dataclass(frozen=True, slots=True)
class StoredReport:
    """What the page and the terminal show of a day."""

    summary: DaySummary
    samples: tuple[SampleAnswer, ...]


def read_day_report(day: StoredDay, catalog: Catalog) -> StoredReport:
    """Return a stored day's report, names taken from the catalog."""
    plan, failures = day.plan(), day.failures()
    answers = day.answers(with_text=True)
    summary = summarise_day(
        day.plan_date,
        visibility=day.figures(OUT_VISIBILITY_DAILY),
        share_of_voice=day.figures(OUT_SHARE_OF_VOICE_DAILY),
        coverage=platform_coverage(plan, answers, failures),
        imports=imported_counts(StoredImports(day.lake, day.plan_date).answers()),
        labels=Labels.of(catalog),
        simulated_platform_ids={
            platform.platform_id for platform in catalog.platforms if is_simulated(platform)
        },
    )
    return StoredReport(summary, pick_samples(plan, answers, day.mentions()))


def page_path(folder: Path, plan_date: date) -> Path:
    """Return where a day's page lies."""
    return folder / f"{plan_date}.html"


def write_page(folder: Path, plan_date: date, page: str) -> Path:
    """Write a day's page as a whole, and return its path."""
    folder.mkdir(parents=True, exist_ok=True)
    path = page_path(folder, plan_date)
    with whole_file(path) as temporary:
        temporary.write_text(page, encoding="utf-8")
    return path
