"""Learners: scikit-learn estimators that select a hypothesis, and the laws of what they select."""

from privml.learners.boosting import PrivateConfidenceBooster
from privml.learners.boosting_law import boosted_law
from privml.learners.erm import ERM, erm_law
from privml.learners.exponential import ExponentialPACLearner, exponential_law
from privml.learners.linear import LinearLearner
from privml.learners.penalised_erm import (
    ExponentialLinearSVC,
    ExponentialLogisticRegression,
    ExponentialRidge,
)
from privml.learners.statistical_queries import (
    PrivateParityLearner,
    PrivateSQClassifier,
    PrivateSQOracle,
)

__all__ = [
    "ERM",
    "ExponentialLinearSVC",
    "ExponentialLogisticRegression",
    "ExponentialPACLearner",
    "ExponentialRidge",
    "LinearLearner",
    "PrivateConfidenceBooster",
    "PrivateParityLearner",
    "PrivateSQClassifier",
    "PrivateSQOracle",
    "boosted_law",
    "erm_law",
    "exponential_law",
]
