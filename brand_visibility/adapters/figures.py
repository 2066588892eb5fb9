"""Which figures a day has, and from which of its tables each of them is measured.

Add a dataset of figures here, and it is an asset, is checked, published and described.
How its numbers come about belongs to `measures`, its columns to `lake.schemas`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import Protocol

import pandas as pd

from brand_visibility.adapters.lake.schemas import (
    OUT_ACCOUNT_DAILY,
    OUT_CHANGES_DAILY,
    OUT_CITATION_DAILY,
    OUT_COLLECTION_DAILY,
    OUT_FAILURE_DAILY,
    OUT_RANK_DAILY,
    OUT_SHARE_OF_VOICE_DAILY,
    OUT_SOURCE_DOMAIN_DAILY,
    OUT_STABILITY_DAILY,
    OUT_STANCE_DAILY,
    OUT_VISIBILITY_DAILY,
    Dataset,
)
from brand_visibility.adapters.stored_day import StoredDay
from brand_visibility.measures.changes import changes_daily
from brand_visibility.measures.citations import citation_daily
from brand_visibility.measures.collection import (
    Collected,
    account_daily,
    collection_daily,
    failure_daily,
)
from brand_visibility.measures.day_frames import DayFrames
from brand_visibility.measures.ranks import rank_daily
from brand_visibility.measures.share_of_voice import share_of_voice_daily
from brand_visibility.measures.source_domains import source_domain_daily
from brand_visibility.measures.stability import stability_daily
from brand_visibility.measures.stances import stance_daily
from brand_visibility.measures.visibility import visibility_daily


class DayTables(Protocol):
    """What was asked on a day, or imported for it, as the measures take it."""

    @property
    def plan_date(self) -> date: ...

    def plan(self) -> pd.DataFrame: ...

    def answers(self) -> pd.DataFrame: ...

    def mentions(self) -> pd.DataFrame: ...

    def ranks(self) -> pd.DataFrame: ...

    def stances(self) -> pd.DataFrame: ...

    def citations(self) -> pd.DataFrame: ...

    def before(self) -> "DayTables": ...

    def own_figures(self, dataset: Dataset) -> pd.DataFrame: ...


@dataclass(frozen=True, slots=True)
class Figures:
    """A dataset of a day's figures. `of_imports` is None where nobody can import any."""

    dataset: Dataset
    meaning: str
    of_asked: Callable[[StoredDay], pd.DataFrame]
    of_imports: Callable[[DayTables], pd.DataFrame] | None = None


def _read(dataset: Dataset, meaning: str, measure: Callable[[DayTables], pd.DataFrame]) -> Figures:
    return Figures(dataset, meaning, measure, measure)


def _collected(
    dataset: Dataset, meaning: str, measure: Callable[[Collected], pd.DataFrame]
) -> Figures:
    return Figures(dataset, meaning, lambda day: measure(day.collected()))


def _frames(day: DayTables) -> DayFrames:
    return DayFrames(day.plan_date, day.plan(), day.answers(), day.mentions(), day.ranks())


def _frames_before(day: DayTables) -> DayFrames | None:
    """Return the tables of the day before, None when nothing was planned for it."""
    frames = _frames(day.before())
    return None if frames.plan.empty else frames


def _changes(day: DayTables) -> pd.DataFrame:
    previous = day.before().own_figures(OUT_CHANGES_DAILY)
    return changes_daily(_frames(day), _frames_before(day), None if previous.empty else previous)


FIGURES: tuple[Figures, ...] = (
    _read(
        OUT_VISIBILITY_DAILY,
        "How often each brand is mentioned, by topic and platform, with its 95 % intervals and"
        " its coverage.",
        lambda day: visibility_daily(day.plan(), day.answers(), day.mentions()),
    ),
    _read(
        OUT_SHARE_OF_VOICE_DAILY,
        "Each brand's share among the brands of its topic, by answers and by counts.",
        lambda day: share_of_voice_daily(day.plan(), day.answers(), day.mentions()),
    ),
    _read(
        OUT_RANK_DAILY,
        "Where each brand stands in the lists of answers, and how early it is mentioned.",
        lambda day: rank_daily(day.plan(), day.answers(), day.ranks()),
    ),
    _read(
        OUT_STANCE_DAILY,
        "How the answers that mention a brand stand to it.",
        lambda day: stance_daily(day.plan(), day.answers(), day.stances()),
    ),
    _read(
        OUT_CITATION_DAILY,
        "How often answers lean on a brand's own pages, on its competitors' and on others.",
        lambda day: citation_daily(day.plan(), day.answers(), day.mentions(), day.citations()),
    ),
    _read(
        OUT_SOURCE_DOMAIN_DAILY,
        "The domains that the answers to a topic's questions lean on most.",
        lambda day: source_domain_daily(day.plan(), day.answers(), day.citations()),
    ),
    _read(
        OUT_STABILITY_DAILY,
        "How alike repeated answers are, within the day and from the day before.",
        lambda day: stability_daily(_frames(day), _frames_before(day)),
    ),
    _read(
        OUT_CHANGES_DAILY,
        "What differs from the day before by more than chance, on the same questions.",
        _changes,
    ),
    _collected(
        OUT_COLLECTION_DAILY,
        "What was planned for each brand on each account, how it ended, how long it took and what"
        " it cost; shared costs are parted.",
        collection_daily,
    ),
    _collected(
        OUT_ACCOUNT_DAILY,
        "What each account was asked, how it ended, how long it took and what it cost.",
        account_daily,
    ),
    _collected(
        OUT_FAILURE_DAILY,
        "How many queries of each brand have no answer, by reason.",
        failure_daily,
    ),
)
