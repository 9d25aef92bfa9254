"""The problems that the tests of learnability run through, once."""

import numpy as np
import pytest

from privml.hypotheses import Thresholds
from privml.learnability import LearningProblem

COIN = LearningProblem([[0.0, 1.0], [1.0, 0.0]])
RANDOM = LearningProblem(np.random.default_rng(5).random((4, 3)))
THRESHOLDS = LearningProblem.of_class(Thresholds([-0.5, 0.5, 1.5]), [0.0, 1.0])
PROBLEMS = {"coin": COIN, "random": RANDOM, "thresholds": THRESHOLDS}
every_problem = pytest.mark.parametrize("problem", PROBLEMS.values(), ids=PROBLEMS)
