"""What cannot be learned privately: packings and hidden supports."""

from privml.learnability.impossibility.base import (
    packing_distance,
    packing_excess_risk,
    packing_size,
)
from privml.learnability.impossibility.packing import Packing, grid_packing, relaxed_excess_risk
from privml.learnability.impossibility.support import (
    d_universal_aerm_rate,
    hidden_support_risk,
    missing_mass,
    missing_mass_bound,
    missing_mass_sample_size,
    private_support_risk,
)
from privml.learnability.impossibility.thresholds import (
    ThresholdPacking,
    threshold_packing,
    thresholds_excess_risk,
    thresholds_impossible_size,
)

__all__ = [
    "Packing",
    "ThresholdPacking",
    "d_universal_aerm_rate",
    "grid_packing",
    "hidden_support_risk",
    "missing_mass",
    "missing_mass_bound",
    "missing_mass_sample_size",
    "packing_distance",
    "packing_excess_risk",
    "packing_size",
    "private_support_risk",
    "relaxed_excess_risk",
    "threshold_packing",
    "thresholds_excess_risk",
    "thresholds_impossible_size",
]
