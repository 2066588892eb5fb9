"""`brand-visibility migrate`: bring the ledger's tables to the newest version."""

import click

from brand_visibility.adapters.ledger import migrate as migrations
from brand_visibility.adapters.settings import DATABASE_URL, read_settings
from brand_visibility.domain.errors import InputError


@click.command()
def migrate() -> None:
    """Create or upgrade the ledger's tables in the database of BRAND_VISIBILITY_DATABASE_URL.

    The embedded database needs no such step: whoever starts it does that.
    """
    url = read_settings().database_url
    if url is None:
        raise InputError(
            f"environment variable {DATABASE_URL}: found nothing; expected the URL of the"
            f" database to migrate (the embedded one is migrated when it starts)"
        )
    migrations.migrate(url)
    click.echo("the ledger's tables are up to date")
