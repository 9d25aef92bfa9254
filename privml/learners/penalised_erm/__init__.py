"""Private penalised empirical risk minimisation: domains, losses, exact laws, samplers and estimators."""

from privml.learners.penalised_erm.domains import Ball, Box, Finite, WholeSpace
from privml.learners.penalised_erm.laws import (
    ExponentialERM,
    QuadratureLaw,
    early_stopping_guarantee,
    penalised_law,
    ridge_draw,
)
from privml.learners.penalised_erm.proximal import Draw, ProximalChain, proximal_draw, steps_within
from privml.learners.penalised_erm.risks import HingeLoss, LogisticLoss, PenalisedRisk, RampLoss, SquaredLoss

__all__ = [name for name, thing in globals().items() if getattr(thing, "__module__", "").startswith(__name__)]
