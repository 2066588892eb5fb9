"""The smallest change that a sample can be expected to show.

Whether a change did happen belongs to `changes`.
"""

from statistics import NormalDist

import numpy as np

from brand_visibility.measures.intervals import FloatArray, wilson_centres


def smallest_detectable_change(
    rates: FloatArray, sizes: FloatArray, *, confidence: float = 0.95, power: float = 0.8
) -> FloatArray:
    """Return the change, as a rate, that a test of two such days finds with this power.

    (z of confidence + z of power) · √(2 p (1 - p) / n), the size of a two-sided comparison
    of two proportions solved for the difference: Cohen, J. (1988), "Statistical power
    analysis for the behavioral sciences", 2nd edition, chapter 6. p is the centre of the
    rate's Wilson interval, so that a rate of 0 does not promise that every change shows.
    NaN where the size is 0.
    """
    normal = NormalDist()
    z = normal.inv_cdf((1 + confidence) / 2) + normal.inv_cdf(power)
    centres = wilson_centres(rates, sizes, confidence)
    known = np.where(sizes > 0, sizes, np.nan)
    return np.minimum(z * np.sqrt(2 * centres * (1 - centres) / known), 1.0)
