"""Learning from expert advice, privately: randomised weighted majority, its regret and its privacy.

A *loss sequence* is an array of shape (n_rounds, n_experts) with entries in a public interval, [0, 1] if
nothing is said.  In each round the learner chooses an expert, then sees the losses of all of them.  Two loss
sequences are neighbours when they differ in one round, in as many entries as may be.
"""

from privml.learners.experts.adversaries import (
    WorstLosses,
    random_losses,
    rotating_losses,
    worst_losses,
    worst_losses_of_two,
)
from privml.learners.experts.horizon import (
    decreasing_regret_bound,
    doubling_epochs,
    doubling_probabilities,
    doubling_regret_bound,
    lasting_eta,
    schedule_guarantee,
)
from privml.learners.experts.majority import (
    action_probabilities,
    actions,
    log_action_probabilities,
    multiplicative_losses,
    probability_blocks,
)
from privml.learners.experts.online import OnlineLearner, Play, RandomizedWeightedMajority, play
from privml.learners.experts.privacy import (
    concentrated_run,
    four_times_excess,
    private_eta,
    round_guarantee,
    run_guarantee,
)
from privml.learners.experts.regret import (
    AverageLosses,
    average_losses,
    expected_regret,
    expected_regrets,
    regret,
    total_loss_law,
)
from privml.learners.experts.runs import RunCurves, action_sequence_law, loss_neighbours, run_curves

__all__ = [
    "AverageLosses",
    "OnlineLearner",
    "Play",
    "RandomizedWeightedMajority",
    "RunCurves",
    "WorstLosses",
    "action_probabilities",
    "action_sequence_law",
    "actions",
    "average_losses",
    "concentrated_run",
    "decreasing_regret_bound",
    "doubling_epochs",
    "doubling_probabilities",
    "doubling_regret_bound",
    "expected_regret",
    "expected_regrets",
    "four_times_excess",
    "lasting_eta",
    "log_action_probabilities",
    "loss_neighbours",
    "multiplicative_losses",
    "play",
    "private_eta",
    "probability_blocks",
    "random_losses",
    "regret",
    "rotating_losses",
    "round_guarantee",
    "run_curves",
    "run_guarantee",
    "schedule_guarantee",
    "total_loss_law",
    "worst_losses",
    "worst_losses_of_two",
]
