"""The best private learner of a finite problem, by linear programming, with a certificate."""

from privml.learnability.optimal.approximate import optimal_approximate_learner
from privml.learnability.optimal.base import OptimalLearner, largest_ratio
from privml.learnability.optimal.learner import optimal_learner
from privml.learnability.optimal.symmetry import Symmetry, symmetry
from privml.learnability.optimal.tradeoff import OptimalTradeoff, optimal_tradeoff

__all__ = [
    "OptimalLearner",
    "OptimalTradeoff",
    "Symmetry",
    "largest_ratio",
    "optimal_approximate_learner",
    "optimal_learner",
    "optimal_tradeoff",
    "symmetry",
]
