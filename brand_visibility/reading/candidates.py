"""Candidates: the places in a page that are written like a name or a decoy.

Whether a candidate counts belongs to `policy`, which of overlapping ones to `resolution`.
"""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from brand_visibility.reading.boundaries import Fit, find_joints, fit
from brand_visibility.reading.folding import fold_keeping_case
from brand_visibility.reading.gazetteer import Gazetteer, Name, Pattern, Target
from brand_visibility.reading.page import Page
from brand_visibility.reading.paths import is_in_path
from brand_visibility.reading.spellings import is_exact, shows_its_words
from brand_visibility.reading.view import Range

_CURRENCIES = frozenset("$€£¥")


class Candidate(NamedTuple):
    """A name found at the folded range `[start, end)`, the raw range `raw`.

    `is_cased` says whether it is written in the case that the name asks for.
    """

    start: int
    end: int
    raw: Range
    surface: str
    name: Name
    is_cased: bool


@dataclass(frozen=True, slots=True)
class Found:
    """What one tenant has in a page, in order of place. Decoys are folded ranges."""

    candidates: list[Candidate]
    decoys: list[Range]


def find_candidates(page: Page, gazetteer: Gazetteer) -> list[Found]:
    """Return what was found for each tenant that has a candidate.

    Tenants are kept apart so that adding one never changes what another is told.
    """
    candidates: dict[str, list[Candidate]] = defaultdict(list)
    decoys: list[tuple[Range, frozenset[str | None]]] = []
    patterns = gazetteer.patterns
    places = gazetteer.find(page.folded, overlapping=True)
    joints = find_joints(page, places, patterns)
    for index, start, end in places:
        pattern = patterns[index]
        how = fit(page, start, end, pattern, joints)
        if how is Fit.WITHIN:
            continue
        if pattern.decoy_for and how is Fit.APART:
            decoys.append(((start, end), pattern.decoy_for))
        for candidate in _candidates(page, (start, end), pattern, how):
            candidates[candidate.name.brand.tenant_id].append(candidate)
    return [
        Found(found, [place for place, owners in decoys if owners & {None, tenant_id}])
        for tenant_id, found in candidates.items()
    ]


def _candidates(page: Page, place: Range, pattern: Pattern, how: Fit) -> Iterator[Candidate]:
    if not pattern.targets:
        return
    raw = page.raw_range(*place)
    if raw is None or _is_inside_domain(page, raw) or is_in_path(page.folded, *place):
        return
    surface = page.raw[raw[0] : raw[1]]
    for target in pattern.targets:
        if how is Fit.PLURAL and target.name.needs_case:
            continue
        candidate = _candidate(page, place, raw, surface, target)
        if candidate is not None:
            yield candidate


def _candidate(
    page: Page, place: Range, raw: Range, surface: str, target: Target
) -> Candidate | None:
    name, spelling = target.name, target.spelling
    if target.is_plain:
        return Candidate(*place, raw, surface, name, is_cased=True)
    is_cased = True
    if name.needs_case or spelling.seams or spelling.needs_capital:
        cased = fold_keeping_case(page.viewed(*place))
        if not shows_its_words(cased, spelling, name.cased):
            return None
        is_cased = (
            not name.needs_case
            or is_exact(cased, name.cased)
            or (name.may_shout and cased.isupper() and page.is_in_capitals(*place))
        )
    if name.is_quantity and page.folded[place[0] - 1 : place[0]] in _CURRENCIES:
        return None
    return Candidate(*place, raw, surface, name, is_cased)


def _is_inside_domain(page: Page, raw: Range) -> bool:
    """Whether the place is a part of a bare domain, and not the whole of it."""
    domains = page.view.domains
    index = bisect_right(domains, (raw[1], 0)) - 1
    if index < 0:
        return False
    start, end = domains[index]
    return start < raw[1] and raw[0] < end and not (raw[0] <= start and end <= raw[1])
