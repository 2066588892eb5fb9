"""`brand-visibility dictionary`: every dataset and column of the lake, as a page."""

import click

from brand_visibility.adapters.data_dictionary import data_dictionary


@click.command()
def dictionary() -> None:
    """Print what every dataset and column means, as Markdown."""
    click.echo(data_dictionary(), nl=False)
