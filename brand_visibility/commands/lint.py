"""`brand-visibility lint`: which aliases would fire on ordinary text?"""

from collections.abc import Iterable, Sequence
from pathlib import Path

import click
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from brand_visibility.adapters.answer_files import read_answers
from brand_visibility.adapters.catalog.loader import load_brands
from brand_visibility.commands.options import catalog_option
from brand_visibility.reading.gazetteer import build_gazetteer
from brand_visibility.reading.lint import Finding, lint_aliases


@click.command()
@catalog_option(
    "The folder of the catalog's files; only brands.yaml must be there.", is_required=True
)
@click.option(
    "--answers",
    "source",
    type=click.Path(path_type=Path),
    default=None,
    help="Collected answers to try the aliases on: a file or a folder. Without them only"
    " spelling speaks.",
)
@click.pass_context
def lint(context: click.Context, catalog: Path, source: Path | None) -> None:
    """Find aliases that would count ordinary words as brands, and say what to change.

    Exits with 1 when anything was found, so that a change of the catalog can be held up.
    """
    brands, decoys = load_brands(catalog)
    texts = (answer.text for answer in read_answers(source)) if source else iter(())
    findings = lint_aliases(build_gazetteer(brands, decoys), texts)
    aliases = sum(len(brand.aliases) for brand in brands)
    if not findings:
        click.echo(f"{aliases:,} aliases of {len(brands):,} brands: nothing doubtful")
        return
    _console().print(_table(findings))
    doubtful = len({(one.brand_id, one.alias) for one in findings})
    click.echo(f"{doubtful:,} of {aliases:,} aliases are doubtful")
    context.exit(1)


def _console() -> Console:
    # A file or a pipe has no width of its own, and a cut sample proves nothing.
    console = Console(highlight=False)
    return console if console.is_terminal else Console(width=160, highlight=False)


def _table(findings: Sequence[Finding]) -> Table:
    table = Table(show_lines=True)
    for column in ("brand", "alias", "doubt", "found in", "for example", "better"):
        table.add_column(column, overflow="fold")
    for one in findings:
        table.add_row(*map(escape, _cells(one)))
    return table


def _cells(one: Finding) -> Iterable[str]:
    found_in = f"{one.answer_count:,} of {one.read_count:,} ({one.hit_rate:.1%})"
    return (
        one.brand_id,
        one.alias,
        one.rule.value.replace("_", " "),
        found_in if one.read_count else "no answers read",
        "\n".join(one.samples),
        advice(one),
    )


def advice(one: Finding) -> str:
    """Return what to write in `brands.yaml` instead."""
    if one.suggested_decoys:
        return f"decoys: [{', '.join(one.suggested_decoys)}]"
    case = ", case_sensitive: true" if one.suggested.is_case_sensitive else ""
    return f"{{text: {one.alias}, policy: {one.suggested.policy}{case}}}"
