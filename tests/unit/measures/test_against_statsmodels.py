"""Our formulas beside those of statsmodels, which is too heavy for the workers."""

import numpy as np
import pandas as pd
import pytest
from statsmodels.regression.linear_model import OLS
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.power import zt_ind_solve_power
from statsmodels.stats.proportion import proportion_confint

from brand_visibility.measures.clusters import clustered_ratios
from brand_visibility.measures.detectable import smallest_detectable_change
from brand_visibility.measures.false_discovery import q_values
from brand_visibility.measures.intervals import wilson_bounds, wilson_centres
from brand_visibility.measures.sign_flips import sign_flip_p_value

RANDOM = np.random.default_rng(20261130)


def test_wilsons_bounds_are_theirs() -> None:
    sizes = RANDOM.integers(1, 500, 200)
    successes = RANDOM.binomial(sizes, 0.3)

    ours = wilson_bounds(successes / sizes, sizes.astype(np.float64))

    theirs = proportion_confint(successes, sizes, method="wilson")
    np.testing.assert_allclose(ours, theirs, atol=1e-12)


def test_q_values_are_their_adjusted_p_values() -> None:
    p_values = np.concatenate([RANDOM.uniform(size=300), RANDOM.uniform(0, 0.001, 20)])

    theirs = multipletests(p_values, method="fdr_bh")[1]
    np.testing.assert_allclose(q_values(p_values), theirs, rtol=1e-12)


@pytest.mark.parametrize(("rose", "fell"), [(0, 0), (1, 0), (8, 1), (12, 12), (40, 22), (90, 40)])
def test_with_one_answer_a_question_the_paired_test_is_mcnemars(rose: int, fell: int) -> None:
    differences = np.array([1.0] * rose + [-1.0] * fell + [0.0] * 20)

    theirs = mcnemar([[10, rose], [fell, 10]], exact=True).pvalue
    assert sign_flip_p_value(differences) == pytest.approx(min(float(theirs), 1.0), rel=1e-9)


@pytest.mark.parametrize("size", [50, 150, 300, 1_000])
@pytest.mark.parametrize("rate", [0.05, 0.3, 0.5])
def test_the_detectable_change_has_their_power(size: int, rate: float) -> None:
    sizes = np.array([float(size)])
    ours = smallest_detectable_change(np.array([rate]), sizes)[0]
    centre = wilson_centres(np.array([rate]), sizes)[0]

    power = zt_ind_solve_power(
        effect_size=ours / (centre * (1 - centre)) ** 0.5, nobs1=size, alpha=0.05
    )
    assert power == pytest.approx(0.8, abs=1e-4)


def test_the_variance_of_clusters_is_that_of_their_cluster_robust_regression() -> None:
    """An intercept's sandwich variance is the plain Σ e² / D² that ours adds a question to."""
    questions = np.repeat(np.arange(40), 4)
    answers = (RANDOM.random(160) < np.repeat(RANDOM.beta(1, 2, 40), 4)).astype(np.float64)
    fitted = OLS(answers, np.ones(160)).fit(
        cov_type="cluster", cov_kwds={"groups": questions, "use_correction": False}
    )
    rate = answers.mean()
    residuals = np.bincount(questions, weights=answers - rate)

    assert float(fitted.bse[0] ** 2) == pytest.approx(float((residuals**2).sum()) / 160**2)
    assert clustered_variance(questions, answers) == pytest.approx(
        float((residuals**2).sum() + rate * (1 - rate) * 16) / 160**2 * 40 / 41
    )


def clustered_variance(questions: np.ndarray, answers: np.ndarray) -> float:
    values = pd.DataFrame(
        {
            "group": 0,
            "numerator": np.bincount(questions, weights=answers),
            "denominator": np.bincount(questions).astype(np.float64),
        }
    )
    found = clustered_ratios(values, ["group"]).iloc[0]
    return float(found["rate"] * (1 - found["rate"]) / found["size"])
