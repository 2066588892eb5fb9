"""`core_mentions`: which brands a platform's stored answers name, and where."""

import dagster as dg

from assets.failures import as_dagster_failure
from assets.partitions import Partitions, platform_day
from brand_visibility.adapters.stored_reading import store_mentions
from brand_visibility.reading.gazetteer import build_gazetteer
from brand_visibility.reading.version import READER_VERSION
from resources.catalog import CatalogResource
from resources.lake import LakeResource


def build_core_mentions(partitions: Partitions) -> dg.AssetsDefinition:
    """Return the asset."""

    @dg.asset(
        partitions_def=partitions.per_platform,
        deps=["raw_answers"],
        group_name="reading",
        kinds={"parquet"},
        code_version=READER_VERSION,
    )
    def core_mentions(
        context: dg.AssetExecutionContext, catalog: CatalogResource, lake: LakeResource
    ) -> dg.MaterializeResult[None]:
        """Every mention of a watched brand in this platform's answers of this day.

        Each has its exact place; suppressed ones are kept with their reason. Imported
        answers are read too, and stay apart by their channel. Reads stored answers only: it
        can be made again for any day without asking anyone.
        """
        part = platform_day(context.partition_key)
        with as_dagster_failure():
            gazetteer = build_gazetteer(*catalog.load_brands())
            stored = store_mentions(lake.open(), part.folder_keys, gazetteer)
        mentions = stored.all()
        suppressed = sum(mentions["is_suppressed"].to_pylist())
        return dg.MaterializeResult(
            metadata={
                "dagster/row_count": mentions.num_rows,
                "mentions": mentions.num_rows - suppressed,
                "suppressed": suppressed,
                "in_imported_answers": stored.imported.num_rows,
                "brands": len(set(mentions["brand_id"].to_pylist())),
                "gazetteer_hash": gazetteer.hash,
                "path": dg.MetadataValue.path(str(stored.path)),
            }
        )

    return core_mentions
