"""`out_day_report`: one page for a day, as people read it."""

from datetime import date

import dagster as dg

from assets.failures import as_dagster_failure
from assets.out_figures import FOLLOWS_ITS_PLATFORMS
from assets.partitions import Partitions
from brand_visibility.adapters.day_reports import read_day_report, write_page
from brand_visibility.adapters.stored_day import StoredDay
from brand_visibility.reporting.page import render_day_page
from resources.catalog import CatalogResource
from resources.lake import LakeResource


def build_out_day_report(partitions: Partitions) -> dg.AssetsDefinition:
    """Return the asset."""

    @dg.asset(
        partitions_def=partitions.per_day,
        deps=["out_visibility_daily", "out_share_of_voice_daily"],
        group_name="figures",
        kinds={"html"},
        automation_condition=FOLLOWS_ITS_PLATFORMS,
    )
    def out_day_report(
        context: dg.AssetExecutionContext, catalog: CatalogResource, lake: LakeResource
    ) -> dg.MaterializeResult[None]:
        """The day's page: brands by platform with intervals, coverage, and sample answers."""
        with as_dagster_failure():
            plan_date = date.fromisoformat(context.partition_key)
            day = StoredDay(lake.open(), plan_date)
            report = read_day_report(day, catalog.load_unchecked())
            page = render_day_page(report.summary, report.samples)
            path = write_page(lake.report_folder, plan_date, page)
        return dg.MaterializeResult(
            metadata={
                "planned": report.summary.planned_count,
                "answered": report.summary.answered_count,
                "page": dg.MetadataValue.path(str(path)),
            }
        )

    return out_day_report
