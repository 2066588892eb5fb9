"""Which stances are worth a second opinion: a stratified sample of a day.

Everything that the rules call negative, everything that they leave unjudged, and a share
of the rest. What a judge is asked, and how its reply is read, belongs to `judging`.
"""

import hashlib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from brand_visibility.domain.planning import identify
from brand_visibility.reading.stances import Stance


class Stratum(StrEnum):
    """Why a stance is in the sample."""

    NEGATIVE = "negative"
    CONFLICT = "conflict"
    RANDOM = "random"


_STRATA = {Stance.NEGATIVE: Stratum.NEGATIVE, Stance.UNJUDGED: Stratum.CONFLICT}


@dataclass(frozen=True, slots=True)
class Candidate:
    """The stance that the rules read for one brand in one answer."""

    query_id: str
    platform_id: str
    channel: str
    tenant_id: str
    brand_id: str
    stance: Stance
    reader_version: str


@dataclass(frozen=True, slots=True)
class Sampled:
    """A stance to judge. `sampling_rate` is the chance that one of its stratum had."""

    candidate: Candidate
    because: Stratum
    sampling_rate: float


def draw_sample(
    candidates: Iterable[Candidate], *, random_rate: float, at_most: int
) -> tuple[Sampled, ...]:
    """Return the sample of a day's stances, in order of query and brand.

    Which ones are drawn follows from their ids alone: neither order nor batches matter.
    Where more than `at_most` would be drawn, every stratum is thinned in the same
    proportion, so that none is lost for the sake of another. Reads the candidates once
    and keeps only what may be drawn.
    """
    drawn = []
    for candidate in candidates:
        because, lot = _STRATA.get(candidate.stance, Stratum.RANDOM), _lot(candidate)
        if because is not Stratum.RANDOM or lot < random_rate:
            drawn.append((lot, because, candidate))
    sizes = Counter(because for _, because, _ in drawn)
    kept = _thinned(sizes, at_most)
    sample = []
    for stratum, size in sizes.items():
        own = sorted((one for one in drawn if one[1] is stratum), key=lambda one: one[0])
        design = random_rate if stratum is Stratum.RANDOM else 1.0
        rate = design * kept[stratum] / size
        sample += [Sampled(one, stratum, rate) for _, _, one in own[: kept[stratum]]]
    return tuple(sorted(sample, key=_place))


def _lot(candidate: Candidate) -> float:
    """Return a number in [0, 1) that is as good as random, and always the same."""
    name = identify(candidate.query_id, candidate.brand_id).encode()
    return int.from_bytes(hashlib.blake2b(name, digest_size=6).digest(), "big") / 2**48


def _thinned(sizes: Counter[Stratum], at_most: int) -> dict[Stratum, int]:
    """Return how many of each stratum are kept; what rounding leaves goes in their order."""
    total = sizes.total()
    if total <= at_most:
        return dict(sizes)
    kept = {stratum: size * at_most // total for stratum, size in sizes.items()}
    left = at_most - sum(kept.values())
    for stratum in [one for one in Stratum if one in kept][:left]:
        kept[stratum] += 1
    return kept


def _place(sampled: Sampled) -> tuple[str, str]:
    return sampled.candidate.query_id, sampled.candidate.brand_id
