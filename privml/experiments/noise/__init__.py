"""Tables of the chapter on noise.

Records are whole numbers of days, from 0 to a public largest one.  Everything is exact or computed by
quadrature; only the answers in double precision are drawn.
"""

from privml.experiments.noise.answers import half_widths, released_cells
from privml.experiments.noise.calibration import calibrations, classical_deltas, curve_in_floats
from privml.experiments.noise.curves import (
    laplace_curves,
    losses,
    noise_curves,
    real_and_integer_noise,
)
from privml.experiments.noise.hole import (
    answers_in_half_precision,
    curves_in_half_precision,
    excluded_neighbours,
)
from privml.experiments.noise.sensitivity import histogram_audits, sensitivities, smallest_distance
from privml.experiments.noise.vectors import deviations, largest_errors

__all__ = [
    "answers_in_half_precision",
    "calibrations",
    "classical_deltas",
    "curve_in_floats",
    "curves_in_half_precision",
    "deviations",
    "excluded_neighbours",
    "half_widths",
    "histogram_audits",
    "laplace_curves",
    "largest_errors",
    "losses",
    "noise_curves",
    "real_and_integer_noise",
    "released_cells",
    "sensitivities",
    "smallest_distance",
]
