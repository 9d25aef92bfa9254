"""Private mechanisms: maps from a value computed on the data to an output law, with a claim."""

from privml.mechanisms.additive import GaussianMechanism, LaplaceMechanism, gaussian_sigma
from privml.mechanisms.base import Mechanism
from privml.mechanisms.discrete_gaussian import DiscreteGaussianMechanism
from privml.mechanisms.discrete_laplace import DiscreteLaplaceMechanism
from privml.mechanisms.response import RandomisedResponse
from privml.mechanisms.selection import ExponentialMechanism, PermuteAndFlip
from privml.mechanisms.sparse_vector import RestartingSparseVector, SparseVector
from privml.mechanisms.stability import DistanceToInstability

__all__ = [
    "DiscreteGaussianMechanism",
    "DiscreteLaplaceMechanism",
    "DistanceToInstability",
    "ExponentialMechanism",
    "GaussianMechanism",
    "LaplaceMechanism",
    "Mechanism",
    "PermuteAndFlip",
    "RandomisedResponse",
    "RestartingSparseVector",
    "SparseVector",
    "gaussian_sigma",
]
