"""How far a rate moves although nothing happens: the noise floor of a day.

A day's repeats are split into two halves, as if they were two days (an A/A test).
"""

from hashlib import blake2b

import pandas as pd

from brand_visibility.measures.day_frames import DayFrames
from brand_visibility.measures.voices import (
    SCOPE,
    VOICE_KEYS,
    named_brands,
    tracked_brands,
    unasked_answers,
)

_QUESTION = [*SCOPE, "prompt_id"]


def noise_floors(day: DayFrames) -> pd.DataFrame:
    """Return each scope's `noise_floor`: the usual change of a mention rate by chance alone.

    It is the root mean square, over the tracked brands, of the difference of their mention
    rates between the two halves of the repeats of the questions that have any. A half has
    fewer answers than a day: each question's difference, of a and b answers, is scaled by
    √(2ab) / (a + b) to that of two whole days. The split follows from the queries' ids.
    """
    halves = _split(unasked_answers(day.plan, day.answers))
    named = named_brands(tracked_brands(day.plan), halves, day.mentions)
    named = named.assign(share=named["sign"] / named["half_size"])
    differences = named.groupby([*VOICE_KEYS, "prompt_id", "scale"], sort=True)["share"].sum()
    scaled = differences.reset_index().assign(moved=lambda rows: rows["share"] * rows["scale"])
    moved = scaled.groupby(VOICE_KEYS, sort=True)["moved"].sum().reset_index()
    questions = halves.groupby(SCOPE, sort=True)["prompt_id"].nunique().rename("questions")
    # A brand that nobody names moves by nothing, and counts.
    rows = tracked_brands(day.plan).merge(moved, on=VOICE_KEYS, how="left").fillna({"moved": 0.0})
    rows = rows.merge(questions.reset_index(), on=SCOPE)
    squares = rows.assign(square=(rows["moved"] / rows["questions"]) ** 2)
    floors = squares.groupby(SCOPE, sort=True)["square"].mean() ** 0.5
    return floors.rename("noise_floor").reset_index()


def _split(served: pd.DataFrame) -> pd.DataFrame:
    """Return the answers of repeated questions with the side and the size of their half."""
    drawn = served.assign(drawn=[_digest(query_id) for query_id in served["query_id"]])
    drawn = drawn.sort_values([*_QUESTION, "drawn"], ignore_index=True)
    by_question = drawn.groupby(_QUESTION, sort=True)
    place, size = by_question.cumcount(), by_question["query_id"].transform("size")
    is_second = place % 2
    half_size = (size + 1 - is_second) // 2
    scale = (2 * half_size * (size - half_size)) ** 0.5 / size
    split = drawn.assign(sign=1 - 2 * is_second, half_size=half_size, scale=scale)
    return split[size > 1]


def _digest(query_id: str) -> str:
    return blake2b(query_id.encode(), digest_size=8).hexdigest()
