"""What is read from a platform's stored answers: mentions, ranks, stances and citations."""

from collections.abc import Iterator

import dagster as dg
import pyarrow as pa

from assets.failures import as_dagster_failure
from assets.partitions import Partitions, platform_day
from brand_visibility.adapters.gazetteer_files import keep_gazetteer, kept_gazetteer
from brand_visibility.adapters.reading_rows import READ_DATASETS
from brand_visibility.adapters.stored_reading import store_reading
from brand_visibility.reading.gazetteer import Gazetteer, build_gazetteer
from brand_visibility.reading.version import READER_VERSION
from resources.catalog import CatalogResource
from resources.lake import LakeResource

_DESCRIPTIONS = {
    "core_mentions": "Every mention of a watched brand, with its exact place; suppressed ones"
    " are kept with their reason.",
    "core_ranks": "Every mentioned brand: when it comes first, and its place in a list of the"
    " answer where there is one.",
    "core_stances": "How each answer stands to each brand that it mentions, with the words that"
    " say so.",
    "core_citations": "Every page that an answer leans on, how, and whose it is.",
}


class ReadingConfig(dg.Config):
    """With which brands to read.

    `gazetteer_hash` names the kept gazetteer of an earlier reading, as its rows do: what was
    read with it then is read again. Empty takes the catalog as it is now.
    """

    gazetteer_hash: str = ""


def build_reading(partitions: Partitions) -> dg.AssetsDefinition:
    """Return the four assets, which one pass over the answers makes."""

    @dg.multi_asset(
        name="reading",
        specs=[
            dg.AssetSpec(
                dataset.name,
                deps=["raw_answers"],
                description=_DESCRIPTIONS[dataset.name],
                group_name="reading",
                kinds={"parquet"},
                code_version=READER_VERSION,
            )
            for dataset in READ_DATASETS
        ],
        partitions_def=partitions.per_platform,
    )
    def reading(
        context: dg.AssetExecutionContext,
        config: ReadingConfig,
        catalog: CatalogResource,
        lake: LakeResource,
    ) -> Iterator[dg.MaterializeResult[None]]:
        """What this platform's answers of this day say of the watched brands.

        Imported answers are read too, and stay apart by their channel. Reads stored answers
        only: it can be made again for any day without asking anyone.
        """
        part = platform_day(context.partition_key)
        with as_dagster_failure():
            gazetteer = _gazetteer(config, catalog, lake)
            keep_gazetteer(lake.folder, gazetteer)
            stored = store_reading(lake.open(), part.folder_keys, gazetteer)
        for dataset in READ_DATASETS:
            yield dg.MaterializeResult(
                asset_key=dataset.name,
                metadata={
                    **_counts(dataset.name, stored.all(dataset)),
                    "in_imported_answers": stored.imported[dataset.name].num_rows,
                    "gazetteer_hash": gazetteer.hash,
                    "reader_version": READER_VERSION,
                    "path": dg.MetadataValue.path(str(stored.paths[dataset.name])),
                },
            )

    return reading


def _gazetteer(config: ReadingConfig, catalog: CatalogResource, lake: LakeResource) -> Gazetteer:
    if config.gazetteer_hash:
        return kept_gazetteer(lake.folder, config.gazetteer_hash)
    return build_gazetteer(*catalog.load_brands())


def _counts(name: str, rows: pa.Table) -> dict[str, int]:
    counts = {"dagster/row_count": rows.num_rows}
    if name == "core_mentions":
        suppressed = sum(rows["is_suppressed"].to_pylist())
        counts |= {"mentions": rows.num_rows - suppressed, "suppressed": suppressed}
    elif name == "core_ranks":
        counts["ranked"] = rows.num_rows - rows["rank"].null_count
    elif name == "core_stances":
        counts |= _by_value(rows["stance"])
    else:
        counts |= _by_value(rows["role"])
    return counts


def _by_value(column: pa.ChunkedArray) -> dict[str, int]:
    return {item["values"]: item["counts"] for item in column.value_counts().to_pylist()}
