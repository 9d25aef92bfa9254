"""PATE: private aggregation of teacher ensembles, from the split of the records to the student."""

from privml.pate.active import (
    Stage,
    VersionSpaceRun,
    disagreement_coefficient,
    disagreement_radii,
    disagreement_region,
    version_space_learning,
)
from privml.pate.aggregation import (
    NO_ANSWER,
    Answers,
    ConfidentAggregator,
    GaussianAggregator,
    NoisyMaxAggregator,
    SparseVectorAggregator,
    VoteStream,
    vote_noise,
    vote_sigma,
    vote_threshold,
)
from privml.pate.counts import NoisyCounts, noisy_counts, readable_teachers
from privml.pate.finishing import finishing_probability, unstable_probability
from privml.pate.oracle import ActiveRun, active_learning
from privml.pate.shares import CountedRun, CountStudent, count_learning, count_student
from privml.pate.spent import ex_post_epsilon, stopping_delta
from privml.pate.student import PATEClassifier
from privml.pate.taught import Taught, taught_student
from privml.pate.teachers import Teachers, even_parts, fit_teachers, independent_parts
from privml.pate.votes import (
    majority_probability,
    realised_margin,
    vote_closure,
    vote_counts,
    vote_distance,
    weakly_supported,
)
from privml.pate.voting import (
    InfiniteEnsemble,
    erm_law,
    expected_margin,
    high_margin_mass,
    infinite_ensemble,
)

__all__ = [
    "NO_ANSWER",
    "ActiveRun",
    "Answers",
    "ConfidentAggregator",
    "CountStudent",
    "CountedRun",
    "GaussianAggregator",
    "InfiniteEnsemble",
    "NoisyCounts",
    "NoisyMaxAggregator",
    "PATEClassifier",
    "SparseVectorAggregator",
    "Stage",
    "Taught",
    "Teachers",
    "VersionSpaceRun",
    "VoteStream",
    "active_learning",
    "disagreement_coefficient",
    "disagreement_radii",
    "disagreement_region",
    "count_learning",
    "count_student",
    "erm_law",
    "even_parts",
    "ex_post_epsilon",
    "expected_margin",
    "finishing_probability",
    "fit_teachers",
    "high_margin_mass",
    "independent_parts",
    "infinite_ensemble",
    "majority_probability",
    "noisy_counts",
    "readable_teachers",
    "realised_margin",
    "taught_student",
    "version_space_learning",
    "stopping_delta",
    "unstable_probability",
    "vote_closure",
    "vote_counts",
    "vote_distance",
    "vote_noise",
    "vote_sigma",
    "vote_threshold",
    "weakly_supported",
]
