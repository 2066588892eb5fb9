"""`brand-visibility ui`: the Dagster UI on this machine, until Ctrl-C."""

from pathlib import Path

import click

from brand_visibility.adapters.settings import read_settings
from brand_visibility.commands.demo import DEMO_SIMULATOR
from brand_visibility.commands.options import catalog_option
from brand_visibility.launcher.dagster_ui import require_free_port, serve_ui
from brand_visibility.launcher.place import night_place


@click.command()
@click.option("--port", default=3000, show_default=True, help="Port of the page, on 127.0.0.1.")
@catalog_option("The folder of the catalog's files.")
def ui(port: int, catalog: Path) -> None:
    """Start webserver, daemon and code server over the same database as the demo.

    Stops all of them on Ctrl-C and cancels what is running. There is no login: it listens
    on 127.0.0.1 only.
    """
    require_free_port(port)
    settings = read_settings().model_copy(update={"catalog": catalog})
    click.echo("starting the database, the code server, the webserver and the daemon …")
    with night_place(settings, DEMO_SIMULATOR) as (place, _):
        serve_ui(place, port, on_ready=_say_ready)
        click.echo("\nstopping …")
    click.echo("stopped")


def _say_ready(address: str) -> None:
    click.echo(f"\n  {address}\n\nCtrl-C stops everything.")
