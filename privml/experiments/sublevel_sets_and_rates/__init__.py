"""Tables of the chapter on sublevel sets and rates: measure ratios, exact expectations, and bounds."""

from privml.experiments.sublevel_sets_and_rates.examples import (
    beyond_t_max,
    changing_sign,
    negative_infimum,
    spread,
    thresholds_without_mean,
)
from privml.experiments.sublevel_sets_and_rates.implications import theorem_map
from privml.experiments.sublevel_sets_and_rates.rates import finite_gaps, level_rates, rates, wanted
from privml.experiments.sublevel_sets_and_rates.volumes import (
    certificates,
    curves,
    printed_volumes,
    room_by_hand,
)

__all__ = [
    "beyond_t_max",
    "certificates",
    "changing_sign",
    "curves",
    "finite_gaps",
    "level_rates",
    "negative_infimum",
    "printed_volumes",
    "rates",
    "room_by_hand",
    "spread",
    "theorem_map",
    "thresholds_without_mean",
    "wanted",
]
