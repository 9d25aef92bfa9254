"""Tables of the chapter on high confidence and real computers: boosting, exact draws, infinite domains."""

from privml.experiments.high_confidence.boosting import survival, tumours
from privml.experiments.high_confidence.computers import (
    exact_choices,
    float_choices,
    inexact_candidates,
    prior_on_integers,
    truncated_normalisers,
)
from privml.experiments.high_confidence.constants import (
    choice_gaps,
    claim_constants,
    crossings,
    markov_or_boost,
    printed_deviation,
)

__all__ = [
    "choice_gaps",
    "claim_constants",
    "crossings",
    "exact_choices",
    "float_choices",
    "inexact_candidates",
    "markov_or_boost",
    "printed_deviation",
    "prior_on_integers",
    "survival",
    "truncated_normalisers",
    "tumours",
]
