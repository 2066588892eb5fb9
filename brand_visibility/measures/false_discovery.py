"""How many of the findings of many tests are false."""

import numpy as np

from brand_visibility.measures.intervals import FloatArray


def q_values(p_values: FloatArray) -> FloatArray:
    """Return the Benjamini-Hochberg q value of each p value, NaN where that is unknown.

    q of the i-th smallest of m is the smallest p(j) · m / j for j ≥ i. Of the tests with
    q ≤ 0.1, at most a tenth are false on average, also when tests lean the same way:
    Benjamini, Y. and Hochberg, Y. (1995), "Controlling the false discovery rate", Journal
    of the Royal Statistical Society B 57, 289-300. The order of the tests has no say.
    """
    found = np.full(len(p_values), np.nan)
    known = np.flatnonzero(~np.isnan(p_values))
    order = known[np.argsort(p_values[known], kind="stable")]
    ranks = np.arange(1, len(order) + 1)
    scaled = p_values[order] * len(order) / ranks
    found[order] = np.minimum(np.minimum.accumulate(scaled[::-1])[::-1], 1.0)
    return found
