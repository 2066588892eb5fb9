"""What a command shows during a night and at its end."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
)

from brand_visibility.adapters.day_reports import page_path, read_day_report
from brand_visibility.adapters.lake.files import Lake
from brand_visibility.adapters.ledger import plans
from brand_visibility.adapters.settings import Settings
from brand_visibility.adapters.stored_day import StoredDay
from brand_visibility.domain.catalog import Catalog
from brand_visibility.reporting.terminal import DayReport

_PIPE_WIDTH = 120


def open_console() -> Console:
    """Return the console; a pipe has no width, so it gets one that fits three platforms."""
    console = Console()
    if not console.is_terminal and "COLUMNS" not in os.environ:
        console.width = _PIPE_WIDTH
    return console


@contextmanager
def progress_bars(
    console: Console, platform_ids: list[str]
) -> Iterator[Callable[[list[plans.Progress]], None]]:
    """Show one bar a platform; yields what takes the ledger's progress."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[note]}"),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=console) as bars:
        tasks = {
            platform_id: bars.add_task(platform_id, total=None, note="starting")
            for platform_id in platform_ids
        }

        def show(found: list[plans.Progress]) -> None:
            for item in found:
                if item.platform_id in tasks:
                    _update(bars, tasks[item.platform_id], item)

        yield show


def _update(bars: Progress, task: TaskID, item: plans.Progress) -> None:
    notes = {"refused or blocked": item.refused_or_blocked, "failed": item.failed}
    note = ", ".join(f"{number} {name}" for name, number in notes.items() if number)
    bars.update(task, total=item.planned, completed=item.done, note=note)


def show_day(console: Console, settings: Settings, catalog: Catalog, plan_date: date) -> None:
    """Print a day's tables, and where its files lie."""
    lake = Lake(settings.lake_root)
    report = read_day_report(StoredDay(lake, plan_date), catalog)
    console.print(DayReport(report.summary))
    console.print("\n[bold]Parquet[/bold] (pandas, DuckDB, polars)")
    for folder in sorted(settings.lake_root.iterdir()):
        console.print(f"  {folder}", soft_wrap=True, highlight=False)
    console.print("[bold]Page[/bold]")
    page = page_path(settings.report_root, plan_date)
    console.print(f"  {page}", soft_wrap=True, highlight=False)
