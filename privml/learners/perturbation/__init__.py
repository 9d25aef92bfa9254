"""Learners that add noise: to the minimiser, to the objective, to every gradient, to a mean.

All are for records in the unit ball and replace-one; :func:`centred_rows` brings records there by declared
ranges.
"""

from privml.learners.perturbation.descent import (
    NoisyGradientDescent,
    Schedule,
    descent_mu,
    descent_schedule,
)
from privml.learners.perturbation.losses import CutLogisticLoss
from privml.learners.perturbation.noise import RadialLaplace
from privml.learners.perturbation.objective import (
    ObjectivePerturbation,
    TiltBudget,
    objective_strength,
    tilt_budget,
    tilt_mean_square,
    tilted_gaussian_mu,
)
from privml.learners.perturbation.output import (
    MeanClassifier,
    OutputPerturbation,
    output_sensitivity,
    output_strength,
    vector_mean_square,
    vector_noise,
)
from privml.learners.perturbation.scaling import PublicScaler, centred_rows

__all__ = [
    "CutLogisticLoss",
    "MeanClassifier",
    "NoisyGradientDescent",
    "ObjectivePerturbation",
    "OutputPerturbation",
    "PublicScaler",
    "RadialLaplace",
    "Schedule",
    "TiltBudget",
    "centred_rows",
    "descent_mu",
    "descent_schedule",
    "objective_strength",
    "output_sensitivity",
    "output_strength",
    "tilt_budget",
    "tilt_mean_square",
    "tilted_gaussian_mu",
    "vector_mean_square",
    "vector_noise",
]
