"""One measure of one brand on two days, paired by question.

A question's own level cancels out, so that what is left is what moved. Which days may be
compared, and which changes are told, belongs to `changes`.
"""

from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from brand_visibility.measures.intervals import FloatArray
from brand_visibility.measures.sign_flips import sign_flip_p_value


@dataclass(frozen=True, slots=True)
class DayValues:
    """A day's questions, in the same order on both days (see `question_values`)."""

    numerators: FloatArray
    denominators: FloatArray
    answer_counts: FloatArray

    @property
    def value(self) -> float:
        """The measure over these questions, NaN where it has no denominator."""
        total = float(self.denominators.sum())
        return float(self.numerators.sum()) / total if total > 0 else float("nan")


@dataclass(frozen=True, slots=True)
class Change:
    """The change of a measure with its 95 % interval and the p value of no change."""

    change: float
    low: float
    high: float
    p_value: float


def paired_change(now: DayValues, then: DayValues, confidence: float = 0.95) -> Change:
    """Return how a measure changed from one day to the other on the same questions.

    Both days must have a value. Each question's difference is that of its numerators, less
    the mean value times the denominators, each over its day's mean denominator: their mean
    is the change itself (Taylor linearisation of a ratio), and for a mean over questions
    they are the plain differences.
    """
    level = (now.value + then.value) / 2
    differences = _linearised(now, level) - _linearised(then, level)
    step = np.mean((1 / now.answer_counts + 1 / then.answer_counts) / 2)
    low, high = _bounds(differences, float(step), confidence)
    change = now.value - then.value
    return Change(change, min(low, change), max(high, change), sign_flip_p_value(differences))


def _linearised(day: DayValues, level: float) -> FloatArray:
    residuals = day.numerators - level * day.denominators
    return np.asarray(residuals / day.denominators.mean(), dtype=np.float64)


def _bounds(differences: FloatArray, step: float, confidence: float) -> tuple[float, float]:
    """Return the interval of a mean difference, with two questions added.

    One rose and one fell by as much as one answer moves a question (√`step`, in the mean
    square): for single answers this is the adjusted interval of Bonett, D. and Price, R.
    (2012), "Adjusted Wald confidence interval for a difference of binomial proportions
    based on paired data", Journal of Educational and Behavioral Statistics 37, 479-488.
    """
    size = len(differences) + 2
    mean = float(differences.sum()) / size
    variance = (float((differences**2).sum()) + 2 * step) / size - mean**2
    half = NormalDist().inv_cdf((1 + confidence) / 2) * (variance / size) ** 0.5
    return max(mean - half, -1.0), min(mean + half, 1.0)
