"""Learnability: problems, stability, and what private learners can and cannot do, computed exactly."""

from privml.learnability.base import CountLaw, LearningProblem, OrderedLaw
from privml.learnability.counts import count_vectors, neighbours, sample_probabilities
from privml.learnability.deviation import optimism, uniform_deviation
from privml.learnability.laws import constant_law, erm_law, exponential_law, permute_and_flip_law
from privml.learnability.nonprivate import NonPrivateLaw, break_privacy
from privml.learnability.resample import resampled_epsilon, resampled_law

__all__ = [
    "CountLaw",
    "LearningProblem",
    "NonPrivateLaw",
    "OrderedLaw",
    "break_privacy",
    "constant_law",
    "count_vectors",
    "erm_law",
    "exponential_law",
    "neighbours",
    "optimism",
    "permute_and_flip_law",
    "resampled_epsilon",
    "resampled_law",
    "sample_probabilities",
    "uniform_deviation",
]
