"""The best epsilon: a global search with a certificate, against closed forms and against a local trap."""

import numpy as np
import pytest

from privml.hypotheses import Thresholds
from privml.learnability import LearningProblem, optimal_learner, optimal_tradeoff
from tests.learnability.problems import COIN

GRID = LearningProblem.of_class(Thresholds([0.0, 1.0, 2.0]), [0.0, 1.0])
REFLECTION = [np.arange(4)[::-1]]


def coin_objective(epsilon, n_samples):
    steps = np.arange(n_samples // 2 + 1)
    return epsilon + (steps / n_samples * np.exp(-epsilon * steps)).max()


@pytest.mark.source("WLF16-eq-6")
@pytest.mark.parametrize("n_samples", [2, 12, 40])
def test_for_two_answers_the_search_finds_the_minimum_of_the_closed_form(n_samples):
    best = optimal_tradeoff(COIN, n_samples)
    least = min(
        coin_objective(epsilon, n_samples) for epsilon in np.linspace(0, 0.5, 20001)
    )
    assert best.lower_bound - 1e-9 <= least <= best.objective + 1e-9
    assert best.objective - best.lower_bound <= 1e-3
    assert best.objective == best.learner.epsilon + best.learner.value


@pytest.mark.source("WLF16-eq-6")
def test_the_optimum_falls_with_epsilon_and_the_objective_has_two_valleys():
    values = [
        optimal_learner(GRID, 7, epsilon, symmetries=REFLECTION)
        for epsilon in (0.0, 0.06, 0.16, 0.26)
    ]
    objectives = [learner.epsilon + learner.value for learner in values]
    bounds = [learner.epsilon + learner.lower_bound for learner in values]
    assert all(b.value < a.value for a, b in zip(values, values[1:], strict=False))
    assert max(objectives[0], objectives[2]) < bounds[1] - 1e-3
    assert objectives[2] < bounds[3]


@pytest.mark.source("WLF16-eq-6")
def test_the_search_leaves_the_valley_at_zero_when_the_other_is_deeper():
    best = optimal_tradeoff(GRID, 8, symmetries=REFLECTION, tolerance=5e-3)
    assert 0.1 < best.learner.epsilon < 0.25
    assert best.objective < 0.5 - 1e-2
    assert best.learner.epsilon in best.epsilons


@pytest.mark.parametrize("tolerance", [0.0, 1.0])
def test_a_bad_tolerance_is_refused(tolerance):
    with pytest.raises(ValueError, match="tolerance must be"):
        optimal_tradeoff(COIN, 3, tolerance=tolerance)
