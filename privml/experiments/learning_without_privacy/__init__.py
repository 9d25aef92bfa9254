"""Tables of the chapter on learning without privacy: bounds next to the exact probabilities they bound.

The running example is a clinic: a reading takes the values 0, 1, ..., 9, all equally likely; from 5 on a
patient should be treated, each recorded label is flipped with probability `noise`, and the candidate rules
treat from a cut point on.
"""

from privml.experiments.learning_without_privacy.base import all_samples, clinic, coin
from privml.experiments.learning_without_privacy.deviations import (
    class_deviation,
    deviation_probability,
    errors_on_one_sample,
    single_tails,
    tail_check,
)
from privml.experiments.learning_without_privacy.erm import erm_chain, erm_failure, erm_sample_sizes
from privml.experiments.learning_without_privacy.errata import printed_goal, printed_sampling_bound
from privml.experiments.learning_without_privacy.privacy import erm_audit

__all__ = [
    "all_samples",
    "class_deviation",
    "clinic",
    "coin",
    "deviation_probability",
    "erm_audit",
    "erm_chain",
    "erm_failure",
    "erm_sample_sizes",
    "errors_on_one_sample",
    "printed_goal",
    "printed_sampling_bound",
    "single_tails",
    "tail_check",
]
