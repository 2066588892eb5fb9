"""Policy: whether a candidate counts by what its alias asks for."""

import re
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


_FOOD = re.compile(
    r"(?:[吃喝削啃嚼咬榨切摘][了过着]?[一两三几半]?[个颗块口杯些点只片]?"
    r"|\b(?:eat|eats|eating|ate|eaten|peel|bite)(?: (?:a|an|the|some|into|of)){0,2} )\Z"
)
_FOOD_REACH = 20
_HEADING = re.compile(r"[ >]{0,9}#{1,6} ")
_WORD = re.compile(r"[^\W\d_]{4,}")
_GOES_ON = re.compile(r" (?!(?:vs|versus|and|or)\b)[a-z]")
_LONGEST_HEADING = 200
_FEWEST_WORDS = 3


def is_mistakable(page: Page, candidate: Candidate) -> bool:
    """Whether a guarded name reads as an everyday word, whoever is named beside it.

    It is eaten or drunk, or goes on into a phrase of a heading whose words all have
    capitals: "Zoom In on What Your Customers Say".
    """
    text, start = page.folded, candidate.start
    if _FOOD.search(text, max(0, start - _FOOD_REACH), start):
        return True
    return _GOES_ON.match(text, candidate.end) is not None and _is_in_title(page, candidate)


def _is_in_title(page: Page, candidate: Candidate) -> bool:
    text = page.folded
    first = text.rfind("\n", max(0, candidate.start - _LONGEST_HEADING), candidate.start) + 1
    if not _HEADING.match(text, first):
        return False
    stop = text.find("\n", candidate.end, candidate.end + _LONGEST_HEADING)
    last = min(len(text), candidate.end + _LONGEST_HEADING) if stop < 0 else stop
    words = _WORD.findall(page.viewed(first, last))
    return len(words) >= _FEWEST_WORDS and all(word[0].isupper() for word in words)


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
