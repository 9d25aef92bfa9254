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
from privml.learners.experts.runs import (
    RunCurves,
    action_sequence_distribution,
    expected_regret,
    regret,
    run_curves,
)

__all__ = [
    name
    for name, member in globals().items()
    if getattr(member, "__module__", "").startswith(__name__)
]
__dir__ = __all__.copy
