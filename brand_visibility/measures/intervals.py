"""Intervals of proportions.

Wilson only: Wald covers 65 % instead of 95 % at p = 0.1 and n = 10. What the proportion
is of, and how much its observations depend on one another, belongs to the measures.
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
    z2 = _squared_quantile(confidence)
    known = sizes > 0
    n = np.where(known, sizes, 1.0)
    p = np.where(known, rates, np.nan)
    centre = (p + z2 / (2 * n)) / (1 + z2 / n)
    half = np.sqrt(z2 * (p * (1 - p) + z2 / (4 * n)) / n) / (1 + z2 / n)
    # Rounding may push a bound past the rate or past 0 and 1 by one unit in the last place.
    return np.clip(centre - half, 0.0, p), np.clip(centre + half, p, 1.0)


def wilson_centres(rates: FloatArray, sizes: FloatArray, confidence: float = 0.95) -> FloatArray:
    """Return the middles of many Wilson intervals: the rates, drawn a little towards 1/2."""
    z2 = _squared_quantile(confidence)
    n = np.where(sizes > 0, sizes, np.nan)
    return np.asarray((rates + z2 / (2 * n)) / (1 + z2 / n), dtype=np.float64)


def effective_sizes(
    rates: FloatArray, variances: FloatArray, without_variance: FloatArray
) -> FloatArray:
    """Return how many independent observations would know the rates as well.

    p (1 - p) / variance: Wilson's interval at that size is the interval of a clustered or
    stratified sample. Kott, P. and Carr, D. (1997), "Developing an estimation strategy for
    a pesticide data program", Journal of Official Statistics 13, 367-383; compared with
    others by Dean, N. and Pagano, M. (2015), "Evaluating confidence interval methods for
    binomial proportions in clustered surveys", Journal of Survey Statistics and
    Methodology 3, 484-503.

    A rate of 0 or 1 shows no variance at all: there the size is `without_variance`.
    """
    spread = rates * (1 - rates)
    known = (spread > 0) & (variances > 0)
    return np.where(known, spread / np.where(known, variances, 1.0), without_variance)


def _squared_quantile(confidence: float) -> float:
    if not 0 < confidence < 1:
        raise ValueError(f"confidence: found {confidence}; expected between 0 and 1")
    return float(NormalDist().inv_cdf((1 + confidence) / 2) ** 2)
