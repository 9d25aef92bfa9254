"""Learnability: problems, stability, and what private learners can and cannot do, computed exactly."""

from privml.learnability.base import CountLaw, LearningProblem, OrderedLaw
from privml.learnability.counts import count_vectors, neighbours, sample_probabilities
from privml.learnability.laws import constant_law, erm_law, exponential_law, permute_and_flip_law

__all__ = [
    "CountLaw",
    "LearningProblem",
    "OrderedLaw",
    "constant_law",
    "count_vectors",
    "erm_law",
    "exponential_law",
    "neighbours",
    "permute_and_flip_law",
    "sample_probabilities",
]
