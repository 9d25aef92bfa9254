"""Tables of the chapter on generalisation: exact, but for the simulated analyst."""

from privml.experiments.generalisation_for_free.centres import centre_moves, noisy_centres, two_routes
from privml.experiments.generalisation_for_free.game import (
    adaptive_errors,
    answer_errors,
    answer_rates,
    noise_sweep,
)
from privml.experiments.generalisation_for_free.monitor import (
    monitor_audit,
    monitor_promises,
    monitored_by_runs,
)
from privml.experiments.generalisation_for_free.promises import (
    log_odds,
    mean_gaps,
    records_needed,
    tails_by_deviation,
    worst_gaps,
)

__all__ = [
    "adaptive_errors",
    "answer_errors",
    "answer_rates",
    "centre_moves",
    "log_odds",
    "mean_gaps",
    "monitor_audit",
    "monitor_promises",
    "monitored_by_runs",
    "noise_sweep",
    "noisy_centres",
    "records_needed",
    "tails_by_deviation",
    "two_routes",
    "worst_gaps",
]
