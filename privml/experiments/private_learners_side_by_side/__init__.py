"""Tables of the chapter that compares private learners: exact losses, excess risks, accuracies on real
records."""

from privml.experiments.private_learners_side_by_side.laws import (
    least_total,
    line_losses,
    tilt_deviations,
    unsquared_losses,
    worst_loss,
)
from privml.experiments.private_learners_side_by_side.methods import METHODS, Yardstick, fitted, not_private
from privml.experiments.private_learners_side_by_side.quoted import quoted
from privml.experiments.private_learners_side_by_side.real_data import accuracies, committed, curves, duel
from privml.experiments.private_learners_side_by_side.risks import (
    best_in_ball,
    proved,
    proved_and_measured,
)
from privml.experiments.private_learners_side_by_side.synthetic import (
    chosen_norm,
    committed_norms,
    norms,
    sample,
)

__all__ = [
    "METHODS",
    "Yardstick",
    "accuracies",
    "best_in_ball",
    "chosen_norm",
    "committed",
    "committed_norms",
    "curves",
    "duel",
    "fitted",
    "least_total",
    "line_losses",
    "norms",
    "not_private",
    "proved",
    "proved_and_measured",
    "quoted",
    "sample",
    "tilt_deviations",
    "unsquared_losses",
    "worst_loss",
]
