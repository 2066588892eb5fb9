"""Days to be shown, for the tests of reports: rows of `out_*` and what holds them."""

from datetime import date
from html.parser import HTMLParser
from io import StringIO
from typing import Any

import pandas as pd
import pyarrow as pa
from rich.console import Console

from brand_visibility.adapters.lake.schemas import (
    OUT_SHARE_OF_VOICE_DAILY,
    OUT_VISIBILITY_DAILY,
    Dataset,
)
from brand_visibility.measures.coverage import PlatformCoverage, ReasonCount
from brand_visibility.reporting.day_summary import DaySummary, summarise_day
from brand_visibility.reporting.terminal import DayReport

DAY = date(2026, 5, 12)

Row = dict[str, Any]


def visibility_row(**changes: Any) -> Row:
    row = {
        "plan_date": DAY,
        "tenant_id": "shop",
        "brand_id": "acme",
        "topic_id": "phones",
        "platform_id": "deepseek",
        "channel": "api",
        "question_kind": "non_brand",
        "question_count": 40,
        "mention_rate": 0.42,
        "general_low": 0.31,
        "general_high": 0.54,
        "is_small_sample": False,
    }
    return row | changes


def unknown_row(**changes: Any) -> Row:
    nothing = dict.fromkeys(["mention_rate", "general_low", "general_high"])
    return visibility_row(question_count=0, is_small_sample=True, **nothing, **changes)


def voice_row(**changes: Any) -> Row:
    row = {
        "plan_date": DAY,
        "tenant_id": "shop",
        "brand_id": "acme",
        "topic_id": "phones",
        "platform_id": "deepseek",
        "channel": "api",
        "answer_count": 30,
        "share_by_answers": 0.23,
        "share_by_counts": 0.21,
    }
    return row | changes


def collected(platform_id: str = "deepseek", **changes: Any) -> PlatformCoverage:
    figures: Row = {
        "channel": "api",
        "planned_count": 1_000,
        "answered_count": 987,
        "failures": (ReasonCount("timed_out", 8), ReasonCount("refused", 1)),
    }
    return PlatformCoverage(platform_id, **(figures | changes))


def frame(dataset: Dataset, rows: list[Row]) -> pd.DataFrame:
    return pa.Table.from_pylist(rows, schema=dataset.schema).to_pandas()


def summary_of(
    visibility: list[Row],
    voices: list[Row] | None = None,
    coverage: tuple[PlatformCoverage, ...] = (),
    **changes: Any,
) -> DaySummary:
    return summarise_day(
        DAY,
        visibility=frame(OUT_VISIBILITY_DAILY, visibility),
        share_of_voice=frame(OUT_SHARE_OF_VOICE_DAILY, voices or []),
        coverage=coverage,
        **changes,
    )


def printed(summary: DaySummary, width: int = 100, *, is_coloured: bool = False) -> str:
    out = StringIO()
    console = Console(
        file=out,
        width=width,
        force_terminal=is_coloured,
        color_system="standard" if is_coloured else None,
    )
    console.print(DayReport(summary))
    return out.getvalue()


class ParsedPage(HTMLParser):
    """A page as a browser would take it apart: its elements, attributes and texts."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str, str]] = []
        self.marked: list[str] = []
        self._texts: list[str] = []
        self._open: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        if tag not in ("meta", "path", "circle"):
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(tag, name, value or "") for name, value in attrs]

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" not in self._open:
            self._texts.append(data)
        if "mark" in self._open:
            self.marked.append(data)

    @property
    def text(self) -> str:
        return " ".join("".join(self._texts).split())

    @property
    def is_balanced(self) -> bool:
        return not self._open
