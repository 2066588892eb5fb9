"""The datasets of the lake: columns, types and what each column means.

Add a dataset to one of the modules, with a description for every field, and to `DATASETS`.
How files are written and read belongs to `files`; how a column's value is computed belongs
to `measures` or `reading`.
"""

from brand_visibility.adapters.lake.schemas.collected import (
    ATTEMPTS,
    FAILURES,
    IMPORTED_ANSWERS,
    IMPORTED_TASK_FIELDS,
    PLAN_FORECASTS,
    QUERY_PLAN,
    RAW_ANSWERS,
)
from brand_visibility.adapters.lake.schemas.core import (
    CORE_CITATIONS,
    CORE_MENTIONS,
    CORE_RANKS,
    CORE_STANCE_JUDGEMENTS,
    CORE_STANCES,
)
from brand_visibility.adapters.lake.schemas.fields import (
    DATE,
    PLATFORM,
    SCHEMA_VERSION,
    Dataset,
)
from brand_visibility.adapters.lake.schemas.figures import (
    OUT_CHANGES_DAILY,
    OUT_SHARE_OF_VOICE_DAILY,
    OUT_STABILITY_DAILY,
    OUT_VISIBILITY_DAILY,
)
from brand_visibility.adapters.lake.schemas.figures_of_collection import (
    OUT_ACCOUNT_DAILY,
    OUT_COLLECTION_DAILY,
    OUT_FAILURE_DAILY,
)
from brand_visibility.adapters.lake.schemas.figures_of_reading import (
    OUT_CITATION_DAILY,
    OUT_RANK_DAILY,
    OUT_SOURCE_DOMAIN_DAILY,
    OUT_STANCE_DAILY,
)

DATASETS: tuple[Dataset, ...] = (
    QUERY_PLAN,
    PLAN_FORECASTS,
    RAW_ANSWERS,
    FAILURES,
    ATTEMPTS,
    IMPORTED_ANSWERS,
    CORE_MENTIONS,
    CORE_RANKS,
    CORE_STANCES,
    CORE_CITATIONS,
    CORE_STANCE_JUDGEMENTS,
    OUT_VISIBILITY_DAILY,
    OUT_SHARE_OF_VOICE_DAILY,
    OUT_STABILITY_DAILY,
    OUT_CHANGES_DAILY,
    OUT_RANK_DAILY,
    OUT_STANCE_DAILY,
    OUT_CITATION_DAILY,
    OUT_SOURCE_DOMAIN_DAILY,
    OUT_COLLECTION_DAILY,
    OUT_ACCOUNT_DAILY,
    OUT_FAILURE_DAILY,
)

__all__ = [
    "ATTEMPTS",
    "CORE_CITATIONS",
    "CORE_MENTIONS",
    "CORE_RANKS",
    "CORE_STANCES",
    "CORE_STANCE_JUDGEMENTS",
    "DATASETS",
    "DATE",
    "FAILURES",
    "IMPORTED_ANSWERS",
    "IMPORTED_TASK_FIELDS",
    "OUT_ACCOUNT_DAILY",
    "OUT_CHANGES_DAILY",
    "OUT_CITATION_DAILY",
    "OUT_COLLECTION_DAILY",
    "OUT_FAILURE_DAILY",
    "OUT_RANK_DAILY",
    "OUT_SHARE_OF_VOICE_DAILY",
    "OUT_SOURCE_DOMAIN_DAILY",
    "OUT_STABILITY_DAILY",
    "OUT_STANCE_DAILY",
    "OUT_VISIBILITY_DAILY",
    "PLAN_FORECASTS",
    "PLATFORM",
    "QUERY_PLAN",
    "RAW_ANSWERS",
    "SCHEMA_VERSION",
    "Dataset",
]
