"""What a type checker sees of `privml`, whose names are imported when they are first used."""

from privml import adjacency as adjacency
from privml import audit as audit
from privml import bounds as bounds
from privml import coins as coins
from privml import composed as composed
from privml import composition as composition
from privml import counterexamples as counterexamples
from privml import datasets as datasets
from privml import distributions as distributions
from privml import divergences as divergences
from privml import figures as figures
from privml import guarantee as guarantee
from privml import hypotheses as hypotheses
from privml import learnability as learnability
from privml import learners as learners
from privml import mechanisms as mechanisms
from privml import notebook as notebook
from privml import pac as pac
from privml import pate as pate
from privml import populations as populations
from privml import queries as queries
from privml import results as results
from privml import statistics as statistics
from privml.adjacency import Adjacency as Adjacency
from privml.composed import calibrate_noise_scale as calibrate_noise_scale
from privml.composed import compose as compose
from privml.distributions import Categorical as Categorical
from privml.distributions import DiscreteGaussian as DiscreteGaussian
from privml.distributions import DiscreteLaplace as DiscreteLaplace
from privml.distributions import Gaussian as Gaussian
from privml.distributions import Laplace as Laplace
from privml.guarantee import BoundedRangeGuarantee as BoundedRangeGuarantee
from privml.guarantee import ConcentratedGuarantee as ConcentratedGuarantee
from privml.guarantee import GaussianGuarantee as GaussianGuarantee
from privml.guarantee import Guarantee as Guarantee
from privml.learners import ERM as ERM
from privml.learners import (
    ExponentialLogisticRegression as ExponentialLogisticRegression,
)
from privml.learners import ExponentialPACLearner as ExponentialPACLearner
from privml.learners import LinearLearner as LinearLearner
from privml.learners import NoisyGradientDescent as NoisyGradientDescent
from privml.learners import ObjectivePerturbation as ObjectivePerturbation
from privml.learners import OutputPerturbation as OutputPerturbation
from privml.learners import PrivateBestSubset as PrivateBestSubset
from privml.learners import PrivateConfidenceBooster as PrivateConfidenceBooster
from privml.learners import PrivateParityLearner as PrivateParityLearner
from privml.learners import PrivateSQClassifier as PrivateSQClassifier
from privml.learners import PrivateSQOracle as PrivateSQOracle
from privml.mechanisms import DiscreteGaussianMechanism as DiscreteGaussianMechanism
from privml.mechanisms import DiscreteLaplaceMechanism as DiscreteLaplaceMechanism
from privml.mechanisms import ExponentialMechanism as ExponentialMechanism
from privml.mechanisms import GaussianMechanism as GaussianMechanism
from privml.mechanisms import LaplaceMechanism as LaplaceMechanism
from privml.mechanisms import Mechanism as Mechanism
from privml.mechanisms import PermuteAndFlip as PermuteAndFlip
from privml.mechanisms import RandomisedResponse as RandomisedResponse
from privml.pate import PATEClassifier as PATEClassifier
from privml.populations import FinitePopulation as FinitePopulation
from privml.statistics import PrivateCount as PrivateCount
from privml.statistics import PrivateHistogram as PrivateHistogram
from privml.statistics import PrivateMean as PrivateMean
from privml.statistics import PrivateQuantile as PrivateQuantile
from privml.statistics import PrivateRunningCounts as PrivateRunningCounts
from privml.statistics import PrivateSum as PrivateSum
from privml.statistics import bound_contributions as bound_contributions

__version__: str
__all__: list[str]
