"""The collected answers and sentences beside the repository, where they are at hand."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path


class DataMissingError(Exception):
    """The folder with the collected texts is not at hand: such parts are not measured."""


@dataclass(frozen=True, slots=True)
class CollectedAnswer:
    """An answer, by the file that holds it and the number of its line, from 0."""

    source: str
    line: int
    text: str


@dataclass(frozen=True, slots=True)
class TaggedSentence:
    """A sentence and the code points of the companies and products that it names."""

    text: str
    names: tuple[tuple[int, int], ...]


_NAMED = frozenset({"corporation", "product"})


def load_answers(folder: Path, language: str) -> list[CollectedAnswer]:
    """Return the answers of one language. Raises DataMissingError where there are none."""
    paths = sorted(folder.glob(f"answers_{language}_*.jsonl"))
    if not paths:
        raise DataMissingError(f"{folder} with the collected answers is not at hand")
    return [
        CollectedAnswer(path.stem, number, json.loads(line)["answer"])
        for path in paths
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines())
    ]


def load_sentences(folder: Path, part: str) -> list[TaggedSentence]:
    """Return the sentences of a part of WNUT-17. Raises DataMissingError without it."""
    path = folder / f"wnut17_{part}.conll"
    if not path.is_file():
        raise DataMissingError(f"{path} is not at hand")
    return list(_sentences(path.read_text(encoding="utf-8").splitlines()))


def _sentences(lines: list[str]) -> Iterator[TaggedSentence]:
    tokens: list[tuple[str, str]] = []
    for line in [*lines, ""]:
        if line.strip():
            token, _, tag = line.rpartition("\t")
            tokens.append((token, tag))
        elif tokens:
            yield _joined(tokens)
            tokens = []


def _joined(tokens: list[tuple[str, str]]) -> TaggedSentence:
    """Return the sentence, its tokens with a space between, for no other text is known."""
    names: list[tuple[int, int]] = []
    position = 0
    for token, tag in tokens:
        beginning, _, kind = tag.partition("-")
        end = position + len(token)
        if kind in _NAMED and beginning == "B":
            names.append((position, end))
        elif kind in _NAMED and names:
            names[-1] = names[-1][0], end
        position = end + 1
    return TaggedSentence(" ".join(token for token, _ in tokens), tuple(names))
