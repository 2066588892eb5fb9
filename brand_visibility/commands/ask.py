"""`brand-visibility ask`: one platform, a file of questions, three Parquet files."""

import asyncio
import contextlib
import gc
import math
import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import click

from brand_visibility.adapters.asking.folder import AnswerFolder, Earlier
from brand_visibility.adapters.asking.question_file import FileQuestion, read_questions
from brand_visibility.adapters.asking.report import sentence
from brand_visibility.adapters.asking.session import Session
from brand_visibility.adapters.asking.target import Target, target_at, target_of
from brand_visibility.collection.summary import Summary
from brand_visibility.commands.options import catalog_option
from brand_visibility.domain.catalog import AccountLimits

SOME_UNANSWERED = 3

_PATH = click.Path(path_type=Path)


class _Positive(click.FloatRange):
    """A number above 0; "inf" and "nan" are none."""

    def __init__(self) -> None:
        super().__init__(min=0, min_open=True)

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        number = float(super().convert(value, param, ctx))
        if not math.isfinite(number):
            self.fail(f"{value!r} is not a finite number.", param, ctx)
        return number


_POSITIVE = _Positive()


@click.command()
@click.option("--url", help="Base URL of an OpenAI-compatible API, or its full endpoint.")
@click.option("--model", help="Model to ask for.")
@click.option("--rate", type=_POSITIVE, help="Most sends in any second; may be below 1.")
@click.option("--concurrency", type=click.IntRange(min=1), help="Most calls in flight.")
@click.option("--key-env", metavar="NAME", help="Environment variable that holds the API key.")
@click.option("--platform", help="A platform of the catalog, in place of the options above.")
@catalog_option("Where --platform is looked up.")
@click.option(
    "--questions",
    type=_PATH,
    required=True,
    help="One question a line. In a .jsonl file: objects with the text in `question`, `text` or"
    " `prompt` and, if you like, an `id`.",
)
@click.option("--out", type=_PATH, required=True, help="Folder for the results.")
@click.option("--timeout", type=_POSITIVE, help="Wall-clock seconds of a call.  [default: 60]")
@click.option("--max-retries", type=click.IntRange(min=0), help="Of a question.  [default: 3]")
@click.option("--overwrite", is_flag=True, help="Drop earlier results and ask everything again.")
def ask(
    *,
    questions: Path,
    out: Path,
    timeout: float | None,
    max_retries: int | None,
    overwrite: bool,
    **whom: Any,
) -> None:
    """Ask one platform a file of questions.

    Every question becomes one row of answers.parquet or failures.parquet, every call one of
    attempts.parquet. Questions of the same text are asked once, and each gets the answer. Run
    it again and only what has no answer is asked. Ctrl-C writes what was answered.

    Exits with 0 when every question is answered, with 3 when some are not and with 1 when the
    input is invalid.
    """
    target = _read_target(**whom).adjusted(timeout_s=timeout, max_retries=max_retries)
    asked = read_questions(questions)
    folder = AnswerFolder(out)
    folder.prepare()
    earlier = Earlier() if overwrite else _read_earlier(folder, target, asked)
    with _progress() as on_progress:
        session = Session(target, asked, earlier, on_progress=on_progress)
        wall_s = _run(session, folder)
    click.echo(sentence(session, wall_s))
    sys.exit(SOME_UNANSWERED if session.failures() else 0)


def _read_target(
    *,
    url: str | None,
    model: str | None,
    rate: float | None,
    concurrency: int | None,
    key_env: str | None,
    platform: str | None,
    catalog: Path,
) -> Target:
    if platform is not None:
        if any(given is not None for given in (url, model, rate, concurrency, key_env)):
            raise click.UsageError(
                "--platform takes its URL, model, limits and key from the catalog"
            )
        return target_of(catalog, platform, os.environ)
    if url is None or model is None or rate is None or concurrency is None:
        raise click.UsageError("give --url, --model, --rate and --concurrency, or --platform")
    limits = AccountLimits(rate_per_second=rate, concurrency=concurrency)
    return target_at(url, model=model, limits=limits, key_env=key_env, environment=os.environ)


def _read_earlier(folder: AnswerFolder, target: Target, asked: list[FileQuestion]) -> Earlier:
    return folder.read_earlier(
        asked_model=target.platform.model,
        prompts=frozenset(question.prompt for question in asked),
    )


def _run(session: Session, folder: AnswerFolder) -> float:
    started = time.monotonic()
    try:
        with _tuned_garbage_collection():
            asyncio.run(session.run())
    finally:
        wall_s = time.monotonic() - started
        session.save(folder)
    return wall_s


@contextlib.contextmanager
def _tuned_garbage_collection() -> Iterator[None]:
    # With thousands of calls in flight the collector walks the same long-lived objects
    # again and again: a third of a call's CPU time, as measured.
    thresholds = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)
    try:
        yield
    finally:
        gc.set_threshold(*thresholds)
        gc.unfreeze()


@contextlib.contextmanager
def _progress() -> Iterator[Callable[[Summary], None] | None]:
    """Show a bar on a terminal, and nothing elsewhere."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("asking", total=None)

        def show(summary: Summary) -> None:
            done = summary.answered + summary.failed_count
            bar.update(task, total=summary.asked, completed=done)

        yield show
