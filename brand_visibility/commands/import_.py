"""`brand-visibility import`: answers captured in an assistant's app, into the lake."""

import sys
from datetime import UTC, datetime
from pathlib import Path

import click
import orjson

from brand_visibility.adapters.catalog.loader import load_catalog
from brand_visibility.adapters.importing.importer import Defaults, Importer, ImportReport
from brand_visibility.adapters.lake.files import Lake
from brand_visibility.adapters.settings import Settings, read_settings
from brand_visibility.adapters.whole_files import whole_file
from brand_visibility.commands.options import catalog_option
from brand_visibility.domain.errors import Fault, InputError

_MOST_SHOWN = 20
_MOST_DAYS_SHOWN = 5


@click.command("import")
@click.option(
    "--answers",
    "source",
    type=click.Path(path_type=Path),
    required=True,
    help="The captured answers: a .jsonl, .csv or .parquet file.",
)
@catalog_option("The folder of the catalog's files.")
@click.option("--platform", "platform_id", help="Platform of the rows that name none.")
@click.option(
    "--date",
    "plan_date",
    type=click.DateTime(["%Y-%m-%d"]),
    help="Day of the rows that name none, in BRAND_VISIBILITY_TIMEZONE.",
)
@click.option(
    "--faults",
    "fault_file",
    type=click.Path(path_type=Path),
    help="Where every fault goes, one JSON object a line.",
)
@click.option("--replace", is_flag=True, help="Let another text replace one that is there.")
def import_(
    source: Path,
    catalog: Path,
    platform_id: str | None,
    plan_date: datetime | None,
    fault_file: Path | None,
    *,
    replace: bool,
) -> None:
    """Import answers that were captured in an assistant's app.

    They get a channel of their own and are never mixed with the API's. Good rows land, bad
    ones are reported; the exit code is 1 when there was any. The same file lands once.
    """
    if fault_file is not None and fault_file.resolve() == source.resolve():
        fault = Fault(str(fault_file), "", "the file of answers", "another file for --faults")
        raise InputError(str(fault))
    known = load_catalog(catalog)
    if platform_id is not None:
        known.platform(platform_id)
    settings = read_settings()
    importer = Importer(
        Lake(settings.lake_root),
        known,
        zone=settings.zone,
        first_day=settings.start_date,
        now=datetime.now(UTC),
    )
    defaults = Defaults(platform_id, plan_date.date() if plan_date else None)
    report = importer.take_in(source, defaults, replace=replace)
    if fault_file is not None:
        _write_faults(fault_file, source, report)
    _show_faults(source, report)
    _show_summary(report, settings)
    sys.exit(1 if report.faults else 0)


def _write_faults(fault_file: Path, source: Path, report: ImportReport) -> None:
    with whole_file(fault_file) as temporary, temporary.open("wb") as file:
        for fault in report.faults:
            file.write(orjson.dumps(fault.as_record(str(source)), option=orjson.OPT_APPEND_NEWLINE))


def _show_faults(source: Path, report: ImportReport) -> None:
    for fault in report.faults[:_MOST_SHOWN]:
        click.echo(fault.in_file(str(source)), err=True)
    left = len(report.faults) - _MOST_SHOWN
    if left > 0:
        click.echo(f"and {left:,} more {'fault' if left == 1 else 'faults'}", err=True)


def _show_summary(report: ImportReport, settings: Settings) -> None:
    landings = report.landings
    click.echo(
        f"{report.row_count:,} {'row' if report.row_count == 1 else 'rows'}:"
        f" {sum(landing.new_count for landing in landings):,} imported,"
        f" {sum(landing.replaced_count for landing in landings):,} replaced,"
        f" {sum(landing.same_count for landing in landings):,} already there,"
        f" {report.bad_count:,} bad"
    )
    changed = [f"{one.plan_date}|{one.platform_id}" for one in landings if one.has_changed]
    if not changed:
        click.echo(f"nothing changed in {settings.lake_root}")
        return
    more = len(changed) - _MOST_DAYS_SHOWN
    named = ", ".join(changed[:_MOST_DAYS_SHOWN]) + (f" and {more:,} more" if more > 0 else "")
    click.echo(f"to count them, run the group reading and then the job figures for {named}")
