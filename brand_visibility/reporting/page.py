"""The day as one self-contained HTML page.

Markup and styles live in `templates`; this module decides what is shown and how much of
it. The page runs no script and loads nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined

from brand_visibility.measures.visibility import SMALL_SAMPLE
from brand_visibility.reporting import figures
from brand_visibility.reporting.day_summary import BrandRow, DaySummary, PlatformColumn, TopicTable
from brand_visibility.reporting.plain_text import shortened
from brand_visibility.reporting.samples import Excerpt, SampleAnswer, excerpt

_MOST_ROWS = 50
# A cell with its bar, or a name of the longest sort, is about half a kilobyte: the page
# stays below a megabyte.
_MOST_CELLS = 1_200
_MOST_SAMPLES = 12
_LONGEST_PROMPT = 200
_LONGEST_SOURCE = 60


@dataclass(frozen=True, slots=True)
class TableView:
    """A topic's table as shown; `hidden_count` rows are left to the dataset."""

    anchor: str
    table: TopicTable
    rows: tuple[BrandRow, ...]

    @property
    def hidden_count(self) -> int:
        """Brands that are measured but not shown."""
        return len(self.table.rows) - len(self.rows)

    @property
    def has_voice(self) -> bool:
        """Whether any cell holds a share of voice."""
        return any(cell.voice for row in self.rows for cell in row.cells)


@dataclass(frozen=True, slots=True)
class SampleView:
    """A sample answer as shown."""

    source: str
    prompt: str
    excerpt: Excerpt


def render_day_page(summary: DaySummary, samples: Sequence[SampleAnswer] = ()) -> str:
    """Return the page as text to be written as UTF-8. The same day gives the same page.

    Long tables and long days are cut, and the page says so: it stays below a megabyte
    whatever the number of brands.
    """
    views = _shown_tables(summary)
    return (
        _environment()
        .get_template("day.html.j2")
        .render(
            summary=summary,
            headline_views=[view for view in views if view.table.is_headline],
            named_views=[view for view in views if not view.table.is_headline],
            hidden_table_count=len(summary.tables) - len(views),
            samples=[_sample_view(sample) for sample in samples[:_MOST_SAMPLES]],
            simulated=[column.label for column in summary.platforms if column.is_simulated],
            silent=_silent_platforms(summary),
            small_sample=SMALL_SAMPLE,
        )
    )


def _shown_tables(summary: DaySummary) -> list[TableView]:
    rows_left = _MOST_CELLS // (1 + len(summary.platforms))
    views: list[TableView] = []
    for number, table in enumerate(summary.tables, start=1):
        rows = table.rows[: min(_MOST_ROWS, rows_left)]
        if not rows:
            break
        rows_left -= len(rows)
        views.append(TableView(f"table-{number}", table, rows))
    return views


def _sample_view(sample: SampleAnswer) -> SampleView:
    column = PlatformColumn(sample.platform_id, sample.channel)
    return SampleView(
        source=shortened(column.label, _LONGEST_SOURCE),
        prompt=shortened(sample.prompt, _LONGEST_PROMPT),
        excerpt=excerpt(sample),
    )


def _silent_platforms(summary: DaySummary) -> list[str]:
    silent = {
        (item.platform_id, item.channel) for item in summary.coverage if not item.answered_count
    }
    return [c.label for c in summary.platforms if (c.platform_id, c.channel) in silent]


def _position(rate: float) -> str:
    """Write a rate as a coordinate on a bar from 0 to 100."""
    return f"{rate * 100:.1f}"


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("brand_visibility.reporting"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(
        count=figures.count,
        coverage=figures.coverage,
        kind_phrase=figures.kind_phrase,
        percent=figures.percent,
        phrase=figures.phrase,
        position=_position,
    )
    environment.globals.update(
        decimals_for=figures.decimals_for,
        interval=figures.interval,
        unknown=figures.UNKNOWN,
    )
    return environment
