"""`out_visibility_daily` and `out_share_of_voice_daily`: a day's figures, all platforms.

They count what is there: a platform without answers has coverage 0 and no rate. What was
imported has rows of its own, under its channel.
"""

from datetime import date

import dagster as dg
import pyarrow as pa

from assets.failures import as_dagster_failure
from assets.partitions import Partitions
from brand_visibility.adapters.figure_files import Measure, store_figures
from brand_visibility.adapters.lake.schemas import (
    DATE,
    OUT_SHARE_OF_VOICE_DAILY,
    OUT_VISIBILITY_DAILY,
    Dataset,
)
from brand_visibility.measures.share_of_voice import share_of_voice_daily
from brand_visibility.measures.visibility import visibility_daily
from resources.lake import LakeResource

# As soon as every platform of a day has been read, whatever the day: eager() alone would
# leave a past day that is filled in, and a night that ends after midnight, without figures.
FOLLOWS_ITS_PLATFORMS = dg.AutomationCondition.eager().without(
    dg.AutomationCondition.in_latest_time_window()
)


def build_out_figures(partitions: Partitions) -> list[dg.AssetsDefinition]:
    """Return the assets."""
    return [
        _build_figures(
            partitions,
            OUT_VISIBILITY_DAILY,
            visibility_daily,
            "How often each brand is mentioned, by topic and platform, with its 95 % interval"
            " and its coverage.",
        ),
        _build_figures(
            partitions,
            OUT_SHARE_OF_VOICE_DAILY,
            share_of_voice_daily,
            "Each brand's share among the brands of its topic, by answers and by counts.",
        ),
    ]


def _build_figures(
    partitions: Partitions,
    dataset: Dataset,
    measure: Measure,
    description: str,
) -> dg.AssetsDefinition:
    platforms_of_the_day = dg.MultiToSingleDimensionPartitionMapping(partition_dimension_name=DATE)

    @dg.asset(
        name=dataset.name,
        description=description,
        partitions_def=partitions.per_day,
        deps=[dg.AssetDep("core_mentions", partition_mapping=platforms_of_the_day)],
        group_name="figures",
        kinds={"parquet"},
        automation_condition=FOLLOWS_ITS_PLATFORMS,
    )
    def figures(
        context: dg.AssetExecutionContext, lake: LakeResource
    ) -> dg.MaterializeResult[None]:
        with as_dagster_failure():
            plan_date = date.fromisoformat(context.partition_key)
            stored = store_figures(lake.open(), dataset, plan_date, measure)
        return dg.MaterializeResult(
            metadata={
                "dagster/row_count": stored.asked.num_rows + stored.imported.num_rows,
                "platforms": dg.MetadataValue.json(_platforms(stored.asked)),
                "imported_platforms": dg.MetadataValue.json(_platforms(stored.imported)),
                "path": dg.MetadataValue.path(str(stored.path)),
            }
        )

    return figures


def _platforms(table: pa.Table) -> list[str]:
    return sorted(set(table["platform_id"].to_pylist()))
