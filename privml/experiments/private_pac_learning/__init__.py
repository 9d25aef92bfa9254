"""Tables of the chapter on what can be learned privately: bounds next to exact sample sizes and laws."""

from privml.experiments.private_pac_learning.base import crowd, crowd_erm_law, crowd_law, ward
from privml.experiments.private_pac_learning.dimension import (
    samples_and_weights,
    sauer_shelah_check,
    shattered_sets,
)
from privml.experiments.private_pac_learning.errata import (
    arrows,
    crowd_failure,
    one_sided_and_split,
    printed_goal,
    proof_check,
    size_without_class,
    transcribed_size,
)
from privml.experiments.private_pac_learning.lower import large_threshold_class, threshold_sizes
from privml.experiments.private_pac_learning.privacy import learner_audit, sensitivities, two_ways_to_score
from privml.experiments.private_pac_learning.real_data import (
    breast_cancer,
    committed_mushrooms,
    stump_accuracy,
)
from privml.experiments.private_pac_learning.sizes import (
    exact_size,
    failures_at_promised_sizes,
    prices,
    promised_sizes,
    sample_sizes,
)
from privml.experiments.private_pac_learning.training import training_gap, worst_failure

__all__ = [
    "arrows",
    "breast_cancer",
    "committed_mushrooms",
    "crowd",
    "crowd_erm_law",
    "crowd_failure",
    "crowd_law",
    "exact_size",
    "failures_at_promised_sizes",
    "large_threshold_class",
    "learner_audit",
    "one_sided_and_split",
    "prices",
    "printed_goal",
    "promised_sizes",
    "proof_check",
    "sample_sizes",
    "samples_and_weights",
    "sauer_shelah_check",
    "sensitivities",
    "shattered_sets",
    "size_without_class",
    "stump_accuracy",
    "threshold_sizes",
    "training_gap",
    "transcribed_size",
    "two_ways_to_score",
    "ward",
    "worst_failure",
]
