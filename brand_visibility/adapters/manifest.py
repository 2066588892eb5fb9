"""A day's manifest: every file that belongs to it, with what a reader can check it by.

Written last and whole: where it stands, the day is published. It holds no time and no
place of its own, so that the same files give the same manifest.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from brand_visibility.adapters.lake.files import Lake
from brand_visibility.adapters.lake.schemas import (
    CORE_STANCE_JUDGEMENTS,
    DATASETS,
    DATE,
    PLATFORM,
    QUERY_PLAN,
    Dataset,
)
from brand_visibility.adapters.reading_rows import READ_DATASETS
from brand_visibility.adapters.whole_files import whole_file
from brand_visibility.domain.errors import InputError
from brand_visibility.domain.night import DayState

MANIFEST_FOLDER = "_manifest"
MANIFEST_FILE = "manifest.json"

# A judge is asked beside the publication, which waits for nobody's opinion of it.
_BESIDE = frozenset({CORE_STANCE_JUDGEMENTS.name})
PUBLISHED: tuple[Dataset, ...] = tuple(one for one in DATASETS if one.name not in _BESIDE)

_FIGURES_PREFIX = "out_"

Document = dict[str, Any]


def manifest_path(lake: Lake, plan_date: date) -> Path:
    """Return where a day's manifest lies."""
    return lake.root / MANIFEST_FOLDER / f"{DATE}={plan_date}" / MANIFEST_FILE


def build_manifest(lake: Lake, plan_date: date, state: DayState) -> Document:
    """Return the manifest of what a day has in the lake now."""
    day = plan_date.isoformat()
    figures = [one for one in PUBLISHED if one.name.startswith(_FIGURES_PREFIX)]
    return {
        "plan_date": day,
        "day_state": state.value,
        "catalog_versions": _values(lake, [QUERY_PLAN], day, "catalog_version"),
        "reader_versions": _values(lake, READ_DATASETS, day, "reader_version"),
        "gazetteer_hashes": _values(lake, READ_DATASETS, day, "gazetteer_hash"),
        "measure_versions": _values(lake, figures, day, "measure_version"),
        "datasets": {one.name: _dataset(lake, one, day) for one in PUBLISHED},
    }


def write_manifest(lake: Lake, document: Mapping[str, Any]) -> Path:
    """Write a manifest as a whole, and return its path."""
    path = manifest_path(lake, date.fromisoformat(document["plan_date"]))
    path.parent.mkdir(parents=True, exist_ok=True)
    with whole_file(path) as temporary:
        temporary.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    return path


def read_manifest(lake: Lake, plan_date: date) -> Document:
    """Return a day's manifest. Raises InputError when the day has none, or no readable one."""
    path = manifest_path(lake, plan_date)
    try:
        document: Document = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise InputError(f"{path}: no such file; expected the manifest of {plan_date}") from error
    except ValueError as error:
        raise InputError(f"{path}: no JSON ({error}); expected a manifest") from error
    return document


def find_differences(lake: Lake, plan_date: date) -> tuple[str, ...]:
    """Hold a day's files against its manifest and return what differs, in words.

    Raises InputError when the day has no manifest.
    """
    published = read_manifest(lake, plan_date)
    found = build_manifest(lake, plan_date, DayState(published["day_state"]))
    differences = list(_file_differences(_files(published), _files(found)))
    versions = (name for name in found if name.endswith(("_versions", "_hashes")))
    differences += [
        f"{name}: found {found[name]}; published with {published[name]}"
        for name in versions
        if found[name] != published[name]
    ]
    return tuple(differences)


def _dataset(lake: Lake, dataset: Dataset, day: str) -> Document:
    files = [_file(lake, path) for path in _paths(lake, dataset, day)]
    return {
        "schema_version": (dataset.schema.metadata or {})[b"schema_version"].decode(),
        "row_count": sum(one["row_count"] for one in files),
        "files": files,
    }


def _file(lake: Lake, path: Path) -> Document:
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return {
        "path": path.relative_to(lake.root).as_posix(),
        "row_count": pq.read_metadata(path).num_rows,
        "bytes": path.stat().st_size,
        "sha256": digest,
    }


def _partitions(lake: Lake, dataset: Dataset, day: str) -> list[dict[str, str]]:
    if PLATFORM not in dataset.partition_keys:
        return [{DATE: day}]
    return [{DATE: day, PLATFORM: name} for name in lake.platforms_of(dataset, day)]


def _paths(lake: Lake, dataset: Dataset, day: str) -> Iterator[Path]:
    for partition in _partitions(lake, dataset, day):
        yield from lake.files(dataset, partition)


def _values(lake: Lake, datasets: Iterable[Dataset], day: str, column: str) -> list[str]:
    """Return the distinct values that a column has in a day's rows, in order."""
    found: set[str] = set()
    for dataset in datasets:
        if column not in dataset.schema.names:
            continue
        for partition in _partitions(lake, dataset, day):
            values = lake.read(dataset, partition, [column])[column].unique()
            found.update(value for value in values.to_pylist() if value is not None)
    return sorted(found)


def _files(document: Document) -> dict[str, Document]:
    return {
        file["path"]: file for dataset in document["datasets"].values() for file in dataset["files"]
    }


def _file_differences(
    published: Mapping[str, Document], found: Mapping[str, Document]
) -> Iterator[str]:
    for path in sorted(published.keys() | found.keys()):
        if path not in found:
            yield f"{path}: found no such file; it was published"
        elif path not in published:
            yield f"{path}: found a file that was not published"
        elif found[path] != published[path]:
            yield (
                f"{path}: found {found[path]['row_count']} rows, sha256 {found[path]['sha256']};"
                f" published with {published[path]['row_count']} rows,"
                f" sha256 {published[path]['sha256']}"
            )
