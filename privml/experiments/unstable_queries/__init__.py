"""Tables of the chapter on paying only for unstable queries.

Everything is exact: the law of an answer in closed form, transcripts and runs by quadrature over the noise of
the threshold, audits of all neighbouring votes, bounds with every constant.
"""

from privml.experiments.unstable_queries.answers import (
    all_answered,
    answer_by_margin,
    chance_of_a_slip,
    failing_lemma,
)
from privml.experiments.unstable_queries.audits import audit_of_stable_labels
from privml.experiments.unstable_queries.costs import bound_by_public, constants, margins_needed

__all__ = [
    "all_answered",
    "answer_by_margin",
    "audit_of_stable_labels",
    "bound_by_public",
    "chance_of_a_slip",
    "constants",
    "failing_lemma",
    "margins_needed",
]
