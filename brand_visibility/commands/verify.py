"""`brand-visibility verify`: are a day's files what was published?"""

from datetime import datetime

import click

from brand_visibility.adapters.lake.files import Lake
from brand_visibility.adapters.manifest import find_differences, read_manifest
from brand_visibility.adapters.settings import read_settings


@click.command()
@click.option(
    "--date",
    "day",
    type=click.DateTime(["%Y-%m-%d"]),
    required=True,
    help="The day that the files belong to.",
)
@click.pass_context
def verify(context: click.Context, day: datetime) -> None:
    """Hold every file of a day against its manifest: rows, checksum, versions.

    Exits with 1 when anything differs, and when the day was never published.
    """
    plan_date = day.date()
    lake = Lake(read_settings().lake_root)
    differences = find_differences(lake, plan_date)
    for difference in differences:
        click.echo(difference)
    if differences:
        click.echo(f"{plan_date}: {len(differences)} differences to what was published")
        context.exit(1)
    published = read_manifest(lake, plan_date)
    files = sum(len(one["files"]) for one in published["datasets"].values())
    click.echo(f"{plan_date}: {files} files as published, {published['day_state']}")
