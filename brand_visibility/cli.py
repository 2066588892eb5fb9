"""`brand-visibility`: the command line.

Add a command as a file in `commands` and a line in `_COMMANDS`. Commands load when they
are called, so that `brand-visibility read` does not import Dagster.
"""

import importlib
import keyword
import signal
import sys
from typing import NoReturn

import click

from brand_visibility.domain.errors import BrandVisibilityError

_COMMANDS = {
    "ask": "Ask one platform a file of questions.",
    "check": "Check a catalog and print every fault.",
    "demo": "Run one whole night against the local simulator.",
    "dictionary": "Print what every dataset and column means.",
    "export": "Write a brand's figures as CSV or Excel.",
    "import": "Import answers captured in an assistant's app.",
    "lint": "Find aliases that would count ordinary words as brands.",
    "migrate": "Create or upgrade the ledger's tables in your own database.",
    "platforms": "List the platforms, or ask each account a small question.",
    "read": "Read stored answers: which brands do they mention?",
    "replay": "Run one whole night on recorded answers.",
    "retention": "Drop the ledger's old days.",
    "simulate": "Serve a local platform that answers and fails like a real one.",
    "status": "Show how a night stands, or one query's story.",
    "ui": "Start the Dagster UI over the embedded database.",
    "verify": "Hold a day's files against what was published.",
    "with-database": "Run any command with the embedded database up.",
}


class _LazyGroup(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        name = cmd_name.replace("-", "_")
        # A word of Python cannot name a module.
        name = f"{name}_" if keyword.iskeyword(name) else name
        module = importlib.import_module(f"brand_visibility.commands.{name}")
        command: click.Command = getattr(module, name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(sorted(_COMMANDS.items()))


@click.group(cls=_LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="brand-visibility")
def cli() -> None:
    """Monitor how brands show up in the answers of AI assistants."""


def main() -> None:
    """Run the command line. An expected error is one message and exit code 1.

    A request to end is treated like Ctrl-C, so that no command leaves a process or half a
    file behind; commands with a better idea set handlers of their own.
    """
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.default_int_handler)
    try:
        cli()
    except BrandVisibilityError as error:
        _fail(str(error))
    except OSError as error:
        if error.filename is None:
            raise
        # A place that the person named cannot be read or written.
        _fail(f"{error.filename}: {error.strerror}")


def _fail(message: str) -> NoReturn:
    click.echo(f"error: {message}", err=True)
    sys.exit(1)
