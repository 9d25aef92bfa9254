"""Tables of the chapter on composition.

Everything is exact up to rounding: laws are computed, data sets enumerated, losses added up; what is rounded
on purpose (numerical composition) is an upper bound.
"""

from privml.experiments.composition.audits import adaptive_audits, parallel_audits
from privml.experiments.composition.orders import random_pairs, renyi_by_order
from privml.experiments.composition.ranges import adaptive_ranges, equal_ranges
from privml.experiments.composition.repeated import guesses, total_loss
from privml.experiments.composition.rules import (
    composition_curves,
    epsilon_by_steps,
    numerical_grids,
    thousandfold,
)
from privml.experiments.composition.stopping import stopped_delta
from privml.experiments.composition.thumb import rule_of_thumb, smallest_false_multiple

__all__ = [
    "adaptive_audits",
    "adaptive_ranges",
    "composition_curves",
    "epsilon_by_steps",
    "equal_ranges",
    "guesses",
    "numerical_grids",
    "parallel_audits",
    "random_pairs",
    "renyi_by_order",
    "rule_of_thumb",
    "smallest_false_multiple",
    "stopped_delta",
    "thousandfold",
    "total_loss",
]
