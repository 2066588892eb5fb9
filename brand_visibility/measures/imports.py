"""How many imported answers a day has, for each platform.

They were planned by nobody, so there is no coverage here; how often they mention a brand
belongs to `visibility`, as for every other answer.
"""

from dataclasses import dataclass

import pandas as pd

from brand_visibility.measures.frames import require_one_day
from brand_visibility.measures.matching import narrow_queries


@dataclass(frozen=True, slots=True)
class ImportedCount:
    """Answers imported for a platform, and the distinct questions that they answer."""

    platform_id: str
    answer_count: int
    question_count: int


def imported_counts(answers: pd.DataFrame) -> tuple[ImportedCount, ...]:
    """Return a day's counts in order of platform.

    Raises IncompleteError when a column is missing or holds nulls, when days are mixed, or
    when an identity has two answers.
    """
    require_one_day({"imported_answers": answers})
    by_platform = narrow_queries(answers, "imported_answers").groupby("platform_id", sort=True)
    return tuple(
        ImportedCount(str(platform_id), len(rows), rows["prompt_id"].nunique())
        for platform_id, rows in by_platform
    )
