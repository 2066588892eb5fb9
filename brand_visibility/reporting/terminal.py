"""The day as tables for a terminal or a pipe.

Only the headline (questions that name no brand) is here; the page holds the rest. Text
from outside goes in as `Text`, never as rich markup, which would interpret it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich import box
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table
from rich.text import Text

from brand_visibility.measures.coverage import PlatformCoverage
from brand_visibility.measures.visibility import SMALL_SAMPLE
from brand_visibility.reporting import figures
from brand_visibility.reporting.day_summary import (
    Cell,
    DaySummary,
    PlatformColumn,
    TopicTable,
)

_LONGEST_BRAND = 24
_LONGEST_PLATFORM = 40
# A rate, its interval and the mark (`>99.9 % [98.4–100.0]`), a share, and their padding.
_PLATFORM_WIDTH = 29
_RATE_WIDTH, _SHARE_WIDTH = 20, 5
_LEGEND = (
    "Mention rate with its 95 % interval over questions; share: share of voice by answers. "
    f"{figures.UNKNOWN} no valid answer, so not known (it is not 0 %); blank: not planned. "
    f"{figures.SMALL_SAMPLE_MARK} fewer than {SMALL_SAMPLE} questions: read with care. "
    "Refused: by the model or a filter of the platform, which is a result and no failure."
)


@dataclass(frozen=True, slots=True)
class DayReport:
    """A rich renderable of one day. Fits any width by splitting platforms over tables."""

    summary: DaySummary

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield _headline(self.summary)
        for note in self.summary.notes:
            yield Text(note, style="yellow")
        for table in self.summary.headline_tables:
            yield from _topic_tables(self.summary, table, options.max_width)
        yield _collection_table(self.summary)
        if self.summary.imports:
            yield _import_table(self.summary)
        yield Text(_LEGEND, style="dim")


def _headline(summary: DaySummary) -> Text:
    answered, planned = figures.count(summary.answered_count), figures.count(summary.planned_count)
    return Text.assemble(
        (f"Brand visibility {summary.plan_date.isoformat()}", "bold"),
        f": {answered} of {planned} planned answers ({figures.coverage(summary.coverage_rate)})",
    )


def _collection_table(summary: DaySummary) -> Table:
    table = _table("Collection")
    table.add_column("platform", overflow="ellipsis", no_wrap=True, max_width=_LONGEST_PLATFORM)
    for header in ("planned", "answered", "refused", "failed", "open", "coverage"):
        table.add_column(header, justify="right", no_wrap=True)
    table.add_column("why there is no answer", overflow="fold")
    labels = {(c.platform_id, c.channel): _column_label(c) for c in summary.platforms}
    for item in summary.coverage:
        counts = (
            item.planned_count,
            item.answered_count,
            item.refused_count,
            item.failed_count,
            item.open_count,
        )
        table.add_row(
            Text(labels[item.platform_id, item.channel]),
            *(figures.count(value) for value in counts),
            figures.coverage(item.coverage_rate),
            Text(_reasons(item)),
        )
    return table


def _import_table(summary: DaySummary) -> Table:
    table = _table("Imported from apps")
    table.add_column("platform", overflow="ellipsis", no_wrap=True, max_width=_LONGEST_PLATFORM)
    for header in ("answers", "questions"):
        table.add_column(header, justify="right", no_wrap=True)
    for item in summary.imports:
        counts = (figures.count(item.answer_count), figures.count(item.question_count))
        table.add_row(Text(item.platform_id), *counts)
    return table


def _column_label(column: PlatformColumn) -> str:
    return f"{column.label} (simulated)" if column.is_simulated else column.label


def _reasons(item: PlatformCoverage) -> str:
    return ", ".join(
        f"{figures.phrase(failure.reason)} {figures.count(failure.count)}"
        for failure in item.failures
    )


def _topic_tables(summary: DaySummary, table: TopicTable, width: int) -> Iterator[Table]:
    names = [row.name for row in table.rows]
    brand_width = min(_LONGEST_BRAND, max(map(cell_len, names), default=0)) + 3
    step = max(1, (width - brand_width) // _PLATFORM_WIDTH)
    for first in range(0, len(summary.platforms), step):
        yield _topic_table(summary, table, range(first, min(first + step, len(summary.platforms))))


def _topic_table(summary: DaySummary, table: TopicTable, places: Sequence[int]) -> Table:
    title = f"{table.tenant}: {table.topic}" if summary.tenant_count > 1 else table.topic
    grid = _table(title)
    grid.add_column("\nbrand", overflow="ellipsis", no_wrap=True, max_width=_LONGEST_BRAND)
    for place in places:
        label = Text(f"{summary.platforms[place].label}\nmention rate")
        grid.add_column(label, overflow="ellipsis", no_wrap=True, width=_RATE_WIDTH)
        grid.add_column("\nshare", justify="right", no_wrap=True, width=_SHARE_WIDTH)
    for row in table.rows:
        cells = (_cell_texts(row.cells[place]) for place in places)
        grid.add_row(Text(row.name), *(text for pair in cells for text in pair))
    return grid


def _table(title: str) -> Table:
    return Table(
        title=Text(title, style="bold"),
        title_justify="left",
        box=box.SIMPLE_HEAD,
        pad_edge=False,
        padding=(0, 1, 0, 0),
    )


def _cell_texts(cell: Cell) -> tuple[Text, Text]:
    if cell.visibility is None:
        return Text(), Text()
    rate = cell.visibility.mention_rate
    share = figures.percent(cell.voice.by_answers) if cell.voice else ""
    if rate is None:
        return Text(figures.UNKNOWN), Text(share)
    is_small = cell.visibility.is_small_sample
    mark = figures.SMALL_SAMPLE_MARK if is_small else ""
    style = "bright_black" if is_small else ""
    low, high = cell.visibility.low, cell.visibility.high
    decimals = figures.decimals_for(low, high)
    bounds = figures.interval(low, high, decimals)
    written = f"{figures.percent(rate, decimals):>6} {bounds}{mark}"
    return Text(written, style), Text(share, style)
