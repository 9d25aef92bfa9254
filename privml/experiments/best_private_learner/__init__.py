"""Tables of the chapter on the best private learner: the optimum beside mechanisms and bounds."""

from privml.experiments.best_private_learner.curves import (
    best_prior_excess,
    excess_by_epsilon,
    excess_by_samples,
    shares,
    two_answer_shares,
)
from privml.experiments.best_private_learner.laws import (
    by_hand,
    coin_laws,
    constraint_use,
    few_laws,
    geometric_rule,
    geometric_value,
)
from privml.experiments.best_private_learner.objective import (
    classes_of_distributions,
    more_records,
    objective_curves,
    point_masses,
    tradeoff_chain,
    without_minimiser,
    worst_excess_risk,
)

__all__ = [
    "best_prior_excess",
    "by_hand",
    "classes_of_distributions",
    "coin_laws",
    "constraint_use",
    "excess_by_epsilon",
    "excess_by_samples",
    "few_laws",
    "geometric_rule",
    "geometric_value",
    "more_records",
    "objective_curves",
    "point_masses",
    "shares",
    "tradeoff_chain",
    "two_answer_shares",
    "without_minimiser",
    "worst_excess_risk",
]
