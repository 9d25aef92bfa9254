"""The best (epsilon, delta) learner: audited exactly, against the pure program and against closed forms."""

import numpy as np
import pytest

from privml.audit import exact
from privml.hypotheses import Thresholds
from privml.learnability import LearningProblem
from privml.learnability.optimal import optimal_approximate_learner, optimal_learner

COIN = LearningProblem([[0.0, 1.0], [1.0, 0.0]])
GRID = LearningProblem.of_class(Thresholds([0.0, 1.0, 2.0]), [0.0, 1.0])


@pytest.mark.source("WLF16-def-27")
@pytest.mark.parametrize("delta", [1e-4, 0.05, 0.4])
def test_the_learner_keeps_delta_on_every_pair_of_neighbours_and_spends_it(delta):
    learner = optimal_approximate_learner(GRID, 3, 0.7, delta)
    found = exact(learner.output_distribution, np.arange(4), 3).delta(0.7)
    assert found <= delta + 1e-12
    assert found == pytest.approx(delta, abs=1e-8)
    assert learner.slack < 1e-7
    assert learner.guarantee.delta == delta


def test_the_optimum_falls_with_delta_and_begins_at_the_pure_one():
    values = [optimal_approximate_learner(GRID, 3, 0.7, delta).value for delta in (1e-9, 1e-3, 0.05, 0.4)]
    assert values == sorted(values, reverse=True)
    assert values[0] == pytest.approx(optimal_learner(GRID, 3, 0.7).value, abs=1e-6)
    assert optimal_approximate_learner(GRID, 3, 0.7, 0.0).value == optimal_learner(GRID, 3, 0.7).value


@pytest.mark.parametrize("epsilon", [0.0, 1.0])
@pytest.mark.parametrize("delta", [0.1, 0.5])
def test_one_record_and_two_answers_leave_the_hardest_test(epsilon, delta):
    learner = optimal_approximate_learner(COIN, 1, epsilon, delta)
    assert learner.value == pytest.approx((1 - delta) / (1 + np.exp(epsilon)), abs=1e-9)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((COIN, 2, 1.0, 1.0), "delta must be in the half-open"),
        ((COIN, 2, -1.0, 0.1), "epsilon must be non-negative"),
        ((LearningProblem(1 - np.eye(8)), 5, 1.0, 0.1), "at most 60000 slacks, got"),
    ],
)
def test_bad_parameters_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        optimal_approximate_learner(*arguments)
