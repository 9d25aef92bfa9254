"""Private mechanisms: maps from a value computed on the data to an output law, with a claim."""

from privml.mechanisms.base import Mechanism
from privml.mechanisms.selection import ExponentialMechanism, PermuteAndFlip
from privml.mechanisms.sparse_vector import RestartingSparseVector, SparseVector
from privml.mechanisms.stability import DistanceToInstability

__all__ = [
    "DistanceToInstability",
    "ExponentialMechanism",
    "Mechanism",
    "PermuteAndFlip",
    "RestartingSparseVector",
    "SparseVector",
]
