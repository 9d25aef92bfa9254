"""Private penalised empirical risk minimisation: domains, losses, exact laws, samplers and estimators."""

from privml.learners.penalised_erm.base import Domain, ScoreLoss, unit_rows
from privml.learners.penalised_erm.diagnostics import (
    Diagnostics,
    MixingWarning,
    diagnose,
    effective_sample_size,
    split_r_hat,
)
from privml.learners.penalised_erm.domains import Ball, Box, Finite, WholeSpace
from privml.learners.penalised_erm.early import (
    early_stopping_guarantee,
)
from privml.learners.penalised_erm.estimators import (
    ExponentialLinearSVC,
    ExponentialLogisticRegression,
    ExponentialRidge,
)
from privml.learners.penalised_erm.gaussian import ridge_draw
from privml.learners.penalised_erm.laws import (
    ExponentialERM,
    QuadratureLaw,
    log_truncated_normaliser,
    penalised_law,
    quadrature_nodes,
)
from privml.learners.penalised_erm.losses import HingeLoss, LogisticLoss, RampLoss, SquaredLoss
from privml.learners.penalised_erm.risk import PenalisedRisk
from privml.learners.penalised_erm.sampling import Run, hit_and_run, mala

__all__ = [
    "Ball",
    "Box",
    "Diagnostics",
    "Domain",
    "ExponentialERM",
    "ExponentialLinearSVC",
    "ExponentialLogisticRegression",
    "ExponentialRidge",
    "Finite",
    "HingeLoss",
    "LogisticLoss",
    "MixingWarning",
    "PenalisedRisk",
    "QuadratureLaw",
    "RampLoss",
    "Run",
    "ScoreLoss",
    "SquaredLoss",
    "WholeSpace",
    "diagnose",
    "early_stopping_guarantee",
    "effective_sample_size",
    "hit_and_run",
    "log_truncated_normaliser",
    "mala",
    "penalised_law",
    "quadrature_nodes",
    "ridge_draw",
    "split_r_hat",
    "unit_rows",
]
