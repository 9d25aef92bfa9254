"""What a type checker sees of `privml.learners`, whose names are imported when they are first used."""

from privml.learners.best_subset import PrivateBestSubset as PrivateBestSubset
from privml.learners.boosting import (
    PrivateConfidenceBooster as PrivateConfidenceBooster,
)
from privml.learners.boosting import boosted_distribution as boosted_distribution
from privml.learners.erm import ERM as ERM
from privml.learners.erm import erm_mistake_learner as erm_mistake_learner
from privml.learners.exponential import ExponentialPACLearner as ExponentialPACLearner
from privml.learners.exponential import (
    exponential_mistake_learner as exponential_mistake_learner,
)
from privml.learners.linear import LinearLearner as LinearLearner
from privml.learners.penalised_erm.estimators import (
    ExponentialLinearSVC as ExponentialLinearSVC,
)
from privml.learners.penalised_erm.estimators import (
    ExponentialLogisticRegression as ExponentialLogisticRegression,
)
from privml.learners.penalised_erm.estimators import (
    ExponentialRidge as ExponentialRidge,
)
from privml.learners.perturbation import MeanClassifier as MeanClassifier
from privml.learners.perturbation import NoisyGradientDescent as NoisyGradientDescent
from privml.learners.perturbation import ObjectivePerturbation as ObjectivePerturbation
from privml.learners.perturbation import OutputPerturbation as OutputPerturbation
from privml.learners.perturbation import (
    PrivateLinearRegression as PrivateLinearRegression,
)
from privml.learners.pipelines import PrivatePipeline as PrivatePipeline
from privml.learners.pipelines import private_pipeline as private_pipeline
from privml.learners.pipelines import search_guarantee as search_guarantee
from privml.learners.preprocessing import PublicFourierFeatures as PublicFourierFeatures
from privml.learners.preprocessing import PublicScaler as PublicScaler
from privml.learners.preprocessing import UnscaledWarning as UnscaledWarning
from privml.learners.preprocessing import centred_rows as centred_rows
from privml.learners.preprocessing import unit_rows as unit_rows
from privml.learners.representation import RandomStumps as RandomStumps
from privml.learners.representation import (
    ReferenceCoverLearner as ReferenceCoverLearner,
)
from privml.learners.representation import (
    RepresentationLearner as RepresentationLearner,
)
from privml.learners.representation import greedy_cover as greedy_cover
from privml.learners.search import PrivateRandomSearch as PrivateRandomSearch
from privml.learners.statistical_queries import (
    PrivateParityLearner as PrivateParityLearner,
)
from privml.learners.statistical_queries import (
    PrivateSQClassifier as PrivateSQClassifier,
)
from privml.learners.statistical_queries import PrivateSQOracle as PrivateSQOracle
