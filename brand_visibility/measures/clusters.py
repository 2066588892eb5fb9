"""Ratios over questions whose answers belong together, and how well they are known.

A mean over questions is a ratio whose denominator is 1 for each of them. Which numbers are
divided belongs to the measures.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from brand_visibility.measures.intervals import effective_sizes


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
    keys = list(group)
    used = values.assign(is_used=values["denominator"] > 0)
    sums = used.groupby(keys, sort=True)[["numerator", "denominator", "is_used"]].sum()
    # 0 / 0 is unknown.
    total = sums["denominator"].to_numpy(dtype=np.float64)
    rate = sums["numerator"].to_numpy(dtype=np.float64) / np.where(total > 0, total, np.nan)
    count = sums["is_used"].to_numpy(dtype=np.float64)
    spread = rate * (1 - rate)
    squares = _residual_squares(values, sums.assign(rate=rate)[["rate"]], keys)
    pseudo = spread * (total / np.where(count > 0, count, np.nan)) ** 2
    variance = (squares + pseudo) / np.where(total > 0, total, np.nan) ** 2 * count / (count + 1)
    return pd.DataFrame(
        {"rate": rate, "size": effective_sizes(rate, variance, count), "cluster_count": count},
        index=sums.index,
    )


def _residual_squares(
    values: pd.DataFrame, rates: pd.DataFrame, keys: list[str]
) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    joined = values[[*keys, "numerator", "denominator"]].merge(rates.reset_index(), on=keys)
    residual = joined["numerator"] - joined["rate"] * joined["denominator"]
    squares = joined.assign(square=residual**2).groupby(keys, sort=True)["square"].sum()
    return squares.reindex(rates.index).to_numpy(dtype=np.float64)
