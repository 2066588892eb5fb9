"""Intervals of proportions.

Wilson only: Wald covers 65 % instead of 95 % at p = 0.1 and n = 10. What the proportion
is of, and what counts as one observation, belongs to the measures.
"""

from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Interval:
    """Both bounds of an interval, as rates between 0 and 1."""

    low: float
    high: float


def wilson_interval(successes: float, n: int, confidence: float = 0.95) -> Interval | None:
    """Return the Wilson score interval of `successes` out of `n`, or None when n is 0.

    `successes` may be fractional, as the sum over questions of a mean over repeats is;
    the interval then treats the question as the observation and is a little too wide.

    The bounds are the two roots p of (p̂ - p)² = z² p (1 - p) / n: Wilson, E. B. (1927),
    "Probable inference, the law of succession, and statistical inference", Journal of
    the American Statistical Association 22, 209-212.

    Raises ValueError when n is negative, `successes` is outside 0 … n, or `confidence`
    is not strictly between 0 and 1.
    """
    if n < 0:
        raise ValueError(f"n: found {n}; expected 0 or more")
    if not 0 <= successes <= n:
        raise ValueError(f"successes: found {successes}; expected 0 to {n}")
    if n == 0:
        return None
    low, high = wilson_bounds(np.array([successes / n]), np.array([float(n)]), confidence)
    return Interval(float(low[0]), float(high[0]))


def wilson_bounds(
    rates: FloatArray, sizes: FloatArray, confidence: float = 0.95
) -> tuple[FloatArray, FloatArray]:
    """Return the lower and the upper Wilson bounds of many rates (see `wilson_interval`).

    Where a size is 0 both bounds are NaN: nothing was observed, so nothing is known.
    """
    if not 0 < confidence < 1:
        raise ValueError(f"confidence: found {confidence}; expected between 0 and 1")
    z2 = NormalDist().inv_cdf((1 + confidence) / 2) ** 2
    known = sizes > 0
    n = np.where(known, sizes, 1.0)
    p = np.where(known, rates, np.nan)
    centre = (p + z2 / (2 * n)) / (1 + z2 / n)
    half = np.sqrt(z2 * (p * (1 - p) + z2 / (4 * n)) / n) / (1 + z2 / n)
    # Rounding may push a bound past the rate or past 0 and 1 by one unit in the last place.
    return np.clip(centre - half, 0.0, p), np.clip(centre + half, p, 1.0)
