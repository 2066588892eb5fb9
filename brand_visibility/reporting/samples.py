"""A few answers to show, and the piece of each that is shown.

Answers are text that strangers wrote: what leaves here is bounded and plain, yet not
escaped; escaping is the template's.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pandas as pd

from brand_visibility.domain.catalog import QuestionKind
from brand_visibility.measures.frames import require_columns
from brand_visibility.reporting.plain_text import shown

CHARACTERS_BEFORE = 120
CHARACTERS_AFTER = 280

_SOURCE = ["platform_id", "channel"]


@dataclass(frozen=True, slots=True)
class Span:
    """A mention's place in the raw answer, in code points; `end` is one past it."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class SampleAnswer:
    """One answer as stored, with the places of its counted mentions."""

    platform_id: str
    channel: str
    prompt: str
    text: str
    mentions: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of shown text, inside or outside a mention."""

    text: str
    is_mention: bool = False


@dataclass(frozen=True, slots=True)
class Excerpt:
    """What is shown of an answer, and whether something stands before or after it."""

    pieces: tuple[Piece, ...]
    is_cut_before: bool
    is_cut_after: bool


def pick_samples(
    plan: pd.DataFrame, answers: pd.DataFrame, mentions: pd.DataFrame, *, limit: int = 6
) -> tuple[SampleAnswer, ...]:
    """Return up to `limit` answers that mention a brand unasked, platforms in turn.

    The frames are rows of `query_plan`, `raw_answers` and `core_mentions`. The choice
    follows the query ids, which are hashes: the same day always shows the same answers,
    and nobody chose them.

    Raises IncompleteError when a column is missing.
    """
    require_columns(plan, "query_plan", ["prompt_id", "question_kind"])
    require_columns(answers, "raw_answers", ["query_id", *_SOURCE, "prompt_id", "prompt", "text"])
    wanted = ["query_id", "start_offset", "end_offset", "is_suppressed"]
    require_columns(mentions, "core_mentions", wanted)
    counted = mentions[~mentions["is_suppressed"].astype(bool)]
    unasked = plan.loc[plan["question_kind"] == QuestionKind.NON_BRAND.value, "prompt_id"]
    is_fit = answers["query_id"].isin(counted["query_id"]) & answers["prompt_id"].isin(unasked)
    chosen = _in_turn(answers[is_fit]).head(limit)
    return tuple(_sample(row, counted) for _, row in chosen.iterrows())


def _in_turn(answers: pd.DataFrame) -> pd.DataFrame:
    ordered = answers.sort_values("query_id")
    turn = ordered.groupby(_SOURCE).cumcount()
    return ordered.assign(turn=turn).sort_values(["turn", *_SOURCE])


def _sample(row: "pd.Series[str]", counted: pd.DataFrame) -> SampleAnswer:
    own = counted[counted["query_id"] == row["query_id"]]
    spans = zip(own["start_offset"].tolist(), own["end_offset"].tolist(), strict=True)
    return SampleAnswer(
        platform_id=row["platform_id"],
        channel=row["channel"],
        prompt=row["prompt"],
        text=row["text"],
        mentions=tuple(sorted((Span(*span) for span in spans), key=lambda span: span.start)),
    )


def excerpt(sample: SampleAnswer) -> Excerpt:
    """Return the bounded piece of an answer around its first mention."""
    size = len(sample.text)
    spans = [span for span in sample.mentions if 0 <= span.start < span.end <= size]
    first = min((span.start for span in spans), default=0)
    low, high = max(0, first - CHARACTERS_BEFORE), min(size, first + CHARACTERS_AFTER)
    return Excerpt(
        pieces=tuple(piece for piece in _pieces(sample.text, spans, low, high) if piece.text),
        is_cut_before=low > 0,
        is_cut_after=high < size,
    )


def _pieces(text: str, spans: Sequence[Span], low: int, high: int) -> Iterator[Piece]:
    place = low
    for span in sorted(spans, key=lambda span: span.start):
        # Overlapping mentions become one mark.
        start, end = max(span.start, place), min(span.end, high)
        if start >= end:
            continue
        yield Piece(shown(text[place:start]))
        yield Piece(shown(text[start:end]), is_mention=True)
        place = end
    yield Piece(shown(text[place:high]))
