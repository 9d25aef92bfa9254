"""Tables of the chapter on privacy and stability: everything is exact, but for the splits of the tumours."""

from privml.experiments.privacy_is_stability.base import learners, mean_law, median_problem, problems
from privml.experiments.privacy_is_stability.chain import (
    SKEWED,
    chain_links,
    finite_class_bound,
    finite_class_table,
    gaps_by_size,
    grid_size,
    identity_by_hand,
    optimism_table,
    random_learners,
    rates,
)
from privml.experiments.privacy_is_stability.constants import (
    bounds_by_epsilon,
    bounds_with_delta,
    divergences,
    order_and_stability,
    response_stability,
    stability_table,
    stable_but_not_private,
    subsampled_constants,
)
from privml.experiments.privacy_is_stability.implications import implications
from privml.experiments.privacy_is_stability.memory import memorising, memorising_error, tumour_gaps

__all__ = [
    "SKEWED",
    "bounds_by_epsilon",
    "bounds_with_delta",
    "chain_links",
    "divergences",
    "finite_class_bound",
    "finite_class_table",
    "gaps_by_size",
    "grid_size",
    "identity_by_hand",
    "implications",
    "learners",
    "mean_law",
    "median_problem",
    "memorising",
    "memorising_error",
    "optimism_table",
    "order_and_stability",
    "problems",
    "random_learners",
    "rates",
    "response_stability",
    "stability_table",
    "stable_but_not_private",
    "subsampled_constants",
    "tumour_gaps",
]
