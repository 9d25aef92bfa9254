"""Private mechanisms: maps from a value computed on the data to an output law, with a claim."""

from privml.mechanisms.additive import (
    GaussianMechanism,
    LaplaceMechanism,
    gaussian_sigma,
)
from privml.mechanisms.base import ApproximateMechanism, Mechanism, Selection
from privml.mechanisms.discrete import (
    DiscreteGaussianMechanism,
    DiscreteLaplaceMechanism,
)
from privml.mechanisms.factorisation import (
    FactorisationMechanism,
    square_root_strategy,
    tree_strategy,
)
from privml.mechanisms.response import (
    RandomisedResponse,
    UnaryEncoding,
    best_frequency_oracle,
)
from privml.mechanisms.selection import (
    ExponentialDensity,
    ExponentialMechanism,
    PermuteAndFlip,
)
from privml.mechanisms.sparse_vector import RestartingSparseVector, SparseVector
from privml.mechanisms.stability import DistanceToInstability, stability_radius
from privml.mechanisms.synthetic import MWEM, SyntheticTable, marginals
from privml.mechanisms.transcript_distribution import (
    Noise,
    threshold_quadrature,
    transcript_log_probabilities,
    transcripts,
)

__all__ = [
    name
    for name, member in globals().items()
    if getattr(member, "__module__", "").startswith(__name__)
]
__dir__ = __all__.copy
