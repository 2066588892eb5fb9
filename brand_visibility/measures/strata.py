"""Means over fixed questions, each with answers of its own, and how well they are known.

Here only a question's answers vary. What holds if the questions could have been others
belongs to `clusters`.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from brand_visibility.measures.intervals import FloatArray, effective_sizes

STRATIFIED, WILSON = "stratified", "wilson"


def stratified_sizes(questions: pd.DataFrame, group: Sequence[str]) -> pd.DataFrame:
    """Return rate, effective size and method of each group, keyed by `group`.

    `questions` has one row for each group and question, in an order of its own, with its
    `question_rate` and the `answer_count` that this is the mean of. The variance is that of
    a mean of independent strata, with s² the unbiased variance of a question's m answers,
    Q questions and π = p (1 - p):

        variance = (Σ s² / m + max(π, 1 / (2 m̄)) / m̄) / Q² · Q / (Q + 1)

    (Cochran, W. (1977), "Sampling techniques", 3rd edition, section 5.6). The second term
    is one more question: its answers vary as those of all questions together do, or as half
    of an answer that differs, whichever is more. Few repeats that happen to agree are no
    proof that they always would. A question with a single answer shows no variance of its
    own and is given π; if all are such, that is Wilson's interval over the questions, and
    the method says so. Where no variance shows, at a rate of 0 or 1, every answer counts.
    """
    grouped = questions.groupby(list(group), sort=True)
    row_group = grouped.ngroup().to_numpy()
    index = grouped.size().index

    def summed(numbers: FloatArray) -> FloatArray:
        sums = np.bincount(row_group, weights=numbers, minlength=len(index))
        return np.asarray(sums, dtype=np.float64)

    rates = questions["question_rate"].to_numpy(dtype=np.float64)
    counts = questions["answer_count"].to_numpy(dtype=np.float64)
    size = summed(np.ones(len(rates)))
    rate, step = summed(rates) / size, summed(1 / counts) / size
    spread = rate * (1 - rate)
    is_repeated = summed((counts > 1).astype(np.float64)) > 0
    own = rates * (1 - rates) * counts / np.maximum(counts - 1, 1)
    within = np.where(counts > 1, own, spread[row_group])
    pseudo = np.where(is_repeated, np.maximum(spread, step / 2), spread) * step
    variance = (summed(within / counts) + pseudo) / (size * (size + 1))
    return pd.DataFrame(
        {
            "rate": rate,
            "size": effective_sizes(rate, variance, size / step),
            "method": np.where(is_repeated, STRATIFIED, WILSON),
        },
        index=index,
    )
