"""Tables of the chapter that compares private learners: exact losses, excess risks, accuracies on real
records."""

from privml.experiments.private_learners_side_by_side.laws import (
    least_total,
    line_losses,
    tilt_deviations,
    unsquared_losses,
    worst_loss,
)
from privml.experiments.private_learners_side_by_side.quoted import quoted
from privml.experiments.private_learners_side_by_side.real_data import accuracies, committed, curves, duel
from privml.experiments.private_learners_side_by_side.risks import (
    best_in_ball,
    proved,
    proved_and_measured,
)
from privml.experiments.private_learners_side_by_side.synthetic import chosen_norm, committed_norms

__all__ = [
    "accuracies",
    "best_in_ball",
    "chosen_norm",
    "committed",
    "committed_norms",
    "curves",
    "duel",
    "least_total",
    "line_losses",
    "proved",
    "proved_and_measured",
    "quoted",
    "tilt_deviations",
    "unsquared_losses",
    "worst_loss",
]
