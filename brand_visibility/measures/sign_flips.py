"""Whether paired differences lean to one side more than chance would make them.

What is paired, and what follows from it, belongs to `changes`.
"""

import math

import numpy as np
import numpy.typing as npt

from brand_visibility.measures.intervals import FloatArray

# Every share of up to six answers, and every difference of two such shares with equal
# numbers of answers, is a whole number of steps.
_STEPS = 60
# Cosines per test beyond which the normal approximation is as good, and far cheaper.
_EXACT_WORK = 400_000


def sign_flip_p_value(differences: FloatArray) -> float:
    """Return the two-sided p value of a paired randomisation test of the mean difference.

    If nothing has changed, each difference is as likely as its opposite. The p value is
    the share of all 2^n choices of signs whose sum is at least as far from 0: Fisher, R.
    (1935), "The design of experiments", section 21. With one answer a question it is
    McNemar's exact test. The shares are counted, not drawn: the sum's distribution is the
    inverse transform of its characteristic function, Π cos(k t). Differences are rounded
    to sixtieths of the largest for it. Many different ones are judged by the normal
    distribution with a correction for continuity instead.
    """
    # A rounding error is no difference.
    largest = float(np.abs(differences).max(initial=0.0))
    if largest < 1e-9:
        return 1.0
    steps = np.rint(differences / largest * _STEPS).astype(np.int64)
    sizes, counts = np.unique(np.abs(steps[steps != 0]), return_counts=True)
    unit = int(np.gcd.reduce(sizes))
    sizes, observed = sizes // unit, abs(int(steps.sum())) // unit
    longest = int(sizes @ counts)
    if longest * len(sizes) <= _EXACT_WORK:
        return _exact(sizes, counts, observed, longest)
    return _by_normal(differences, unit / _STEPS * largest)


def _by_normal(differences: FloatArray, unit: float) -> float:
    # The sum moves in steps of two units.
    distance = max(abs(float(differences.sum())) - unit, 0.0)
    return math.erfc(distance / math.sqrt(2 * float((differences**2).sum())))


def _exact(
    sizes: npt.NDArray[np.int64], counts: npt.NDArray[np.int64], observed: int, longest: int
) -> float:
    """Return P(|Σ ± size| ≥ observed), both tails of a symmetric distribution.

    The sum has the parity of `longest`, so it is counted in steps of two.
    """
    length = longest + 1
    angles = np.pi * np.arange(length) / length
    # (1 + e^(-2ikt)) / 2 for each size k: the number of plus signs, in steps of two.
    terms = (1 + np.exp(-2j * np.outer(sizes, angles))) / 2
    masses = np.fft.ifft(np.prod(terms ** counts[:, None], axis=0)).real
    first = -(-(longest + observed) // 2)
    tail = float(masses[first:].sum()) if observed else 0.5
    # The transform is exact to about 1e-15: no p value may claim more, nor be 0.
    floor = max(2.0 ** (1 - int(counts.sum())), 1e-13)
    return min(1.0, max(2 * tail, floor))
