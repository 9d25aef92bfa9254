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
    SymmetricLaw,
    joint,
)

__all__ = [
    name
    for name, thing in globals().items()
    if getattr(thing, "__module__", "").startswith(__name__)
]
__dir__ = __all__.copy
