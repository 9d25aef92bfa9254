"""Mechanisms that look right and are not, and classes that break a claim, by the theorem that they break.

The mechanisms exist to be caught: an auditor that lets one of them pass is broken.
"""

from privml.counterexamples.selection import (
    clipped_after_scoring,
    half_sensitivity,
    vote_counts,
    wrong_scale,
)
from privml.counterexamples.sparse_vector import (
    no_cutoff,
    no_query_noise,
    query_noise_without_cutoff,
    reused_query_noise,
)
from privml.counterexamples.subsampling import place_reader
from privml.counterexamples.vote_class import median_class, union_class

__all__ = [
    "clipped_after_scoring",
    "half_sensitivity",
    "median_class",
    "no_cutoff",
    "no_query_noise",
    "place_reader",
    "query_noise_without_cutoff",
    "reused_query_noise",
    "union_class",
    "vote_counts",
    "wrong_scale",
]
