"""Learners: scikit-learn estimators that select a hypothesis, and the laws of what they select."""

from privml.learners.erm import ERM, erm_law
from privml.learners.exponential import ExponentialPACLearner, exponential_law

__all__ = ["ERM", "ExponentialPACLearner", "erm_law", "exponential_law"]
