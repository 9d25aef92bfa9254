"""Learning from statistical queries: oracles, learners that see nothing else, and parities.

=================================================  =====================================================
oracle                                             answers with
=================================================  =====================================================
:class:`AdversarialOracle`                         whatever a rule chooses within a tolerance
:class:`SampleOracle`                              empirical means
:class:`PrivateSQOracle`                           empirical means with noise
=================================================  =====================================================

:class:`ConjunctionSQLearner`, :class:`StumpSQLearner` and :class:`LinearSQLearner` ask;
:class:`PrivateSQClassifier` makes a private estimator of any of them.  Parities cannot be learned so;
:class:`PrivateParityLearner` learns them privately in another way.
"""

from privml.learners.statistical_queries.learners import (
    ConjunctionSQLearner,
    LinearSQLearner,
    SQLearner,
    StumpSQLearner,
)
from privml.learners.statistical_queries.oracles import (
    AdversarialOracle,
    SampleOracle,
    SQOracle,
    query_values,
)
from privml.learners.statistical_queries.parities import (
    PrivateParityLearner,
    parity_distribution,
    random_solution,
)
from privml.learners.statistical_queries.private import (
    PrivateSQClassifier,
    PrivateSQOracle,
    laplace_epsilon,
)

__all__ = [
    name
    for name, member in globals().items()
    if getattr(member, "__module__", "").startswith(__name__)
]
__dir__ = __all__.copy
