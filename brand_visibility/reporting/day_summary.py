"""Everything a report of one day shows, as one value.

The terminal table and the page both read it, so that their numbers cannot disagree. How
a number is computed belongs to `measures`; how it is written, to `figures`.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

import pandas as pd

from brand_visibility.domain.catalog import Catalog, QuestionKind
from brand_visibility.domain.errors import IncompleteError
from brand_visibility.domain.planning import API_CHANNEL
from brand_visibility.measures.coverage import PlatformCoverage
from brand_visibility.measures.frames import require_columns, require_one_day
from brand_visibility.measures.imports import ImportedCount
from brand_visibility.reporting.plain_text import shortened

_LONGEST_NAME = 60
_LONGEST_NOTE = 300
_KIND_ORDER = {kind.value: place for place, kind in enumerate(QuestionKind)}
_KEYS = ["tenant_id", "brand_id", "topic_id", "platform_id", "channel"]
_VISIBILITY_COLUMNS = [
    *_KEYS,
    "question_kind",
    "question_count",
    "mention_rate",
    "general_low",
    "general_high",
    "is_small_sample",
]
_VOICE_COLUMNS = [*_KEYS, "answer_count", "share_by_answers", "share_by_counts"]

_Key = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Labels:
    """Names for people, by id. An id without a name is shown as it is."""

    brands: Mapping[str, str] = field(default_factory=dict)
    topics: Mapping[str, str] = field(default_factory=dict)
    tenants: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, catalog: Catalog) -> "Labels":
        """Return the names that a catalog gives."""
        return cls(
            brands={brand.brand_id: brand.name for brand in catalog.brands},
            topics={topic.topic_id: topic.name for topic in catalog.topics},
            tenants={tenant.tenant_id: tenant.name for tenant in catalog.tenants},
        )


@dataclass(frozen=True, slots=True)
class PlatformColumn:
    """A platform reached through a channel: one column of every table."""

    platform_id: str
    channel: str
    is_simulated: bool = False

    @property
    def label(self) -> str:
        """The platform, with its channel when that is not the usual one."""
        is_usual = self.channel == API_CHANNEL
        return self.platform_id if is_usual else f"{self.platform_id} ({self.channel})"


@dataclass(frozen=True, slots=True)
class Visibility:
    """A mention rate with its general 95 % interval; None where no answer was valid."""

    mention_rate: float | None
    low: float | None
    high: float | None
    question_count: int
    is_small_sample: bool


@dataclass(frozen=True, slots=True)
class Voice:
    """A share of voice in both readings; None where no tracked brand was named."""

    by_answers: float | None
    by_counts: float | None
    answer_count: int


@dataclass(frozen=True, slots=True)
class Cell:
    """One brand on one platform; None for what was not planned there."""

    visibility: Visibility | None = None
    voice: Voice | None = None


@dataclass(frozen=True, slots=True)
class BrandRow:
    """One brand's cells, in the order of the summary's platforms."""

    brand_id: str
    name: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class TopicTable:
    """The brands of one tenant in one topic, for one kind of question.

    Rows come by falling mention rate: the equal-weight mean over platforms. What was
    imported has no say in it unless there is nothing else.
    """

    tenant: str
    topic: str
    question_kind: str
    rows: tuple[BrandRow, ...]

    @property
    def is_headline(self) -> bool:
        """Whether its questions name no brand; the others are never pooled with these."""
        return self.question_kind == QuestionKind.NON_BRAND.value


@dataclass(frozen=True, slots=True)
class DaySummary:
    """One day: its platforms, its tables, and what its collection and imports brought."""

    plan_date: date
    platforms: tuple[PlatformColumn, ...]
    tables: tuple[TopicTable, ...]
    coverage: tuple[PlatformCoverage, ...]
    notes: tuple[str, ...]
    brand_count: int
    tenant_count: int
    imports: tuple[ImportedCount, ...] = ()

    @property
    def headline_tables(self) -> tuple[TopicTable, ...]:
        """Tables of questions that name no brand."""
        return tuple(table for table in self.tables if table.is_headline)

    @property
    def planned_count(self) -> int:
        """Queries planned on all platforms."""
        return sum(item.planned_count for item in self.coverage)

    @property
    def answered_count(self) -> int:
        """Queries answered on all platforms."""
        return sum(item.answered_count for item in self.coverage)

    @property
    def refused_count(self) -> int:
        """Queries that the platforms refused or blocked."""
        return sum(item.refused_count for item in self.coverage)

    @property
    def failed_count(self) -> int:
        """Queries given up without any result on all platforms."""
        return sum(item.failed_count for item in self.coverage)

    @property
    def open_count(self) -> int:
        """Queries without any outcome on all platforms."""
        return sum(item.open_count for item in self.coverage)

    @property
    def coverage_rate(self) -> float | None:
        """Answers over queries planned, None when nothing was planned."""
        return self.answered_count / self.planned_count if self.planned_count else None


def summarise_day(
    plan_date: date,
    *,
    visibility: pd.DataFrame,
    share_of_voice: pd.DataFrame,
    coverage: Sequence[PlatformCoverage],
    labels: Labels | None = None,
    simulated_platform_ids: Collection[str] = (),
    notes: Sequence[str] = (),
    imports: Sequence[ImportedCount] = (),
) -> DaySummary:
    """Put one day's measures and collection figures into one value.

    `visibility` and `share_of_voice` are rows of `out_visibility_daily` and
    `out_share_of_voice_daily`. `notes` are sentences for the head of the report.

    Raises IncompleteError when a column is missing or a row is of another day.
    """
    _require_day(plan_date, visibility, share_of_voice)
    names = labels or Labels()
    records = visibility[_VISIBILITY_COLUMNS].to_dict("records")
    columns = _columns(coverage, records, simulated_platform_ids)
    return DaySummary(
        plan_date=plan_date,
        platforms=columns,
        tables=_tables(records, _voices(share_of_voice), columns, names),
        coverage=tuple(coverage),
        notes=tuple(shortened(note, _LONGEST_NOTE) for note in notes),
        brand_count=len({record["brand_id"] for record in records}),
        tenant_count=len({record["tenant_id"] for record in records}),
        imports=tuple(imports),
    )


def _require_day(plan_date: date, visibility: pd.DataFrame, voice: pd.DataFrame) -> None:
    require_columns(visibility, "out_visibility_daily", _VISIBILITY_COLUMNS)
    require_columns(voice, "out_share_of_voice_daily", _VOICE_COLUMNS)
    found = require_one_day({"out_visibility_daily": visibility, "out_share_of_voice_daily": voice})
    if found not in (None, plan_date):
        raise IncompleteError(
            f"out_visibility_daily: plan_date: found {found}; expected {plan_date}"
        )


def _columns(
    coverage: Iterable[PlatformCoverage],
    records: Iterable[Mapping[Any, Any]],
    simulated: Collection[str],
) -> tuple[PlatformColumn, ...]:
    planned = {(item.platform_id, item.channel) for item in coverage}
    measured = {(record["platform_id"], record["channel"]) for record in records}
    return tuple(
        PlatformColumn(
            platform_id,
            channel,
            is_simulated=channel == API_CHANNEL and platform_id in simulated,
        )
        for platform_id, channel in sorted(planned | measured)
    )


def _voices(share_of_voice: pd.DataFrame) -> dict[_Key, Voice]:
    return {
        tuple(record[key] for key in _KEYS): Voice(
            by_answers=_known(record["share_by_answers"]),
            by_counts=_known(record["share_by_counts"]),
            answer_count=int(record["answer_count"]),
        )
        for record in share_of_voice[_VOICE_COLUMNS].to_dict("records")
    }


def _tables(
    records: Iterable[Mapping[Any, Any]],
    voices: Mapping[_Key, Voice],
    columns: Sequence[PlatformColumn],
    names: Labels,
) -> tuple[TopicTable, ...]:
    cells: dict[_Key, dict[str, dict[_Key, Cell]]] = {}
    for record in records:
        table = (record["question_kind"], record["tenant_id"], record["topic_id"])
        brands = cells.setdefault(table, {}).setdefault(record["brand_id"], {})
        brands[record["platform_id"], record["channel"]] = _cell(record, voices)
    order = sorted(cells, key=lambda key: (_KIND_ORDER.get(key[0], len(_KIND_ORDER)), key))
    return tuple(
        TopicTable(
            tenant=_name(names.tenants, tenant_id),
            topic=_name(names.topics, topic_id),
            question_kind=kind,
            rows=_rows(cells[kind, tenant_id, topic_id], columns, names),
        )
        for kind, tenant_id, topic_id in order
    )


def _cell(record: Mapping[Any, Any], voices: Mapping[_Key, Voice]) -> Cell:
    is_headline = record["question_kind"] == QuestionKind.NON_BRAND.value
    voice = voices.get(tuple(record[key] for key in _KEYS)) if is_headline else None
    visibility = Visibility(
        mention_rate=_known(record["mention_rate"]),
        low=_known(record["general_low"]),
        high=_known(record["general_high"]),
        question_count=int(record["question_count"]),
        is_small_sample=bool(record["is_small_sample"]),
    )
    return Cell(visibility, voice)


def _rows(
    brands: Mapping[str, Mapping[_Key, Cell]], columns: Sequence[PlatformColumn], names: Labels
) -> tuple[BrandRow, ...]:
    rows = [
        BrandRow(
            brand_id=brand_id,
            name=_name(names.brands, brand_id),
            cells=tuple(cells.get((c.platform_id, c.channel), Cell()) for c in columns),
        )
        for brand_id, cells in brands.items()
    ]
    asked = [place for place, column in enumerate(columns) if column.channel == API_CHANNEL]
    places = asked or range(len(columns))
    return tuple(sorted(rows, key=lambda row: (-_mean_rate(row, places), row.brand_id)))


def _mean_rate(row: BrandRow, places: Iterable[int]) -> float:
    # Brands without any known rate come last, after those whose rate is a true 0.
    cells = [row.cells[place] for place in places]
    found = [cell.visibility.mention_rate for cell in cells if cell.visibility]
    rates = [rate for rate in found if rate is not None]
    return sum(rates) / len(rates) if rates else -1.0


def _name(names: Mapping[str, str], identifier: str) -> str:
    named = shortened(names.get(identifier, ""), _LONGEST_NAME)
    return named or shortened(identifier, _LONGEST_NAME)


def _known(value: Any) -> float | None:
    return None if pd.isna(value) else float(value)
