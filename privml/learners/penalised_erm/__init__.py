"""Private penalised empirical risk minimisation: domains, losses, exact laws, samplers and estimators."""

from privml.learners.penalised_erm.domains import Ball, Box, Finite, WholeSpace
from privml.learners.penalised_erm.envelopes import largest_log_tries
from privml.learners.penalised_erm.laws import (
    ExponentialERM,
    QuadratureLaw,
    early_stopping_guarantee,
    penalised_law,
    ridge_draw,
)
from privml.learners.penalised_erm.proximal import (
    Draw,
    ProximalChain,
    Work,
    largest_work,
    proximal_draw,
)
from privml.learners.penalised_erm.risks import (
    HingeLoss,
    LogisticLoss,
    PenalisedRisk,
    RampLoss,
    SquaredLoss,
)
from privml.learners.penalised_erm.steady import steps_within

__all__ = [
    name
    for name, thing in globals().items()
    if getattr(thing, "__module__", "").startswith(__name__)
]
__dir__ = __all__.copy
