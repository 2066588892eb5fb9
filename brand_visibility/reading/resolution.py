"""Resolution: which of overlapping candidates stands, and which fall to a decoy."""

from collections.abc import Iterator, Sequence

from brand_visibility.domain.catalog import AliasPolicy
from brand_visibility.reading.candidates import Candidate
from brand_visibility.reading.view import Range

_TRUST = {AliasPolicy.SAFE: 0, AliasPolicy.GUARDED: 1, AliasPolicy.COMPOUND_ONLY: 2}


def split_by_decoys(
    candidates: Sequence[Candidate], decoys: Sequence[Range]
) -> tuple[list[Candidate], list[Candidate]]:
    """Return the candidates free of decoys, and those that a longer decoy covers.

    A decoy of exactly the same place gives way: 大众点评 is a decoy for 大众 and itself
    a name.
    """
    free: list[Candidate] = []
    covered: list[Candidate] = []
    ordered = iter(sorted(decoys))
    upcoming = next(ordered, None)
    reach: Range = (0, 0)
    for candidate in sorted(candidates, key=lambda candidate: candidate.start):
        while upcoming is not None and upcoming[0] <= candidate.start:
            if upcoming[1] > reach[1]:
                reach = upcoming
            upcoming = next(ordered, None)
        is_covered = reach[1] >= candidate.end and reach != (candidate.start, candidate.end)
        (covered if is_covered else free).append(candidate)
    return free, covered


def resolve(candidates: Sequence[Candidate], decoys: Sequence[Range]) -> list[Candidate]:
    """Return what stands when the leftmost, then the longest wins, decoys included.

    Brands that share an alias all stand in its place, each once.
    """
    standing: list[Candidate] = []
    taken: Range = (-1, -1)
    brands: set[str] = set()
    for place, candidate in _in_order(candidates, decoys):
        if place == taken and candidate is not None:
            if brands and candidate.name.brand.brand_id not in brands:
                standing.append(candidate)
                brands.add(candidate.name.brand.brand_id)
        elif place[0] >= taken[1]:
            taken = place
            brands = set()
            if candidate is not None:
                standing.append(candidate)
                brands.add(candidate.name.brand.brand_id)
    return standing


def _in_order(
    candidates: Sequence[Candidate], decoys: Sequence[Range]
) -> Iterator[tuple[Range, Candidate | None]]:
    """Yield leftmost first, then longest, then the most trusted, decoys last."""
    entries: list[tuple[tuple[int, ...], Range, Candidate | None]] = [
        (
            (
                candidate.start,
                -candidate.end,
                _TRUST[candidate.name.alias.policy],
                candidate.surface != candidate.name.alias.text,
            ),
            (candidate.start, candidate.end),
            candidate,
        )
        for candidate in candidates
    ]
    entries += [((start, -end, len(_TRUST)), (start, end), None) for start, end in decoys]
    for _, place, candidate in sorted(entries, key=lambda entry: entry[0]):
        yield place, candidate
