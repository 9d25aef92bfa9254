"""Learnability: problems, stability, and what private learners can and cannot do, computed exactly.

Besides the vocabulary of the package: ``n_records`` is the size of the universe of a finite problem,
``counts`` says how often each record occurs, with shape (n_datasets, n_records), and ``law`` is a learner as
a map from these to probabilities of the hypotheses, of shape (n_datasets, n_hypotheses).
"""

from importlib import import_module
from typing import Any

_HOMES = {
    "problem": "CountLaw LearningProblem OrderedLaw cliques count_vectors neighbours rows_of "
    "sample_probabilities simplex_grid",
    "problems": "coin_problem finite_subsets_problem rescaled_problem thresholds_problem",
    "table": "rows",
    "laws": "SubsampledLearner constant_law erm_law exponential_law hypergeometric_weights "
    "permute_and_flip_law resampled_law root_size subsample_guarantee subset_law",
    "stability": "exact_privacy expected_gap_from_privacy generalisation_deviation generalisation_tail "
    "posterior_mean replace_one_stability stability_from_bounded_range stability_from_privacy "
    "total_variation_stability",
    "risks": "aerm_gaps always_aerm_gap expected_aerm_gap expected_excess_risk "
    "expected_risks generalisation_gap on_average_stability worst_distribution",
    "impossibility": "Packing grid_packing packing_excess_risk thresholds_excess_risk",
    "program": "symmetry",
    "optimal": "OptimalLearner largest_ratio optimal_learner",
    "approximate": "optimal_approximate_learner",
    "tradeoff": "OptimalTradeoff optimal_tradeoff",
}
_MODULES = {name: module for module, names in _HOMES.items() for name in names.split()}

__all__ = sorted(_MODULES)


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)


def __dir__() -> list[str]:
    return __all__
