"""What several releases cost together, and what a random subsample saves: the theorems, side by side.

There is no accountant: guarantees are values, and these functions turn them into others.  All but the
non-adaptive optimum for bounded range hold for mechanisms chosen in the light of earlier answers.
"""

from privml.composition.bounded_range import (
    nonadaptive_range_composition,
    nonadaptive_range_delta,
    nonadaptive_range_epsilon,
    nonadaptive_range_step_epsilon,
)
from privml.composition.numerical import (
    NumericalLoss,
    TwoSidedBound,
    finite_loss,
    gaussian_loss,
    laplace_loss,
    numerical_composition,
)
from privml.composition.optimal import (
    optimal_composition,
    optimal_delta,
    optimal_epsilon,
    optimal_step_epsilon,
)
from privml.composition.stopping import best_of_geometric, geometric_stopping
from privml.composition.subsamples import subsampled_mechanism
from privml.composition.subsampling import (
    amplified_epsilon,
    amplified_epsilon_wlf16,
    amplified_wlf16,
    no_repeat_probability,
    root_subsample_epsilon_wlf16,
    subsampled_poisson,
    subsampled_with_replacement,
    subsampled_without_replacement,
    subsampling_alone,
)
from privml.composition.sums import (
    advanced_composition,
    advanced_epsilon,
    basic_composition,
    bounded_range_composition,
    concentrated_composition,
    concentrated_step_epsilon,
    parallel_composition,
)

__all__ = [
    name
    for name, member in globals().items()
    if getattr(member, "__module__", "").startswith(__name__)
]
__dir__ = __all__.copy
