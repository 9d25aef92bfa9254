"""PATE: private aggregation of teacher ensembles, from the split of the records to the student."""

from privml.pate.aggregation import (
    NO_ANSWER,
    Answers,
    ConfidentAggregator,
    GaussianAggregator,
    NoisyMaxAggregator,
    SparseVectorAggregator,
    VoteStream,
    affordable_queries,
    vote_noise,
    vote_sigma,
    vote_threshold,
)
from privml.pate.teachers import Teachers, even_parts, fit_teachers, independent_parts
from privml.pate.votes import realised_margin, vote_counts, vote_distance

__all__ = [
    "NO_ANSWER",
    "Answers",
    "ConfidentAggregator",
    "GaussianAggregator",
    "NoisyMaxAggregator",
    "SparseVectorAggregator",
    "Teachers",
    "VoteStream",
    "affordable_queries",
    "even_parts",
    "fit_teachers",
    "independent_parts",
    "realised_margin",
    "vote_counts",
    "vote_distance",
    "vote_noise",
    "vote_sigma",
    "vote_threshold",
]
