"""What cannot be learned privately: packings, hidden supports, and how small delta must be."""

from privml.learnability.impossibility.base import (
    packing_distance,
    packing_excess_risk,
    packing_size,
)
from privml.learnability.impossibility.delta import (
    approx_aerm_privacy,
    delta_subsample_size,
    log_delta_limit,
    log_delta_limit_wlf16,
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
    thresholds_population_excess_risk,
)

__all__ = [
    "Packing",
    "ThresholdPacking",
    "approx_aerm_privacy",
    "d_universal_aerm_rate",
    "delta_subsample_size",
    "grid_packing",
    "hidden_support_risk",
    "log_delta_limit",
    "log_delta_limit_wlf16",
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
    "thresholds_population_excess_risk",
]
