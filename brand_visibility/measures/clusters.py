"""Ratios over questions whose answers belong together, and how well they are known.

A mean over questions is a ratio whose denominator is 1 for each of them. Which numbers are
divided belongs to the measures.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from brand_visibility.measures.intervals import FloatArray, effective_sizes


def clustered_ratios(values: pd.DataFrame, group: Sequence[str]) -> pd.DataFrame:
    """Return rate, effective size and number of clusters of each group, keyed by `group`.

    `values` has one row for each group and question, in an order of its own, with a
    `numerator` and a `denominator`. The rate is the ratio of their sums, its variance the
    delta method's, over questions as clusters: with e = numerator - rate · denominator, C
    questions with a denominator and D its sum,

        variance = (Σ e² + p (1 - p) (D / C)²) / D² · C / (C + 1)

    (Cochran, W. (1977), "Sampling techniques", 3rd edition, sections 6.3 and 9A.2). The
    second term is one more question that differs as much as any could: without it few
    questions that happen to agree would claim too much, and with one answer a question
    the variance is exactly the binomial one. Where no variance shows, at a rate of 0 or
    1, every question counts as one observation.
    """
    grouped = values.groupby(list(group), sort=True)
    row_group = grouped.ngroup().to_numpy()
    index = grouped.size().index
    numerator = values["numerator"].to_numpy(dtype=np.float64)
    denominator = values["denominator"].to_numpy(dtype=np.float64)

    def summed(numbers: FloatArray) -> FloatArray:
        sums = np.bincount(row_group, weights=numbers, minlength=len(index))
        return np.asarray(sums, dtype=np.float64)

    count = summed((denominator > 0).astype(np.float64))
    known = count > 0
    total = np.where(known, summed(denominator), np.nan)
    rate = summed(numerator) / total
    squares = summed((numerator - rate[row_group] * denominator) ** 2)
    spread = rate * (1 - rate)
    pseudo = spread * (total / np.where(known, count, np.nan)) ** 2
    variance = (squares + pseudo) / total**2 * count / (count + 1)
    sizes = effective_sizes(rate, variance, count)
    return pd.DataFrame({"rate": rate, "size": sizes, "cluster_count": count}, index=index)
