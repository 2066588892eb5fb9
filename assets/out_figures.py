"""The day's figures: every `out_*_daily`, made together from one reading of all platforms.

They count what is there: a platform without answers has coverage 0 and no rate. What was
imported has rows of its own, under its channel. Which figures there are is told in
`adapters.figures`.
"""

from collections.abc import Iterator
from datetime import date

import dagster as dg
import pyarrow as pa

from assets.failures import as_dagster_failure
from assets.partitions import Partitions
from brand_visibility.adapters.figure_files import StoredFigures, store_figures
from brand_visibility.adapters.figures import FIGURES, Figures
from brand_visibility.adapters.lake.schemas import DATE
from brand_visibility.adapters.stored_day import StoredDay
from brand_visibility.domain.night import DayState
from brand_visibility.measures.versions import MEASURES_VERSION
from resources.lake import LakeResource
from resources.night import NightResource

# As soon as every platform of a day has been read, whatever the day: eager() alone would
# leave a past day that is filled in, and a night that ends after midnight, without figures.
FOLLOWS_ITS_PLATFORMS = dg.AutomationCondition.eager().without(
    dg.AutomationCondition.in_latest_time_window()
)

FIGURE_NAMES = tuple(figures.dataset.name for figures in FIGURES)


def build_out_figures(partitions: Partitions) -> dg.AssetsDefinition:
    """Return the assets, which one step makes: a day's figures are all of the same answers."""

    @dg.multi_asset(
        name="figures_of_the_day",
        specs=[_spec(figures) for figures in FIGURES],
        partitions_def=partitions.per_day,
    )
    def figures_of_the_day(
        context: dg.AssetExecutionContext, lake: LakeResource, night: NightResource
    ) -> Iterator[dg.MaterializeResult[None]]:
        """Measure the day's stored answers, one dataset after the other."""
        plan_date = date.fromisoformat(context.partition_key)
        opened = lake.open()
        with as_dagster_failure():
            is_over = night.times.is_over(plan_date, night.now())
            state = StoredDay(opened, plan_date).state(is_over=is_over)
        for figures in FIGURES:
            with as_dagster_failure():
                stored = store_figures(opened, figures, plan_date, state)
            yield dg.MaterializeResult(
                asset_key=figures.dataset.name, metadata=_metadata(stored, state)
            )

    return figures_of_the_day


def _spec(figures: Figures) -> dg.AssetSpec:
    # Whatever the measure reads: figures wait for the reading, which follows the answers.
    platforms_of_the_day = dg.MultiToSingleDimensionPartitionMapping(partition_dimension_name=DATE)
    return dg.AssetSpec(
        figures.dataset.name,
        deps=[dg.AssetDep("core_mentions", partition_mapping=platforms_of_the_day)],
        description=figures.meaning,
        group_name="figures",
        kinds={"parquet"},
        code_version=MEASURES_VERSION,
        automation_condition=FOLLOWS_ITS_PLATFORMS,
    )


def _metadata(stored: StoredFigures, state: DayState) -> dict[str, dg.MetadataValue | str | int]:
    return {
        "dagster/row_count": stored.row_count,
        "day_state": state.value,
        "platforms": dg.MetadataValue.json(_platforms(stored.asked)),
        "imported_platforms": dg.MetadataValue.json(_platforms(stored.imported)),
        "path": dg.MetadataValue.path(str(stored.path)),
    }


def _platforms(table: pa.Table) -> list[str]:
    return sorted(set(table["platform_id"].to_pylist()))
