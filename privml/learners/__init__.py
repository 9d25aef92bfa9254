"""Learners: scikit-learn estimators that select a hypothesis, and the laws of what they select.

`privacy_` is the guarantee of one fit, and of a :class:`PrivatePipeline` that of all its steps.  A fit that
is one of many, as in a grid search, warns of it: :func:`search_guarantee` has the total, and a choice by
held-out private records has none.  Nothing that depends on the records stays in a fitted learner but the
attributes that its class lists.

**Time.** A guarantee is about what a fit returns, and never about how long it takes, which may depend on the
records: let nobody see it who must not see them, and let nobody wait for it but the one who fits.
"""

from privml.learners.best_subset import PrivateBestSubset
from privml.learners.boosting import PrivateConfidenceBooster, boosted_law
from privml.learners.erm import ERM, erm_mistake_law
from privml.learners.exponential import ExponentialPACLearner, exponential_mistake_law
from privml.learners.linear import LinearLearner
from privml.learners.penalised_erm.estimators import (
    ExponentialLinearSVC,
    ExponentialLogisticRegression,
    ExponentialRidge,
)
from privml.learners.perturbation import (
    MeanClassifier,
    NoisyGradientDescent,
    ObjectivePerturbation,
    OutputPerturbation,
)
from privml.learners.pipelines import PrivatePipeline, private_pipeline, search_guarantee
from privml.learners.preprocessing import (
    PublicFourierFeatures,
    PublicScaler,
    UnscaledWarning,
    centred_rows,
    unit_rows,
)
from privml.learners.representation import (
    RandomStumps,
    ReferenceCoverLearner,
    RepresentationLearner,
    greedy_cover,
)
from privml.learners.statistical_queries import PrivateParityLearner, PrivateSQClassifier, PrivateSQOracle

__all__ = [name for name, thing in globals().items() if getattr(thing, "__module__", "").startswith(__name__)]
__dir__ = __all__.copy
