"""The pages that answers lean on, and the answers for which anything was looked up.

What is counted of them belongs to `citations` and `source_domains`.
"""

from dataclasses import dataclass

import pandas as pd

from brand_visibility.domain.outcomes import SearchEvidence
from brand_visibility.measures.frames import narrow, require_columns
from brand_visibility.measures.matching import narrow_plan

# Within a scope, the brands that the tenant has planned for the topic are tracked.
SCOPE = ["tenant_id", "topic_id", "platform_id", "channel"]

# A brand's bare domain in the text is a name, and no page that the answer leans on.
_LEANING = ("cited", "inline", "retrieved")


@dataclass(frozen=True)
class Pages:
    """Distinct pages of answers: `rows` one a page, `owned` one a page and owner."""

    rows: pd.DataFrame
    owned: pd.DataFrame

    @classmethod
    def of(cls, citations: pd.DataFrame) -> "Pages":
        """Return the pages of rows of `core_citations`.

        Raises IncompleteError when a column is missing, or holds nulls that it must not.
        """
        require_columns(citations, "core_citations", ["owner_brand_ids"])
        text = dict.fromkeys(("query_id", "url", "registrable_domain", "role"), "str")
        pages = narrow(citations, "core_citations", text)
        pages["brand_id"] = citations["owner_brand_ids"]
        pages = pages[pages["role"].isin(_LEANING)].drop_duplicates(["query_id", "url"])
        owned = pages[pages["brand_id"].str.len() > 0].explode("brand_id")
        return cls(pages.drop(columns="brand_id"), owned.astype("str"))

    def per_answer(self) -> pd.DataFrame:
        """Return the `url_count` of each answer that has any page."""
        return self.rows.groupby("query_id").size().rename("url_count").reset_index()


def with_retrieval(rows: pd.DataFrame, answers: pd.DataFrame, pages: Pages) -> pd.DataFrame:
    """Return valid answers with their `url_count` and whether `is_observed` holds.

    It holds when the platform says that it searched, or when it does not say and the
    answer has a page.
    """
    require_columns(answers, "raw_answers", ["search"])
    found = rows.merge(answers[["query_id", "search"]], on="query_id").merge(
        pages.per_answer(), on="query_id", how="left"
    )
    url_count = found["url_count"].fillna(0).astype("int64")
    # An address that a model wrote from memory is no sign that anything was looked up.
    has_pages = (url_count > 0) & (found["search"] != SearchEvidence.NOT_SEARCHED.value)
    is_observed = (found["search"] == SearchEvidence.SEARCHED.value) | has_pages
    return found.assign(is_observed=is_observed, url_count=url_count).drop(columns="search")


def tracked_brands(plan: pd.DataFrame) -> pd.DataFrame:
    """Return the brands of each scope, one row each."""
    return narrow_plan(plan)[[*SCOPE, "brand_id"]].drop_duplicates()
