"""Populations: distributions over finitely many labelled points, so that every expectation is a sum."""

from privml.populations.base import (
    BestHypothesis,
    FinitePopulation,
    NoiseMargins,
    bernstein_constant,
    noise_margins,
    regression_population,
    tsybakov_constant,
)
from privml.populations.line import (
    TsybakovLine,
    VotingProblem,
    agnostic_line,
    voting_fails_example,
    voting_wins_example,
)

__all__ = [
    name
    for name, member in globals().items()
    if getattr(member, "__module__", "").startswith(__name__)
]
__dir__ = __all__.copy
