"""The problems and learners that the tests of learnability run through, once."""

import numpy as np
import pytest

from privml.hypotheses import Thresholds
from privml.learnability import (
    LearningProblem,
    erm_learner,
    exponential_learner,
    permute_and_flip_learner,
)

COIN = LearningProblem([[0.0, 1.0], [1.0, 0.0]])
RANDOM = LearningProblem(np.random.default_rng(5).random((4, 3)))
THRESHOLDS = LearningProblem.of_class(Thresholds([-0.5, 0.5, 1.5]), [0.0, 1.0])
GRID = LearningProblem(np.abs(np.linspace(0, 1, 5)[:, None] - np.linspace(0, 1, 3)))
PROBLEMS = {"coin": COIN, "random": RANDOM, "thresholds": THRESHOLDS, "grid": GRID}
every_problem = pytest.mark.parametrize("problem", PROBLEMS.values(), ids=PROBLEMS)
LAWS = {
    "exponential": lambda problem: exponential_learner(problem, 1.3),
    "permute and flip": lambda problem: permute_and_flip_learner(problem, 0.6),
    "minimiser": erm_learner,
}
every_law = pytest.mark.parametrize("make", LAWS.values(), ids=LAWS)
