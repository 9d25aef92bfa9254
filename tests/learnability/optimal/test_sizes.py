"""Inverses of the optimum: what is returned reaches alpha, and less does not."""

import numpy as np
import pytest

from privml.hypotheses import Thresholds
from privml.learnability import LearningProblem
from privml.learnability.optimal import optimal_epsilon, optimal_learner, optimal_sample_size

COIN = LearningProblem([[0.0, 1.0], [1.0, 0.0]])
GRID = LearningProblem.of_class(Thresholds([0.0, 1.0, 2.0]), [0.0, 1.0])
REFLECTION = [np.arange(4)[::-1]]


@pytest.mark.source("WLF16-eq-6")
@pytest.mark.parametrize(("problem", "alpha"), [(COIN, 0.1), (GRID, 0.3), (GRID, 0.02)])
def test_the_smallest_epsilon_reaches_alpha_and_a_smaller_one_does_not(problem, alpha):
    learner = optimal_epsilon(problem, 4, alpha)
    assert learner.value <= alpha
    assert optimal_learner(problem, 4, 0.999 * learner.epsilon).lower_bound > alpha


def test_an_easy_alpha_needs_no_epsilon():
    assert optimal_epsilon(GRID, 3, 0.6).epsilon == 0


@pytest.mark.source("WLF16-rem-beimel-log-H")
@pytest.mark.parametrize("alpha", [0.25, 0.15])
def test_the_fewest_records_reach_alpha_and_one_less_does_not(alpha):
    learner = optimal_sample_size(GRID, 1.0, alpha, symmetries=REFLECTION)
    assert learner.value <= alpha
    assert optimal_learner(GRID, learner.n_samples - 1, 1.0, symmetries=REFLECTION).lower_bound > alpha


@pytest.mark.source("WLF16-rem-beimel-log-H")
def test_a_finer_grid_needs_more_records():
    grids = [Thresholds(np.arange(n + 1.0)) for n in (1, 2, 4)]
    problems = [LearningProblem.of_class(grid, np.arange(len(grid.cuts) - 1.0)) for grid in grids]
    sizes = [
        optimal_sample_size(problem, 2.0, 0.1, symmetries=[np.arange(problem.n_records)[::-1]]).n_samples
        for problem in problems
    ]
    assert sizes == sorted(sizes)
    assert sizes[0] < sizes[-1]


def test_a_size_that_is_not_reached_is_reported():
    with pytest.raises(ValueError, match="alpha must be reached by 2 records, got 0.2392"):
        optimal_sample_size(GRID, 1.0, 0.1, largest=2)
    with pytest.raises(ValueError, match="alpha must be in the open"):
        optimal_epsilon(COIN, 2, 0.0)
