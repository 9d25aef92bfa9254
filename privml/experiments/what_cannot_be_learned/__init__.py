"""Tables of the chapter on what cannot be learned: packings against learners, and hidden supports."""

from privml.experiments.what_cannot_be_learned.domains import (
    best_risk_gap,
    missing_masses,
    private_supports,
    subset_selection_risk,
)
from privml.experiments.what_cannot_be_learned.readings import digits, tumour_readings
from privml.experiments.what_cannot_be_learned.thresholds import (
    between,
    crossing_sizes,
    mass_inside,
    risk_by_size,
    union_of_intervals,
)

__all__ = [
    "best_risk_gap",
    "between",
    "crossing_sizes",
    "digits",
    "mass_inside",
    "missing_masses",
    "private_supports",
    "risk_by_size",
    "subset_selection_risk",
    "tumour_readings",
    "union_of_intervals",
]
