"""`brand-visibility retention`: drop the ledger's old days."""

from datetime import UTC, datetime, timedelta

import click

from brand_visibility.adapters.ledger.days import drop_days_before
from brand_visibility.adapters.settings import read_settings
from brand_visibility.commands.open_ledger import open_ledger


@click.command()
@click.option(
    "--keep-days",
    type=click.IntRange(min=1, max=100_000),
    required=True,
    help="How many days to keep, today among them.",
)
def retention(keep_days: int) -> None:
    """Drop days from the ledger that are older than the last N.

    Their plans and costs stay, and so does everything that is published in the lake.
    What was not answered of a dropped day can no longer be asked. A day that is being
    collected is not dropped.
    """
    settings = read_settings()
    today = datetime.now(UTC).astimezone(settings.zone).date()
    first_kept = today - timedelta(days=keep_days - 1)
    with open_ledger(settings) as database_url:
        dropped = drop_days_before(database_url, first_kept, today=today)
    for plan_date in dropped:
        click.echo(f"dropped {plan_date}")
    if not dropped:
        click.echo(f"nothing to drop: the ledger holds no day before {first_kept}")
