"""Learning from statistical queries: oracles, learners that see nothing else, and parities.

=================================================  =====================================================
oracle                                             answers with
=================================================  =====================================================
:class:`ExactOracle`                               the mean over the population
:class:`AdversarialOracle`                         whatever a rule chooses within a tolerance
:class:`ParityAdversary`                           the same, for a parity not yet chosen
:class:`SampleOracle`                              empirical means
:class:`PrivateSQOracle`                           empirical means with noise
=================================================  =====================================================

:class:`ConjunctionSQLearner`, :class:`StumpSQLearner` and :class:`LinearSQLearner` ask;
:class:`PrivateSQClassifier` makes a private estimator of any of them.  Parities cannot be learned so;
:class:`PrivateParityLearner` learns them privately in another way.
"""

from privml.learners.statistical_queries.base import SQLearner, SQOracle, query_values
from privml.learners.statistical_queries.classifier import PrivateSQClassifier
from privml.learners.statistical_queries.conjunctions import ConjunctionSQLearner
from privml.learners.statistical_queries.gradient import LinearSQLearner
from privml.learners.statistical_queries.oracles import (
    AdversarialOracle,
    ExactOracle,
    SampleOracle,
    expectation,
    towards,
)
from privml.learners.statistical_queries.overfitting import SignedMajority, SignedMajoritySQLearner
from privml.learners.statistical_queries.parity_adversary import (
    ParityAdversary,
    parity_truths,
    walsh_hadamard,
)
from privml.learners.statistical_queries.parity_learner import (
    PrivateParityLearner,
    parity_law,
    random_solution,
)
from privml.learners.statistical_queries.private import PrivateSQOracle, laplace_epsilon
from privml.learners.statistical_queries.stumps import StumpSQLearner

__all__ = [
    "AdversarialOracle",
    "ConjunctionSQLearner",
    "ExactOracle",
    "LinearSQLearner",
    "ParityAdversary",
    "PrivateParityLearner",
    "PrivateSQClassifier",
    "PrivateSQOracle",
    "SQLearner",
    "SQOracle",
    "SampleOracle",
    "SignedMajority",
    "SignedMajoritySQLearner",
    "StumpSQLearner",
    "expectation",
    "laplace_epsilon",
    "parity_law",
    "parity_truths",
    "query_values",
    "random_solution",
    "towards",
    "walsh_hadamard",
]
