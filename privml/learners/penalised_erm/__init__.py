"""Private penalised empirical risk minimisation: domains, losses, exact laws, samplers and estimators."""

from privml.learners.penalised_erm.chains import (
    Diagnostics,
    MixingWarning,
    Run,
    diagnose,
    effective_sample_size,
    hit_and_run,
    mala,
    split_r_hat,
)
from privml.learners.penalised_erm.domains import Ball, Box, Domain, Finite, WholeSpace
from privml.learners.penalised_erm.estimators import (
    ExponentialLinearSVC,
    ExponentialLogisticRegression,
    ExponentialRidge,
)
from privml.learners.penalised_erm.laws import (
    ExponentialERM,
    QuadratureLaw,
    early_stopping_guarantee,
    penalised_law,
    ridge_draw,
)
from privml.learners.penalised_erm.risks import (
    HingeLoss,
    LogisticLoss,
    PenalisedRisk,
    RampLoss,
    ScoreLoss,
    SquaredLoss,
)

__all__ = [
    "Ball", "Box", "Diagnostics", "Domain", "ExponentialERM", "ExponentialLinearSVC",
    "ExponentialLogisticRegression", "ExponentialRidge", "Finite", "HingeLoss", "LogisticLoss",
    "MixingWarning", "PenalisedRisk", "QuadratureLaw", "RampLoss", "Run", "ScoreLoss", "SquaredLoss",
    "WholeSpace", "diagnose", "early_stopping_guarantee", "effective_sample_size", "hit_and_run", "mala",
    "penalised_law", "ridge_draw", "split_r_hat",
]
