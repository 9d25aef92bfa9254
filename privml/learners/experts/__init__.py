"""Learning from expert advice, privately: randomised weighted majority, its regret and its privacy.

In each round the learner chooses an expert, then sees the losses of all of them.  Two loss sequences are
neighbours when they differ in one round, in as many entries as may be.
"""

from privml.learners.experts.majority import (
    Play,
    RandomizedWeightedMajority,
    action_probabilities,
    actions,
    log_action_probabilities,
    play,
)
from privml.learners.experts.privacy import (
    PrivateRun,
    concentrated_run,
    private_actions,
    private_eta,
    round_guarantee,
    run_guarantee,
)
from privml.learners.experts.runs import RunCurves, action_sequence_law, expected_regret, regret, run_curves

__all__ = [
    "Play",
    "PrivateRun",
    "RandomizedWeightedMajority",
    "RunCurves",
    "action_probabilities",
    "action_sequence_law",
    "actions",
    "concentrated_run",
    "expected_regret",
    "log_action_probabilities",
    "play",
    "private_actions",
    "private_eta",
    "regret",
    "round_guarantee",
    "run_curves",
    "run_guarantee",
]
