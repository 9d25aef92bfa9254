"""Tables of the chapter on the exponential mechanism.

Everybody casts one vote for one of ``n_options`` options, and the score of an option is its number of
votes.  Nearly everything here is exact: laws, privacy losses and tails are computed, not sampled.
"""

from privml.experiments.exponential_mechanism.base import two_option_epsilon, vote_law
from privml.experiments.exponential_mechanism.gallery import gallery
from privml.experiments.exponential_mechanism.privacy import (
    audit_by_size,
    distance_law,
    interval_normalisers,
    loss_factors,
    selection_law,
)
from privml.experiments.exponential_mechanism.samplers import (
    rejection_rounds,
    selection_comparison,
    tie_and_neighbour,
)
from privml.experiments.exponential_mechanism.utility import (
    extremal_scores,
    failure_probability,
    utility_random_cases,
    utility_tail,
    utility_tightness,
)

__all__ = [
    "audit_by_size",
    "distance_law",
    "extremal_scores",
    "failure_probability",
    "gallery",
    "interval_normalisers",
    "loss_factors",
    "rejection_rounds",
    "selection_comparison",
    "selection_law",
    "tie_and_neighbour",
    "two_option_epsilon",
    "utility_random_cases",
    "utility_tail",
    "utility_tightness",
    "vote_law",
]
