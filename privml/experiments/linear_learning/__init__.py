"""Tables of the chapter on linear learning: exact privacy, exact risk, and real records."""

from privml.experiments.linear_learning.privacy import (
    average_curve,
    beyond_the_limit,
    extreme_pair,
    one_round,
    rates,
    small_audits,
    spent_curves,
)
from privml.experiments.linear_learning.quoted import beside_quoted, quoted
from privml.experiments.linear_learning.real_data import breast_cancer, by_epsilon, committed_a9a
from privml.experiments.linear_learning.risk import (
    by_learning_rate,
    coin_excess,
    coin_quantile,
    constant_excess,
    price,
    promised_sizes,
    unlimited_epsilon,
)

__all__ = [
    "average_curve",
    "beside_quoted",
    "beyond_the_limit",
    "breast_cancer",
    "by_epsilon",
    "by_learning_rate",
    "coin_excess",
    "coin_quantile",
    "committed_a9a",
    "constant_excess",
    "extreme_pair",
    "one_round",
    "price",
    "promised_sizes",
    "quoted",
    "rates",
    "small_audits",
    "spent_curves",
    "unlimited_epsilon",
]
