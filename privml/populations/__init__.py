"""Populations: distributions over finitely many labelled points, so that every expectation is a sum.

* :class:`FinitePopulation`: any labelled points with their probabilities.
* :func:`regression_population`: instances with masses, and the probability of the label True at each.
* :class:`TsybakovLine`: points on a line whose label noise has an exactly known Tsybakov exponent;
  ``tau = 1`` is bounded (Massart) noise, and ``tau = 1, scale = 1`` is realizable.
* :class:`PairProblem`: two hypotheses, the hardest problem of its noise condition.
* :func:`agnostic_line`: no threshold is the best classifier, and two far ones are nearly equally good.
* :func:`voting_fails_example`, :func:`voting_wins_example`: a vote that is worse, or better, than all voters.
"""

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
    PairProblem,
    TsybakovLine,
    VotingProblem,
    agnostic_line,
    voting_fails_example,
    voting_wins_example,
)

__all__ = [
    "BestHypothesis",
    "FinitePopulation",
    "NoiseMargins",
    "PairProblem",
    "TsybakovLine",
    "VotingProblem",
    "agnostic_line",
    "bernstein_constant",
    "noise_margins",
    "regression_population",
    "tsybakov_constant",
    "voting_fails_example",
    "voting_wins_example",
]
