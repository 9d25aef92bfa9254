"""PATE: private aggregation of teacher ensembles, from the split of the records to the student."""

from privml.pate.teachers import Teachers, even_parts, fit_teachers, independent_parts
from privml.pate.votes import realised_margin, vote_counts, vote_distance

__all__ = [
    "Teachers",
    "even_parts",
    "fit_teachers",
    "independent_parts",
    "realised_margin",
    "vote_counts",
    "vote_distance",
]
