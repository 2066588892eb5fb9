"""Finds in collected answers that a person has judged, each with the reason.

A fixed sample was drawn once and judged by hand, with the whole answer at hand. What the
reader says of the same places today is held against those judgements.
"""

import json
import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from benchmarks.reader.collected import CollectedAnswer
from benchmarks.reader.gazetteers import LABELLED
from brand_visibility.reading.gazetteer import Gazetteer
from brand_visibility.reading.mentions import Mention
from brand_visibility.reading.reader import read_answer

SEED = 20_261_130
_REACH = 60


@dataclass(frozen=True, slots=True)
class Review:
    """A place in a collected answer, and whether a person sees the brand named there.

    `found_as` is "mention" or the reason why the reader took it for none when the sample
    was drawn. `excerpt` holds the place in double brackets.
    """

    source: str
    line: int
    start: int
    brand_id: str
    surface: str
    found_as: str
    excerpt: str
    is_brand: bool | None = None
    why: str = ""

    @property
    def was_mention(self) -> bool:
        return self.found_as == "mention"


def load_reviews(language: str) -> list[Review]:
    """Return what was judged of one language, in the order of the answers."""
    path = LABELLED / f"reviewed_{language}.jsonl"
    return [Review(**json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines()]


def draw(
    answers: Iterable[CollectedAnswer], gazetteer: Gazetteer, *, mentions: int, suppressed: int
) -> list[Review]:
    """Return a sample to judge: the same one for the same readings.

    Mentions are drawn from all alike; what is suppressed evenly from every reason, for the
    commonest one is the most trivial.
    """
    found: dict[str, list[Review]] = defaultdict(list)
    for answer in answers:
        reading = read_answer(answer.text, gazetteer)
        for mention in (*reading.mentions, *reading.suppressed):
            review = _unjudged(answer, mention)
            found[review.found_as].append(review)
    chance = random.Random(SEED)
    drawn = _sample(chance, found.pop("mention", []), mentions)
    for places in _evenly(found, suppressed):
        drawn += _sample(chance, *places)
    return drawn


def _sample(chance: random.Random, places: Sequence[Review], count: int) -> list[Review]:
    chosen = sorted(chance.sample(range(len(places)), min(count, len(places))))
    return [places[index] for index in chosen]


def _evenly(
    found: Mapping[str, Sequence[Review]], count: int
) -> Iterator[tuple[Sequence[Review], int]]:
    """Yield every reason's places and how many of them to draw, the rarest first."""
    rarest_first = sorted(found.items(), key=lambda entry: (len(entry[1]), entry[0]))
    for index, (_, places) in enumerate(rarest_first):
        share = min(len(places), count // (len(rarest_first) - index))
        count -= share
        yield places, share


def _unjudged(answer: CollectedAnswer, mention: Mention) -> Review:
    text = answer.text
    before = text[max(0, mention.start_offset - _REACH) : mention.start_offset]
    after = text[mention.end_offset : mention.end_offset + _REACH]
    return Review(
        source=answer.source,
        line=answer.line,
        start=mention.start_offset,
        brand_id=mention.brand_id,
        surface=mention.surface,
        found_as=str(mention.suppressed_reason or "mention"),
        excerpt=f"{before}[[{mention.surface}]]{after}",
    )


def to_line(review: Review) -> str:
    """Return a review as a line of its file."""
    described: dict[str, Any] = asdict(review)
    return json.dumps(described, ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class Outcome:
    """A judged place and whether the reader counts it as a mention today."""

    review: Review
    is_mention: bool

    @property
    def is_right(self) -> bool:
        return self.is_mention is self.review.is_brand


def read_again(
    reviews: Iterable[Review], answers: Iterable[CollectedAnswer], gazetteer: Gazetteer
) -> list[Outcome]:
    """Return what the reader says today of the places that were judged."""
    texts = {(answer.source, answer.line): answer.text for answer in answers}
    return [
        Outcome(review, _is_mentioned(review, texts[review.source, review.line], gazetteer))
        for review in reviews
    ]


def _is_mentioned(review: Review, text: str, gazetteer: Gazetteer) -> bool:
    return any(
        mention.brand_id == review.brand_id
        and mention.start_offset <= review.start < mention.end_offset
        for mention in read_answer(text, gazetteer).mentions
    )
