"""Linear learning through expert advice: LinearLearner, its exact laws and its privacy."""

from privml.learners.linear.estimator import LinearLearner, mean_draw
from privml.learners.linear.laws import average_law, sequence_law
from privml.learners.linear.losses import example_losses
from privml.learners.linear.privacy import linear_eta, linear_guarantee
from privml.learners.linear.problem import SimplexLinearProblem

__all__ = [
    "LinearLearner",
    "SimplexLinearProblem",
    "average_law",
    "example_losses",
    "linear_eta",
    "linear_guarantee",
    "mean_draw",
    "sequence_law",
]
