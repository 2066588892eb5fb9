"""`brand-visibility read`: which brands do stored answers mention, and where?"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

import click

from brand_visibility.adapters.answer_files import StoredAnswer, read_answers
from brand_visibility.adapters.catalog.loader import load_brands
from brand_visibility.adapters.mention_files import WriteRow, mention_row, new_mention_file
from brand_visibility.commands.options import catalog_option
from brand_visibility.domain.errors import Fault, InputError
from brand_visibility.reading.gazetteer import Gazetteer, build_gazetteer
from brand_visibility.reading.reader import read_answer


@dataclass(slots=True)
class _Tally:
    answers: int = 0
    mentioning: int = 0
    mentions: int = 0
    suppressed: int = 0
    brands: set[str] = field(default_factory=set)


@click.command()
@catalog_option(
    "The folder of the catalog's files; only brands.yaml must be there.", is_required=True
)
@click.option(
    "--answers",
    "source",
    type=click.Path(path_type=Path),
    required=True,
    help="Answers: a .jsonl or .parquet file, or a folder of Parquet files.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    required=True,
    help="Where the mentions go: a .jsonl or .parquet file.",
)
@click.option(
    "--with-suppressed",
    is_flag=True,
    help="Also write what looks like a brand and does not count, with the reason.",
)
def read(catalog: Path, source: Path, out: Path, *, with_suppressed: bool) -> None:
    """Read stored answers: write one row for each mention of a brand."""
    if source.resolve() == out.resolve():
        raise InputError(str(Fault(str(out), "", "the file of answers", "another file for --out")))
    brands, decoys = load_brands(catalog)
    gazetteer = build_gazetteer(brands, decoys)
    answers = read_answers(source)
    with new_mention_file(out) as write:
        tally = _read_all(answers, gazetteer, write, with_suppressed=with_suppressed)
    click.echo(
        f"{tally.answers:,} answers read, {tally.mentioning:,} of them mention a brand:"
        f" {tally.mentions:,} mentions of {len(tally.brands):,} of {len(brands):,} brands,"
        f" {tally.suppressed:,} suppressed"
    )


def _read_all(
    answers: Iterable[StoredAnswer],
    gazetteer: Gazetteer,
    write: WriteRow,
    *,
    with_suppressed: bool,
) -> _Tally:
    tally = _Tally()
    for answer in answers:
        reading = read_answer(answer.text, gazetteer)
        written = reading.mentions + (reading.suppressed if with_suppressed else ())
        for mention in sorted(written, key=lambda mention: mention.start_offset):
            write(mention_row(answer.answer_id, mention, gazetteer.hash))
        tally.answers += 1
        tally.mentioning += bool(reading.mentions)
        tally.mentions += len(reading.mentions)
        tally.suppressed += len(reading.suppressed)
        tally.brands.update(mention.brand_id for mention in reading.mentions)
    return tally
