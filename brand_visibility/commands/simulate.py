"""`brand-visibility simulate`: serve a local platform until Ctrl-C."""

import gc
import json
import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import click

from brand_visibility.domain.errors import InputError
from brand_visibility.simulator.recorded import RecordedAnswers, read_recordings
from brand_visibility.simulator.repertoire import build_repertoire, empty_repertoire
from brand_visibility.simulator.server import DEFAULT_PLATFORM
from brand_visibility.simulator.settings import (
    FaultKind,
    Latency,
    Personality,
    PlatformBehaviour,
    SimulatorSettings,
)
from brand_visibility.simulator.simulator import Simulator
from brand_visibility.simulator.source import AnswerSource
from brand_visibility.simulator.written import MentionOdds, WrittenAnswers

_DIRECTORY = click.Path(exists=True, file_okay=False, path_type=Path)
_STOPPING = (signal.SIGINT, signal.SIGTERM)
# The tail of an assistant's answer times: the slowest in a hundred takes ten times as long.
_P99_OF_MEDIAN = 10


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", default=8711, show_default=True, help="Port to listen on, 0 for any.")
@click.option("--catalog", type=_DIRECTORY, help="Write answers about this catalog's brands.")
@click.option(
    "--answers",
    multiple=True,
    metavar="[PLATFORM=]FILE",
    help='Replay recorded answers: a JSON object with "question" and "answer" a line.',
)
@click.option("--rate", type=int, help="Most sends in any second.  [default: no limit]")
@click.option("--concurrency", type=int, help="Most calls in flight.  [default: no limit]")
@click.option("--latency-median", default=0.2, show_default=True, help="Seconds.")
@click.option("--latency-p99", type=float, help="Seconds.  [default: 10 × the median]")
@click.option(
    "--fault",
    multiple=True,
    metavar="KIND=RATE",
    help=f"Share of calls to fail, 0 to 1. Kinds: {', '.join(FaultKind)}.",
)
@click.option(
    "--personality",
    multiple=True,
    metavar="[PLATFORM=]NAME",
    help="Whose manner chat completions have, of all platforms or of one. Names:"
    f" {', '.join(Personality)}.  [default: openai]",
)
@click.option(
    "--search-share",
    default=0.0,
    show_default=True,
    help="Share of answers that name pages as sources, 0 to 1.",
)
@click.option("--seed", default=0, show_default=True, help="Same seed, same faults and answers.")
def simulate(
    host: str,
    port: int,
    catalog: Path | None,
    answers: tuple[str, ...],
    rate: int | None,
    concurrency: int | None,
    latency_median: float,
    latency_p99: float | None,
    fault: tuple[str, ...],
    personality: tuple[str, ...],
    search_share: float,
    seed: int,
) -> None:
    """Serve a local platform that answers and fails like a real one.

    Without --catalog and --answers every answer is a general one that names no brand.
    """
    if catalog and answers:
        raise click.UsageError("--catalog and --answers exclude each other: give one of them")
    if latency_p99 is None:
        latency_p99 = _P99_OF_MEDIAN * latency_median
    behaviour = PlatformBehaviour(
        latency=Latency(median_s=latency_median, p99_s=latency_p99),
        rate_limit=rate,
        max_concurrency=concurrency,
        faults=_parse_faults(fault),
        search_share=search_share,
    )
    settings = _settings(behaviour, _parse_personalities(personality), seed)
    source = _recorded(answers) if answers else _written(catalog, seed)
    _serve(Simulator(settings, source, host=host, port=port))


def _serve(simulator: Simulator) -> None:
    # A pause of the collector makes sends arrive together that were well apart: it would
    # be counted as the client's violation.
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)
    with _stop_signals_held(), simulator:
        click.echo(f"serving {simulator.url_of(DEFAULT_PLATFORM)}")
        click.echo(f"any other platform: {simulator.url_of('PLATFORM')}")
        click.echo(f"counts: {simulator.url}/stats   truth: {simulator.url}/truth")
        click.echo(f"try:\n{_example(simulator)}")
        click.echo("stop with Ctrl-C")
        signal.sigwait(_STOPPING)
    click.echo(json.dumps(simulator.stats(), indent=2))


@contextmanager
def _stop_signals_held() -> Iterator[None]:
    """Keep the signals that stop the command until `sigwait` takes them.

    Held before the server's thread starts, which inherits it: no signal can then cut a
    shutdown short, nor end the process without its counts.
    """
    held_before = signal.pthread_sigmask(signal.SIG_BLOCK, _STOPPING)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, held_before)


def _example(simulator: Simulator) -> str:
    message = {"role": "user", "content": "推荐一款手机"}
    body = json.dumps({"model": "any", "messages": [message]}, ensure_ascii=False)
    url = f"{simulator.url_of(DEFAULT_PLATFORM)}/chat/completions"
    return f"  curl -s {url} -H 'Content-Type: application/json' -d '{body}'"


def _parse_faults(given: Sequence[str]) -> dict[FaultKind, float]:
    faults: dict[FaultKind, float] = {}
    for text in given:
        kind, _, rate = text.partition("=")
        try:
            faults[FaultKind(kind)] = float(rate)
        except ValueError as error:
            expected = f"KIND=RATE with a number and one of {', '.join(FaultKind)}"
            raise InputError(f"--fault: found {text}; expected {expected}") from error
    return faults


def _parse_personalities(given: Sequence[str]) -> dict[str, Personality]:
    """Return platform → personality; the empty name means all platforms."""
    personalities: dict[str, Personality] = {}
    for text in given:
        platform_id, _, name = text.rpartition("=")
        try:
            personalities[platform_id] = Personality(name)
        except ValueError as error:
            expected = f"[PLATFORM=]NAME with one of {', '.join(Personality)}"
            raise InputError(f"--personality: found {text}; expected {expected}") from error
    return personalities


def _settings(
    behaviour: PlatformBehaviour, personalities: dict[str, Personality], seed: int
) -> SimulatorSettings:
    by_platform = {
        platform_id: replace(behaviour, personality=personality)
        for platform_id, personality in personalities.items()
        if platform_id
    }
    for_all = personalities.get("", behaviour.personality)
    return SimulatorSettings(replace(behaviour, personality=for_all), by_platform, seed)


def _recorded(given: Sequence[str]) -> AnswerSource:
    for_all: dict[str, list[str]] = {}
    by_platform: dict[str, dict[str, list[str]]] = {}
    for text in given:
        platform_id, path = _parse_answers(text)
        target = by_platform.setdefault(platform_id, {}) if platform_id else for_all
        for question, recorded in read_recordings(path).items():
            target.setdefault(question, []).extend(recorded)
    return RecordedAnswers(for_all, by_platform)


def _parse_answers(text: str) -> tuple[str, Path]:
    platform_id, equals, path = text.partition("=")
    # A path may hold "=" itself, as in `date=2026-11-30/answers.jsonl`.
    if not equals or Path(text).is_file():
        return "", Path(text)
    return platform_id, Path(path)


def _written(catalog: Path | None, seed: int) -> AnswerSource:
    repertoire = empty_repertoire()
    if catalog is not None:
        # Imported here: a server of recorded answers needs no reader of catalogs.
        from brand_visibility.adapters.catalog.loader import load_catalog

        repertoire = build_repertoire(load_catalog(catalog))
    return WrittenAnswers(repertoire, seed=seed, odds=MentionOdds(seed))
