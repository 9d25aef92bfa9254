"""Tables of the chapter on learnability in general: all exact, on problems with finitely many records."""

from privml.experiments.learnability_in_general.breaking import (
    broken_learners,
    dominated_problem,
    without_last,
)
from privml.experiments.learnability_in_general.convergence import grids_and_labellings
from privml.experiments.learnability_in_general.cycle import (
    circle,
    good_and_bad,
    printed_rate,
    switching_law,
    transformed,
)
from privml.experiments.learnability_in_general.landscape import landscape
from privml.experiments.learnability_in_general.memory import (
    TAILS,
    hidden_labels_average,
    hidden_labels_excess,
    memory_epsilon,
    memory_gap,
    memory_gaps,
    memory_numbers,
    memory_size,
    uniform_tail,
)
from privml.experiments.learnability_in_general.rates import (
    coin_rates,
    private_learnability,
    universal_excess_risk,
)
from privml.experiments.learnability_in_general.scope import (
    forgetful_curves,
    forgetful_epsilon,
    forgetful_gaps,
    forgetful_learner,
    forgetful_odds,
    slope,
)
from privml.experiments.learnability_in_general.table_one import loss_growth, private_instances, table_one
from privml.experiments.learnability_in_general.tumours import (
    tumour_answers,
    tumour_curves,
    tumour_problem,
)

__all__ = [
    "TAILS",
    "broken_learners",
    "circle",
    "coin_rates",
    "dominated_problem",
    "forgetful_curves",
    "forgetful_epsilon",
    "forgetful_gaps",
    "forgetful_learner",
    "forgetful_odds",
    "good_and_bad",
    "grids_and_labellings",
    "hidden_labels_average",
    "hidden_labels_excess",
    "landscape",
    "loss_growth",
    "memory_epsilon",
    "memory_gap",
    "memory_gaps",
    "memory_numbers",
    "memory_size",
    "printed_rate",
    "private_instances",
    "private_learnability",
    "slope",
    "switching_law",
    "table_one",
    "transformed",
    "tumour_answers",
    "tumour_curves",
    "tumour_problem",
    "uniform_tail",
    "universal_excess_risk",
    "without_last",
]
