"""PATE: private aggregation of teacher ensembles, from the split of the records to the student."""

from importlib import import_module
from typing import Any

_HOMES = {
    "active": "Stage VersionSpaceRun disagreement_coefficient disagreement_radii disagreement_region "
    "version_space_learning",
    "aggregation": "NO_ANSWER Answers VoteAggregator VoteStream",
    "counts": "CountStudent CountedRun NoisyCounts count_learning count_student noisy_counts",
    "noisy_votes": "ConfidentAggregator GaussianAggregator NoisyMaxAggregator ex_post_epsilon "
    "readable_teachers vote_sigma",
    "disagreement": "ActiveRun active_learning",
    "labels": "Taught taught_student",
    "sparse_vector": "SparseVectorAggregator vote_noise vote_threshold",
    "student": "PATEClassifier",
    "teachers": "Teachers fit_teachers independent_parts",
    "votes": "InfiniteEnsemble teacher_law expected_margin high_margin_mass infinite_ensemble "
    "majority_probability realised_margin vote_closure vote_counts vote_distance weakly_supported",
}
_HOMES = {name: home for home, names in _HOMES.items() for name in names.split()}

__all__ = [*_HOMES]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
