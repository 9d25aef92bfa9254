"""Private penalised empirical risk minimisation: domains, losses, exact laws, samplers and estimators."""

from privml.learners.penalised_erm.bounded_chain import mixing_steps
from privml.learners.penalised_erm.distributions import (
    ExponentialERM,
    QuadratureDistribution,
    early_stopping_guarantee,
    penalised_distribution,
    ridge_draw,
)
from privml.learners.penalised_erm.domains import Ball, Box, Finite, WholeSpace
from privml.learners.penalised_erm.envelopes import largest_log_tries
from privml.learners.penalised_erm.proximal import (
    ProximalChain,
    SamplerCost,
    SamplerResult,
    largest_sampler_cost,
    proximal_draw,
)
from privml.learners.penalised_erm.risks import (
    HingeLoss,
    LogisticLoss,
    PenalisedRisk,
    RampLoss,
    SquaredLoss,
)

__all__ = [
    name
    for name, member in globals().items()
    if getattr(member, "__module__", "").startswith(__name__)
]
__dir__ = __all__.copy
