"""The labelled passages, and how the reader does on them.

Labels are a reader's, not the program's: a mention is every place at which a person sees
the brand named by one of the gazetteer's aliases, the longest where several begin there.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.reader.gazetteers import LABELLED, passage_gazetteer
from benchmarks.reader.scoring import Place, Score, places, score, total
from brand_visibility.reading.mentions import AnswerContext
from brand_visibility.reading.reader import read_answer

Finder = Callable[["Passage"], Sequence[Place]]

# The kinds of passages, in the order in which they are shown.
KINDS: Mapping[str, str] = {
    "plain": "plain mention",
    "everyday_word": "everyday word",
    "context": "ambiguous name, context beside it",
    "decoy": "longer word that holds a name",
    "case": "capital and small letters",
    "boundary": "boundary of the word",
    "width": "width, script, accents",
    "invisible": "invisible characters, emoji",
    "markup": "markup in the name",
    "address": "address, code, link",
    "affix": "possessive, plural, affix",
    "punctuation": "name with punctuation",
    "longest": "longest name wins",
    "list": "list, table, heading",
    "absence": "absence",
    "company": "in the company of a peer",
    "negation": "negation",
    "adjacent": "names side by side",
}


@dataclass(frozen=True, slots=True)
class Passage:
    """A labelled passage.

    Rules are made beside those that are not held out; the others are looked at in sums only.
    """

    passage_id: str
    language: str
    kind: str
    is_held_out: bool
    text: str
    gold: tuple[Place, ...]
    topic_ids: frozenset[str]


def load_passages() -> list[Passage]:
    """Return all passages. Raises ValueError for a label that is not in its passage."""
    lines = (LABELLED / "passages.jsonl").read_text(encoding="utf-8").splitlines()
    return [_passage(json.loads(line)) for line in lines]


def _passage(described: Mapping[str, Any]) -> Passage:
    text = described["text"]
    return Passage(
        described["id"],
        described["language"],
        described["class"],
        described["held_out"],
        text,
        tuple(_place(described["id"], text, label) for label in described["mentions"]),
        frozenset(described.get("topics", ())),
    )


def _place(passage_id: str, text: str, label: Mapping[str, Any]) -> Place:
    start, end = label["start"], label["start"] + len(label["surface"])
    if text[start:end] != label["surface"]:
        raise ValueError(
            f"passages.jsonl: {passage_id}: found {text[start:end]!r} at {start};"
            f" expected {label['surface']!r}"
        )
    return Place(label["brand"], start, end)


def reader_finder() -> Finder:
    """Return this project's reader as a finder of the passages' brands."""
    gazetteer = passage_gazetteer()

    def find(passage: Passage) -> Sequence[Place]:
        context = AnswerContext(passage.topic_ids)
        return places(read_answer(passage.text, gazetteer, context).mentions)

    return find


@dataclass(frozen=True, slots=True)
class Tally:
    """How passages were read: their finds, and how many passages without any fault."""

    score: Score
    passages: int
    faultless: int

    @property
    def faultless_rate(self) -> float:
        """Share of the passages that were read without a fault."""
        return self.faultless / self.passages


def tally(scored: Iterable[tuple[Passage, Score]]) -> Tally:
    """Return the sum over passages, of which there must be one."""
    scores = [one for _, one in scored]
    faultless = sum(not (one.wrong or one.missed) for one in scores)
    return Tally(total(scores), len(scores), faultless)


def score_passages(passages: Iterable[Passage], find: Finder) -> list[tuple[Passage, Score]]:
    """Return every passage with the score of what was found in it."""
    return [(passage, score(passage.gold, find(passage))) for passage in passages]
