"""`brand-visibility export`: a brand's figures as CSV files or an Excel workbook."""

from datetime import datetime
from pathlib import Path

import click

from brand_visibility.adapters.exports import Form, export_brand
from brand_visibility.adapters.lake.files import Lake
from brand_visibility.adapters.settings import read_settings

_DAY = click.DateTime(["%Y-%m-%d"])


@click.command()
@click.option("--brand", "brand_id", required=True, help="The brand's id in the catalog.")
@click.option("--from", "first", type=_DAY, required=True, help="First day, such as 2026-11-01.")
@click.option("--to", "last", type=_DAY, default=None, help="Last day; the first when left out.")
@click.option(
    "--format",
    "form",
    type=click.Choice([form.value for form in Form]),
    default=Form.CSV.value,
    show_default=True,
    help="CSV files, one a dataset, or one Excel workbook.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("exports"),
    show_default=True,
    help="The folder to write below; each tenant has one of its own there.",
)
@click.option(
    "--lake",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    default=None,
    help="The lake's folder, when it is not that of this deployment.",
)
def export(
    brand_id: str, first: datetime, last: datetime | None, form: str, out: Path, lake: Path | None
) -> None:
    """Write a brand's figures of one or more days for a spreadsheet."""
    root = lake or read_settings().lake_root
    last = last or first
    written = export_brand(Lake(root), brand_id, first.date(), last.date(), out, Form(form))
    for name, count in written.row_counts.items():
        click.echo(f"{name}: {count:,} rows")
    for path in written.paths:
        click.echo(f"wrote {path}")
