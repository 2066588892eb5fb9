"""How finds are held against gold: right, wrong and missed, and the rates of them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from brand_visibility.reading.mentions import Mention


class Place(NamedTuple):
    """A brand at the code points `[start, end)` of a text."""

    brand_id: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Score:
    """Counts of finds. `exact` are the right ones that begin and end where gold does."""

    right: int = 0
    wrong: int = 0
    missed: int = 0
    exact: int = 0

    def __add__(self, other: "Score") -> "Score":
        return Score(
            self.right + other.right,
            self.wrong + other.wrong,
            self.missed + other.missed,
            self.exact + other.exact,
        )

    @property
    def precision(self) -> float:
        """Share of the finds that are right; 1 when nothing was found."""
        return _share(self.right, self.right + self.wrong)

    @property
    def recall(self) -> float:
        """Share of gold that was found; 1 when there is none."""
        return _share(self.right, self.right + self.missed)

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall; 1 when there was nothing to do."""
        return _share(2 * self.right, 2 * self.right + self.wrong + self.missed)


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 1.0


def score(gold: Iterable[Place], found: Iterable[Place]) -> Score:
    """Return how finds compare with gold.

    A find is right when it names the brand of a gold place that it overlaps; each gold
    place is found once, and what finds it a second time is wrong.
    """
    left = sorted(gold, key=lambda place: place.start)
    right = wrong = exact = 0
    for place in sorted(found, key=lambda place: place.start):
        partner = _partner(left, place)
        if partner is None:
            wrong += 1
            continue
        left.remove(partner)
        right += 1
        exact += partner == place
    return Score(right, wrong, len(left), exact)


def _partner(gold: Sequence[Place], found: Place) -> Place | None:
    overlapping = (
        place
        for place in gold
        if place.brand_id == found.brand_id and place.start < found.end and found.start < place.end
    )
    return next(overlapping, None)


def places(mentions: Iterable[Mention]) -> list[Place]:
    """Return where mentions stand."""
    return [Place(one.brand_id, one.start_offset, one.end_offset) for one in mentions]


def total(scores: Iterable[Score]) -> Score:
    """Return the sum of scores."""
    return sum(scores, Score())
