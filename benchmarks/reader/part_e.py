"""Part e: how fast, in how much memory, and how both grow."""

import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from benchmarks.common.table import Bound, Target, markdown, target_table
from benchmarks.reader.collected import load_answers
from benchmarks.reader.corpus import make_corpus
from benchmarks.reader.peer_runs import ALL_PEERS, PeerRun, run_peer
from benchmarks.reader.rules import aliases_of
from benchmarks.reader.speed_run import SpeedCall, SpeedReport
from brand_visibility.reading.gazetteer import build_gazetteer

_BRANDS = 1_000
_MANY_BRANDS = 25_000
_LENGTH = 1_643
_DISTINCT = 3_000
_A_DAY = 150_000
_PEER_ANSWERS = 600
_HEAD = ("run", "answers", "CPU s", "answers a CPU second", "mentions an answer", "memory MB")


def measure_part(data: Path, *, quick: bool, with_peers: bool, full: bool) -> str:
    """Read the corpus in every setting and return the part's section."""
    distinct = 300 if quick else _DISTINCT
    base = SpeedCall(str(data), _BRANDS, distinct, _LENGTH)
    alone = _run([base])[0]
    names = _run([replace(base, names_only=True)])[0]
    pair = _run([base, base])
    many = _run([replace(base, brands=_MANY_BRANDS)])[0]
    short = _run([replace(base, distinct=distinct // 3, length=1_500)])[0]
    long = _run([replace(base, distinct=distinct // 30, length=15_000)])[0]
    rows = [
        _row("**this reader**, one process", alone),
        _row("**this reader**, names only", names),
        *(_row(f"one of two processes at once: {n}", one) for n, one in enumerate(pair, start=1)),
        _row("100,000 aliases", many),
        _row("1,500 characters an answer", short),
        _row("15,000 characters an answer", long),
    ]
    targets = _targets(alone, pair, many, short, long)
    if full:
        day = _run([replace(base, times=_A_DAY // distinct)])[0]
        rows.append(_row("150,000 answers, all of them", day))
        targets += _day_targets(day)
    if with_peers:
        rows += _peer_rows(data)
    return f"{markdown(_HEAD, rows)}\n\n{target_table(targets)}"


def _run(calls: Sequence[SpeedCall]) -> list[SpeedReport]:
    running = [
        subprocess.Popen(
            [sys.executable, "-m", "benchmarks.reader.speed_run", call.to_argument()],
            stdout=subprocess.PIPE,
            text=True,
        )
        for call in calls
    ]
    return [SpeedReport(**json.loads(process.communicate()[0])) for process in running]


def _row(title: str, report: SpeedReport) -> list[str]:
    return [
        title,
        f"{report.answers:,}",
        f"{report.read_cpu_s:.2f}",
        f"{report.per_cpu_s:,.0f}",
        f"{report.mentions / report.answers:.1f}",
        f"{report.memory_mb[0]:.0f} to {report.memory_mb[-1]:.0f}",
    ]


def _targets(
    alone: SpeedReport,
    pair: Sequence[SpeedReport],
    many: SpeedReport,
    short: SpeedReport,
    long: SpeedReport,
) -> list[Target]:
    slower_of_pair = min(one.per_cpu_s for one in pair)
    per_character = (long.read_cpu_s / long.answers / 15_000) / (
        short.read_cpu_s / short.answers / 1_500
    )
    return [
        Target("answers a second of one core", alone.per_cpu_s, Bound.AT_LEAST, 1_400),
        Target("150,000 answers, projected", _A_DAY / alone.per_cpu_s, Bound.AT_MOST, 120, "CPU s"),
        Target(
            "two at once ÷ one alone", slower_of_pair / alone.per_cpu_s, Bound.AT_LEAST, 0.9, "", 2
        ),
        Target(
            "100,000 aliases ÷ 4,000", many.per_cpu_s / alone.per_cpu_s, Bound.AT_LEAST, 0.5, "", 2
        ),
        Target("time a character, 15,000 ÷ 1,500", per_character, Bound.AT_MOST, 1.25, "", 2),
        Target("memory, end ÷ beginning", _growth(alone), Bound.AT_MOST, 1.1, "", 2),
    ]


def _day_targets(day: SpeedReport) -> list[Target]:
    return [
        Target("150,000 answers, measured", day.read_cpu_s, Bound.AT_MOST, 120, "CPU s"),
        Target("memory over 150,000 answers", _growth(day), Bound.AT_MOST, 1.1, "", 2),
    ]


def _growth(report: SpeedReport) -> float:
    return report.memory_mb[-1] / report.memory_mb[0]


def _peer_rows(data: Path) -> list[list[str]]:
    english = [answer.text for answer in load_answers(data, "en")]
    chinese = [answer.text for answer in load_answers(data, "zh")]
    corpus = make_corpus(english, chinese, _BRANDS)
    texts = corpus.answers(_PEER_ANSWERS, _LENGTH)
    # Every third is English; spaCy is told Chinese for the others, mixed ones included.
    described = [("zh" if at % 3 else "en", text) for at, text in enumerate(texts)]
    aliases = aliases_of(build_gazetteer(corpus.brands))
    return [_peer_row(peer.title, run_peer(peer, aliases, described)) for peer in ALL_PEERS]


def _peer_row(title: str, run: PeerRun | str) -> list[str]:
    if isinstance(run, str):
        return [title, run, "", "", "", ""]
    count = len(run.found)
    found = sum(map(len, run.found))
    return [
        title,
        f"{count:,}",
        f"{run.find_s:.2f}",
        f"{count / run.find_s:,.0f}",
        f"{found / count:.1f}",
        "",
    ]
