"""Learning from expert advice, privately: randomised weighted majority, its regret and its privacy.

A *loss sequence* is an array of shape (n_rounds, n_experts) with entries in a public interval, [0, 1] if
nothing is said.  In each round the learner chooses an expert, then sees the losses of all of them.
"""

from privml.learners.experts.majority import (
    action_probabilities,
    actions,
    multiplicative_losses,
    probability_blocks,
)
from privml.learners.experts.privacy import (
    concentrated_run,
    private_eta,
    round_guarantee,
    run_guarantee,
)

__all__ = [
    "action_probabilities",
    "actions",
    "concentrated_run",
    "multiplicative_losses",
    "private_eta",
    "probability_blocks",
    "round_guarantee",
    "run_guarantee",
]
