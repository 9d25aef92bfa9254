"""Estimators that draw their weights by the exponential mechanism on a ball."""

from privml.learners.penalised_erm.estimators.classifiers import (
    ExponentialLinearSVC,
    ExponentialLogisticRegression,
)
from privml.learners.penalised_erm.estimators.ridge import ExponentialRidge

__all__ = ["ExponentialLinearSVC", "ExponentialLogisticRegression", "ExponentialRidge"]
