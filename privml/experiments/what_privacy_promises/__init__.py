"""Tables of the chapter on what differential privacy promises.

Records are bits: the answers to a yes-or-no question.  Everything is exact: laws are computed, data sets
and events enumerated.
"""

from privml.experiments.what_privacy_promises.attacks import (
    attack_limits,
    dominated_pairs,
    trade_off_by_lines,
    trade_offs,
)
from privml.experiments.what_privacy_promises.base import (
    admission_law,
    admission_probabilities,
    answer_list_law,
    answers_by_name_law,
    name_and_shame_law,
    yes_count_law,
)
from privml.experiments.what_privacy_promises.beliefs import (
    family_odds,
    parity_beliefs,
    random_beliefs,
    smoking_study,
)
from privml.experiments.what_privacy_promises.curves import (
    exposures,
    loss_tail,
    maps_of_outcomes,
    neighbouring_counts,
    privacy_curves,
)
from privml.experiments.what_privacy_promises.groups import group_delta, printed_group_bound, two_relations

__all__ = [
    "admission_law",
    "admission_probabilities",
    "answer_list_law",
    "answers_by_name_law",
    "attack_limits",
    "dominated_pairs",
    "exposures",
    "family_odds",
    "group_delta",
    "loss_tail",
    "maps_of_outcomes",
    "name_and_shame_law",
    "neighbouring_counts",
    "parity_beliefs",
    "printed_group_bound",
    "privacy_curves",
    "random_beliefs",
    "smoking_study",
    "trade_off_by_lines",
    "trade_offs",
    "two_relations",
    "yes_count_law",
]
