"""Options that several commands share."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from brand_visibility.adapters.settings import PREFIX, Settings

Command = TypeVar("Command", bound=Callable[..., Any])


def catalog_option(description: str, *, is_required: bool = False) -> Callable[[Command], Command]:
    """Return `--catalog`: the option, else the variable, else the example unless required."""
    return click.option(
        "--catalog",
        type=click.Path(path_type=Path),
        envvar=f"{PREFIX}CATALOG",
        default=None if is_required else Settings.model_fields["catalog"].default,
        required=is_required,
        show_default=not is_required,
        show_envvar=True,
        help=description,
    )
