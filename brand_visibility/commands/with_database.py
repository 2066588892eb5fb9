"""`brand-visibility with-database -- COMMAND …`: any command, the database up around it."""

import subprocess
import sys

import click

from brand_visibility.adapters.settings import read_settings
from brand_visibility.launcher.place import database


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("command", nargs=-1, required=True, type=click.UNPROCESSED)
def with_database(command: tuple[str, ...]) -> None:
    """Run COMMAND with the database up and Dagster's variables set.

    For Dagster's own tools, as in `brand-visibility with-database -- dagster run list`.
    """
    with database(read_settings()) as place:
        code = subprocess.run(command, env=dict(place.environment), check=False).returncode
    sys.exit(code)
