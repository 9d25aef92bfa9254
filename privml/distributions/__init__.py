"""Output laws: log-probabilities, distribution functions and draws."""

from privml.distributions.binomial import binomial_logpmf
from privml.distributions.categorical import (
    ENVELOPES,
    NOISE_BLOCK,
    SAMPLERS,
    Categorical,
    RejectionSample,
    rejection_sample,
)
from privml.distributions.discrete_gaussian import DiscreteGaussian
from privml.distributions.noise import (
    DiscreteLaplace,
    Gaussian,
    Laplace,
    Product,
    SymmetricDistribution,
    joint,
)

__all__ = [
    name
    for name, member in globals().items()
    if getattr(member, "__module__", "").startswith(__name__)
]
__dir__ = __all__.copy
