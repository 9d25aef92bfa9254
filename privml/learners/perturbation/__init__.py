"""Learners that add noise: to the minimiser, to the objective, to every gradient, to means and second moments.

All are for records in the unit ball and replace-one, gradients of batches for add-or-remove-one;
:func:`~privml.learners.preprocessing.centred_rows` brings records there by declared ranges.
"""

from privml.learners.perturbation.base import (
    CutLogisticLoss,
    RadialLaplace,
    output_sensitivity,
    vector_noise,
)
from privml.learners.perturbation.descent import (
    NoisyGradientDescent,
    descent_schedule,
    sampled_gaussian_mu,
)
from privml.learners.perturbation.minimisers import (
    MeanClassifier,
    ObjectivePerturbation,
    OutputPerturbation,
    tilt_budget,
    tilt_noise,
    tilted_gaussian_mu,
)
from privml.learners.perturbation.regression import PrivateLinearRegression

__all__ = [
    name
    for name, member in globals().items()
    if getattr(member, "__module__", "").startswith(__name__)
]
__dir__ = __all__.copy
