"""Policy: whether a candidate counts by what its alias asks for."""

from collections.abc import Sequence
from dataclasses import dataclass

from brand_visibility.domain.catalog import AliasPolicy, Brand
from brand_visibility.reading.candidates import Candidate
from brand_visibility.reading.context import has_context
from brand_visibility.reading.mentions import Suppression
from brand_visibility.reading.page import Page


def objection(page: Page, candidate: Candidate) -> Suppression | None:
    """Return why a candidate does not count by itself, None when it does."""
    if not candidate.is_cased:
        return Suppression.CASE
    name = candidate.name
    if name.alias.policy is AliasPolicy.SAFE:
        return None
    if name.alias.policy is AliasPolicy.COMPOUND_ONLY:
        return Suppression.COMPOUND_ONLY
    if has_context(page.folded, (candidate.start, candidate.end), name.context):
        return None
    return Suppression.NO_CONTEXT


@dataclass(frozen=True, slots=True)
class Company:
    """The brands that an answer names beyond doubt, their topics and those of its question.

    In their company a guarded alias counts without a context word of its own.
    """

    brand_ids: frozenset[str]
    topic_ids: frozenset[str]

    def vouches_for(self, brand: Brand) -> bool:
        """Whether the brand itself or a peer of one of its topics is named."""
        return brand.brand_id in self.brand_ids or not self.topic_ids.isdisjoint(brand.topic_ids)


def company(standing: Sequence[Candidate], asked_topic_ids: frozenset[str]) -> Company:
    """Return the company that the safe ones of these candidates make, and the question."""
    brands = [
        candidate.name.brand
        for candidate in standing
        if candidate.name.alias.policy is AliasPolicy.SAFE
    ]
    return Company(
        frozenset(brand.brand_id for brand in brands),
        asked_topic_ids.union(*(brand.topic_ids for brand in brands)),
    )
