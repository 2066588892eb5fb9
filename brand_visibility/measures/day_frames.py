"""One day's tables as the measures that compare two days take them.

Reading them from the lake belongs to the adapters.
"""

from dataclasses import dataclass
from datetime import date

import pandas as pd

from brand_visibility.domain.errors import IncompleteError
from brand_visibility.measures.frames import require_one_day


@dataclass(frozen=True, slots=True)
class DayFrames:
    """Rows of `query_plan`, `raw_answers` and `core_mentions` of one day, all platforms.

    `ranks` are rows of `core_ranks`; None where ranks were not read.

    Raises IncompleteError when a row is of another day.
    """

    plan_date: date
    plan: pd.DataFrame
    answers: pd.DataFrame
    mentions: pd.DataFrame
    ranks: pd.DataFrame | None = None

    def __post_init__(self) -> None:
        frames = {
            "query_plan": self.plan,
            "raw_answers": self.answers,
            "core_mentions": self.mentions,
        }
        if self.ranks is not None:
            frames["core_ranks"] = self.ranks
        found = require_one_day(frames)
        if found not in (None, self.plan_date):
            raise IncompleteError(
                f"{', '.join(frames)}: plan_date: found {found}; expected {self.plan_date}"
            )

    @property
    def has_ranks(self) -> bool:
        """Whether ranks were read: every mention then has a row, ranked or not."""
        return self.ranks is not None and (not self.ranks.empty or self.mentions.empty)
