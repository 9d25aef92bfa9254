"""Tables of the chapter on sparse vectors and stability.

A *crossing* query is one that is answered with yes; the others are *quiet*.  All queries have sensitivity 1.
Nearly everything here is exact: laws of transcripts by quadrature, privacy losses, failure probabilities.
Only the run over a year of calls is drawn.
"""

from privml.experiments.sparse_vectors.gallery import loss_by_length, shifted_loss, transcript_log_probability
from privml.experiments.sparse_vectors.helpline import (
    answers_of_a_year,
    audit_of_days,
    busy_year,
)
from privml.experiments.sparse_vectors.misprints import printed_refresh, printed_scale
from privml.experiments.sparse_vectors.noise import comparison_noise, exact_margins, split_table
from privml.experiments.sparse_vectors.profile import restarting_profile
from privml.experiments.sparse_vectors.stability import (
    answer_by_radius,
    best_answer_probability,
    majority_audit,
)

__all__ = [
    "answer_by_radius",
    "answers_of_a_year",
    "audit_of_days",
    "best_answer_probability",
    "busy_year",
    "comparison_noise",
    "exact_margins",
    "loss_by_length",
    "majority_audit",
    "printed_refresh",
    "printed_scale",
    "restarting_profile",
    "shifted_loss",
    "split_table",
    "transcript_log_probability",
]
