"""Each measure's value for each question of a day: what two days are compared by.

Which measures can be compared is decided here; how they are, belongs to `changes`.
"""

from collections.abc import Callable, Mapping

import pandas as pd

from brand_visibility.domain.catalog import QuestionKind
from brand_visibility.measures.day_frames import DayFrames
from brand_visibility.measures.frames import narrow
from brand_visibility.measures.questions import GROUP, valid_answers
from brand_visibility.measures.visibility import mentions_by_question
from brand_visibility.measures.voices import voices_by_question

MENTION_RATE = "mention_rate"
SHARE_OF_VOICE = "share_of_voice"
FIRST_RANK_RATE = "first_rank_rate"

_OF_A_BRAND = ["query_id", "tenant_id", "brand_id"]
_COLUMNS = [*GROUP, "measure", "prompt_id", "answer_count", "numerator", "denominator"]


def question_values(day: DayFrames) -> pd.DataFrame:
    """Return one row for each row of figures, measure and question with a valid answer.

    A measure's value over any questions is the sum of their `numerator` over that of their
    `denominator`. `answer_count` valid answers were given to the question.
    """
    found = [
        values(day).assign(measure=measure)[_COLUMNS]
        for measure, values in _VALUES.items()
        if measure != FIRST_RANK_RATE or day.has_ranks
    ]
    return pd.concat(found, ignore_index=True)


def _mentions(day: DayFrames) -> pd.DataFrame:
    rates = mentions_by_question(day.plan, day.answers, day.mentions)
    return rates.assign(numerator=rates["question_rate"], denominator=1.0)


def _voices(day: DayFrames) -> pd.DataFrame:
    voices = voices_by_question(day.plan, day.answers, day.mentions)
    return voices.assign(
        question_kind=pd.Series(QuestionKind.NON_BRAND.value, index=voices.index, dtype="str"),
        numerator=voices["weight"],
        denominator=voices["named_count"],
    )


def _first_ranks(day: DayFrames) -> pd.DataFrame:
    if day.ranks is None:
        raise ValueError("ranks: found none; expected rows of core_ranks")
    firsts = narrow(
        day.ranks[day.ranks["rank"] == 1], "core_ranks", dict.fromkeys(_OF_A_BRAND, "str")
    )
    served = valid_answers(day.plan, day.answers, {}).rows
    marked = served.merge(firsts.drop_duplicates().assign(is_first=1.0), on=_OF_A_BRAND, how="left")
    by_question = marked.fillna({"is_first": 0.0}).groupby([*GROUP, "prompt_id"], sort=True)
    rates = by_question["is_first"].agg(answer_count="size", numerator="mean").reset_index()
    return rates.assign(denominator=1.0)


_VALUES: Mapping[str, Callable[[DayFrames], pd.DataFrame]] = {
    MENTION_RATE: _mentions,
    SHARE_OF_VOICE: _voices,
    FIRST_RANK_RATE: _first_ranks,
}
