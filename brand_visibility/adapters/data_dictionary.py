"""The data dictionary: every dataset and column of the lake as a page, made from the schemas.

What a column means is written in `schemas`, what a dataset of figures is in `figures`; here
stands only what a dataset of rows is, and how the page looks.
"""

from collections.abc import Iterator, Mapping
from types import MappingProxyType

import pyarrow as pa

from brand_visibility.adapters.figures import FIGURES
from brand_visibility.adapters.lake.schemas import DATASETS, SCHEMA_VERSION, Dataset

_ROWS: Mapping[str, str] = MappingProxyType(
    {
        "query_plan": "What a platform was going to be asked on a day: one row a task.",
        "plan_forecasts": "How long and dear the plan was expected to be: one row an account.",
        "raw_answers": "What the platform said: one row a query that was answered.",
        "failures": "Why there is no answer: one row a query that was not answered.",
        "attempts": "Every call that was made for a query.",
        "imported_answers": "Answers captured in an assistant's app: one row each.",
        "core_mentions": "Every place that names a watched brand, suppressed ones too.",
        "core_ranks": "Where a mentioned brand stands: one row a list, or one.",
        "core_stances": "How an answer stands to a brand: one row each.",
        "core_citations": "The pages that an answer leans on: one row each.",
        "core_stance_judgements": "What a judge says of a sample of stances: one row each.",
    }
)

_HEAD = f"""# Data dictionary

Every dataset under `<home>/lake`, in Parquet, with its columns. Schema version {SCHEMA_VERSION}.

This page is made from the schemas in `brand_visibility/adapters/lake/schemas`; after a change
there, `brand-visibility dictionary > docs/data-dictionary.md` makes it anew. The files carry the
same descriptions as metadata of their fields. `_manifest/date=…/manifest.json` lists a day's files
with rows and checksums; `brand-visibility verify --date …` holds them against it.
"""


def data_dictionary() -> str:
    """Return the page, as Markdown."""
    return "\n".join([_HEAD, *(line for one in DATASETS for line in _section(one))]).strip() + "\n"


def dataset_meanings() -> dict[str, str]:
    """Return what each dataset holds, by its name."""
    return {**_ROWS, **{one.dataset.name: one.meaning for one in FIGURES}}


def _section(dataset: Dataset) -> Iterator[str]:
    yield f"## {dataset.name}"
    yield ""
    yield dataset_meanings()[dataset.name]
    yield ""
    folders = "/".join(f"{key}=…" for key in dataset.partition_keys)
    yield f"`{dataset.name}/{folders}/*.parquet`"
    yield ""
    yield "| column | type | meaning |"
    yield "|---|---|---|"
    for field in dataset.schema:
        meaning = field.metadata[b"description"].decode().replace("|", "\\|")
        yield f"| `{field.name}` | {_type_name(field.type)} | {meaning} |"
    yield ""


def _type_name(kind: pa.DataType) -> str:
    if pa.types.is_list(kind):
        return f"list of {_type_name(kind.value_type)}"
    if pa.types.is_struct(kind):
        inner = ", ".join(f"{field.name}: {_type_name(field.type)}" for field in kind)
        return f"{{{inner}}}"
    return str(kind)
