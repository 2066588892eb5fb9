"""`out_manifest`: the day's last word, what belongs to it and whether that may change."""

from datetime import date

import dagster as dg

from assets.failures import as_dagster_failure
from assets.out_figures import FIGURE_NAMES, FOLLOWS_ITS_PLATFORMS
from assets.partitions import Partitions
from brand_visibility.adapters.manifest import build_manifest, write_manifest
from brand_visibility.adapters.stored_day import StoredDay
from resources.lake import LakeResource
from resources.night import NightResource


def build_out_manifest(partitions: Partitions) -> dg.AssetsDefinition:
    """Return the asset."""

    @dg.asset(
        partitions_def=partitions.per_day,
        deps=[*FIGURE_NAMES, "out_day_report"],
        group_name="figures",
        kinds={"json"},
        automation_condition=FOLLOWS_ITS_PLATFORMS,
    )
    def out_manifest(
        context: dg.AssetExecutionContext, lake: LakeResource, night: NightResource
    ) -> dg.MaterializeResult[None]:
        """Every file of the day with rows and checksum, written when all the rest is there."""
        with as_dagster_failure():
            plan_date = date.fromisoformat(context.partition_key)
            opened = lake.open()
            is_over = night.times.is_over(plan_date, night.now())
            state = StoredDay(opened, plan_date).state(is_over=is_over)
            document = build_manifest(opened, plan_date, state)
            path = write_manifest(opened, document)
        return dg.MaterializeResult(
            metadata={
                "day_state": state.value,
                "files": sum(len(one["files"]) for one in document["datasets"].values()),
                "path": dg.MetadataValue.path(str(path)),
            }
        )

    return out_manifest
