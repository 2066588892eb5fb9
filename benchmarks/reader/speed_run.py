"""A process that reads a corpus and says what it cost. Started by part e."""

import json
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import psutil

from benchmarks.common.cpu import cpu_s
from benchmarks.reader.collected import load_answers
from benchmarks.reader.corpus import make_corpus
from brand_visibility.reading.gazetteer import Gazetteer, build_gazetteer
from brand_visibility.reading.reader import read_answer, read_mentions

_MEGABYTE = 1_000_000
_LOOKS = 10


@dataclass(frozen=True, slots=True)
class SpeedCall:
    """What to read: `distinct` answers of `length` characters, all of them `times` times.

    `names_only` leaves out ranks, stances and citations.
    """

    data: str
    brands: int
    distinct: int
    length: int
    times: int = 1
    names_only: bool = False

    def to_argument(self) -> str:
        return json.dumps(asdict(self))


@dataclass(frozen=True, slots=True)
class SpeedReport:
    """What reading cost. Memory is resident, looked at ten times while reading."""

    build_s: float
    read_cpu_s: float
    read_wall_s: float
    answers: int
    mentions: int
    memory_mb: list[float]

    @property
    def per_cpu_s(self) -> float:
        """Answers read in a second of one core."""
        return self.answers / self.read_cpu_s


def run(call: SpeedCall) -> SpeedReport:
    """Read the corpus and return what it cost."""
    folder = Path(call.data)
    english = [answer.text for answer in load_answers(folder, "en")]
    chinese = [answer.text for answer in load_answers(folder, "zh")]
    corpus = make_corpus(english, chinese, call.brands)
    answers = corpus.answers(call.distinct, call.length)
    before_build = cpu_s()
    gazetteer = build_gazetteer(corpus.brands)
    build_s = cpu_s() - before_build
    read = _names if call.names_only else _whole
    mentions = 0
    memory: list[float] = []
    process = psutil.Process()
    began_cpu, began = cpu_s(), time.monotonic()
    for number, text in enumerate(_repeated(answers, call.times)):
        mentions += read(text, gazetteer)
        if number % max(1, call.distinct * call.times // _LOOKS) == 0:
            memory.append(process.memory_info().rss / _MEGABYTE)
    return SpeedReport(
        build_s=build_s,
        read_cpu_s=cpu_s() - began_cpu,
        read_wall_s=time.monotonic() - began,
        answers=len(answers) * call.times,
        mentions=mentions,
        memory_mb=memory,
    )


def _whole(text: str, gazetteer: Gazetteer) -> int:
    return len(read_answer(text, gazetteer).mentions)


def _names(text: str, gazetteer: Gazetteer) -> int:
    return len(read_mentions(text, gazetteer).mentions)


def _repeated(answers: list[str], times: int) -> Iterator[str]:
    for _ in range(times):
        yield from answers


if __name__ == "__main__":
    print(json.dumps(asdict(run(SpeedCall(**json.loads(sys.argv[1]))))))
