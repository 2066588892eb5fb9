"""Many simulated nights at once: questions whose true rates are known."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Nights:
    """Nights by questions: how often each question truly mentions, and how often it did."""

    truths: Floats
    mentions: npt.NDArray[np.int64]
    repeats: int

    @property
    def rates(self) -> Floats:
        return self.mentions / self.repeats

    def questions(self) -> pd.DataFrame:
        """Return a row for each night and question, as the measures take them."""
        count, size = self.rates.shape
        rates = self.rates.ravel()
        return pd.DataFrame(
            {
                "night": np.repeat(np.arange(count), size),
                "question_rate": rates,
                "answer_count": self.repeats,
                "numerator": rates,
                "denominator": 1.0,
            }
        )


def draw_nights(
    random: np.random.Generator, *, p: float, questions: int, repeats: int, alike: float, count: int
) -> Nights:
    """Draw nights whose questions' rates vary around `p`.

    `alike` is the correlation of two answers to one question: 0 for questions of one rate,
    near 1 for questions that always or never mention (a beta distribution).
    """
    shape = (count, questions)
    if alike == 0:
        truths = np.full(shape, p)
    else:
        total = (1 - alike) / alike
        truths = random.beta(p * total, (1 - p) * total, shape)
    return Nights(truths, random.binomial(repeats, truths), repeats)
