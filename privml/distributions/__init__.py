"""Output laws, one file each: log-probabilities, distribution functions and draws."""

from privml.distributions.categorical import (
    BLOCK,
    ENVELOPES,
    SAMPLERS,
    Categorical,
    RejectionSample,
    expected_rejection_rounds,
    rejection_sample,
)
from privml.distributions.discrete_gaussian import DiscreteGaussian
from privml.distributions.discrete_laplace import DiscreteLaplace
from privml.distributions.gaussian import Gaussian
from privml.distributions.laplace import Laplace
from privml.distributions.product import Product, joint

__all__ = [
    "BLOCK",
    "ENVELOPES",
    "SAMPLERS",
    "Categorical",
    "DiscreteGaussian",
    "DiscreteLaplace",
    "Gaussian",
    "Laplace",
    "Product",
    "RejectionSample",
    "expected_rejection_rounds",
    "joint",
    "rejection_sample",
]
