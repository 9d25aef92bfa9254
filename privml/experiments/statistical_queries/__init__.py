"""Tables of the chapter on statistical queries: bounds next to exact errors, laws and audits."""

from privml.experiments.statistical_queries.adaptive import last_answers, simulated_runs, violations
from privml.experiments.statistical_queries.learners import worst_errors
from privml.experiments.statistical_queries.oracle import clinic, noise_of_answers, oracle_audits
from privml.experiments.statistical_queries.parities import (
    exact_parity_failure,
    most_ruled_out,
    parities_left,
    parity_audits,
    parity_failures,
)
from privml.experiments.statistical_queries.real_data import chosen_stumps, tumours
from privml.experiments.statistical_queries.sizes import bound_and_need, exact_size, prices, sample_sizes

__all__ = [
    "bound_and_need",
    "chosen_stumps",
    "clinic",
    "exact_parity_failure",
    "exact_size",
    "last_answers",
    "most_ruled_out",
    "noise_of_answers",
    "oracle_audits",
    "parities_left",
    "parity_audits",
    "parity_failures",
    "prices",
    "sample_sizes",
    "simulated_runs",
    "tumours",
    "violations",
    "worst_errors",
]
