"""Tables of the chapter on teachers and votes.

All numbers are exact but for the teachers, which are trained on drawn records: laws of released labels in
closed form or by quadrature, privacy curves, audits of all neighbouring votes, optimal stopping.
"""

from privml.experiments.teachers_and_votes.accuracy import Wards, labels_by_teachers, wards
from privml.experiments.teachers_and_votes.privacy import (
    audit_of_labels,
    calibrations,
    curves_of_labels,
    even_split_delta,
    exact_epsilon,
    label_effective_mu,
)
from privml.experiments.teachers_and_votes.stopping import spent_by_use, worst_stops

__all__ = [
    "Wards",
    "audit_of_labels",
    "calibrations",
    "curves_of_labels",
    "even_split_delta",
    "exact_epsilon",
    "label_effective_mu",
    "labels_by_teachers",
    "spent_by_use",
    "wards",
    "worst_stops",
]
