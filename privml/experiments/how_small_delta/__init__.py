"""Tables of the chapter on how small delta must be: what is possible with a delta, and what is not."""

from privml.experiments.how_small_delta.learners import aerm_parameters, optimum_by_delta, published
from privml.experiments.how_small_delta.limits import (
    bound_by_delta,
    chain_constants,
    exponents,
    lasting_risk,
    subtracted_terms,
)

__all__ = [
    "aerm_parameters",
    "bound_by_delta",
    "chain_constants",
    "exponents",
    "lasting_risk",
    "optimum_by_delta",
    "published",
    "subtracted_terms",
]
