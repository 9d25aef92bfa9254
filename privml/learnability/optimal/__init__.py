"""The best private learner of a finite problem, by linear programming, with a certificate."""

from privml.learnability.optimal.approximate import optimal_approximate_learner
from privml.learnability.optimal.base import OptimalLearner, largest_ratio
from privml.learnability.optimal.learner import optimal_learner
from privml.learnability.optimal.sizes import optimal_epsilon, optimal_sample_size
from privml.learnability.optimal.symmetry import Symmetry, averaged_law, symmetry
from privml.learnability.optimal.tradeoff import OptimalTradeoff, optimal_tradeoff

__all__ = [
    "OptimalLearner",
    "OptimalTradeoff",
    "Symmetry",
    "averaged_law",
    "largest_ratio",
    "optimal_approximate_learner",
    "optimal_epsilon",
    "optimal_learner",
    "optimal_sample_size",
    "optimal_tradeoff",
    "symmetry",
]
