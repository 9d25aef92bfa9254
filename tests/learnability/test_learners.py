"""Learners of a finite problem as laws: exact privacy, and what they minimise."""

import numpy as np
import pytest

from privml import learnability
from privml.audit import exact
from tests.learnability.problems import THRESHOLDS

EPSILON = 1.3
RANDOM = learnability.LearningProblem(np.random.default_rng(3).random((4, 3)))
PRIVATE = {
    "exponential": learnability.exponential_learner,
    "permute and flip": learnability.permute_and_flip_learner,
}


def exact_epsilon(law, problem, n_samples):
    def counted(rows):
        return law(np.bincount(rows, minlength=problem.n_records)[None])[0]

    return exact(counted, np.arange(problem.n_records), n_samples).epsilon


@pytest.mark.parametrize("law", PRIVATE.values(), ids=PRIVATE)
@pytest.mark.parametrize("problem", [THRESHOLDS, RANDOM], ids=["thresholds", "random"])
def test_the_private_laws_keep_epsilon_on_all_neighbours(law, problem):
    assert (
        0.1 * EPSILON
        < exact_epsilon(law(problem, EPSILON), problem, 4)
        <= EPSILON * (1 + 1e-12)
    )


@pytest.mark.source("L4-private-erm")
def test_the_exponential_law_is_tight_as_the_class_of_bad_hypotheses_grows():
    losses = np.vstack([[0.0, 1.0], np.tile([1.0, 0.0], (10**6, 1))])
    law = learnability.exponential_learner(
        learnability.LearningProblem(losses), EPSILON
    )(np.eye(2, dtype=int))
    assert np.log(law[0, 0] / law[1, 0]) == pytest.approx(EPSILON, rel=1e-4)


def test_erm_attains_the_least_empirical_risk_and_breaks_ties_by_order():
    counts = learnability.count_vectors(THRESHOLDS.n_records, 3)
    law = learnability.erm_learner(THRESHOLDS)(counts)
    risk = THRESHOLDS.empirical_risk(counts)
    assert ((law * risk).sum(axis=1) == risk.min(axis=1)).all()
    assert (np.argmax(law, axis=1) == np.argmin(risk, axis=1)).all()
    assert exact_epsilon(learnability.erm_learner(THRESHOLDS), THRESHOLDS, 3) == np.inf


def test_a_constant_law_ignores_the_data():
    assert exact_epsilon(learnability.constant_learner(RANDOM, 2), RANDOM, 3) == 0
    assert learnability.constant_learner(RANDOM, 2)(
        np.ones((2, 5, 3), dtype=int)
    ).shape == (2, 5, 4)


@pytest.mark.parametrize("law", [*PRIVATE.values(), learnability.constant_learner])
@pytest.mark.parametrize("parameter", [-1, 4.5 + np.nan, "two"])
def test_bad_parameters_are_refused(law, parameter):
    with pytest.raises(ValueError, match="epsilon must be|index must be"):
        law(RANDOM, parameter)
