"""The public rules: what trackers usually do with a list of names, without their network.

Each takes the aliases as they are, lets the longest win, and knows no policy.
"""

import re
from collections.abc import Callable, Iterator, Mapping

import ahocorasick_rs

from benchmarks.reader.scoring import Place
from brand_visibility.domain.catalog import AliasPolicy
from brand_visibility.reading.gazetteer import Gazetteer

Rule = Callable[[str], list[Place]]


def aliases_of(gazetteer: Gazetteer) -> list[tuple[str, str]]:
    """Return every (brand id, alias) of a gazetteer that may count by itself.

    Those that never do would only harm whoever knows no policy.
    """
    return [
        (brand.brand_id, alias.text)
        for brand in gazetteer.brands
        for alias in brand.aliases
        if alias.policy is not AliasPolicy.COMPOUND_ONLY
    ]


def substring_rule(gazetteer: Gazetteer) -> Rule:
    """Return the rule of `alias in text`, without regard to case."""
    return _by_pattern(gazetteer, "{}")


def word_rule(gazetteer: Gazetteer) -> Rule:
    r"""Return the rule of `\\balias\\b`, without regard to case."""
    return _by_pattern(gazetteer, r"\b(?:{})\b")


def _by_pattern(gazetteer: Gazetteer, template: str) -> Rule:
    brands = _brands(gazetteer)
    longest_first = sorted(brands, key=len, reverse=True)
    pattern = re.compile(template.format("|".join(map(re.escape, longest_first))), re.IGNORECASE)

    def find(text: str) -> list[Place]:
        return [
            Place(brand_id, *found.span())
            for found in pattern.finditer(text)
            for brand_id in brands.get(found[0].lower(), ())
        ]

    return find


def automaton_rule(gazetteer: Gazetteer) -> Rule:
    """Return the rule of one automaton over the small-lettered text, the longest first."""
    brands = _brands(gazetteer)
    names = list(brands)
    automaton = ahocorasick_rs.AhoCorasick(
        names, matchkind=ahocorasick_rs.MatchKind.LeftmostLongest
    )

    def places(text: str) -> Iterator[Place]:
        for index, start, end in automaton.find_matches_as_indexes(text.lower()):
            for brand_id in brands[names[index]]:
                yield Place(brand_id, start, end)

    return lambda text: list(places(text))


def _brands(gazetteer: Gazetteer) -> Mapping[str, list[str]]:
    brands: dict[str, list[str]] = {}
    for brand_id, alias in aliases_of(gazetteer):
        owners = brands.setdefault(alias.lower(), [])
        if brand_id not in owners:
            owners.append(brand_id)
    return brands


PUBLIC_RULES: Mapping[str, Callable[[Gazetteer], Rule]] = {
    "substring": substring_rule,
    "word boundary": word_rule,
    "automaton, longest": automaton_rule,
}
