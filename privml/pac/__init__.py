"""Exact PAC quantities: the probability that learning fails, as a finite sum.

A learner *fails* on a sample when the true error of its output exceeds the best in the class by more than
alpha.  (Agnostic) PAC learning asks for a sample size from which on this has probability at most beta,
over the sample and the learner's coins, whatever the population.  Over one finite population the
probability can be computed.  A learner that looks at a sample only through the number of mistakes of
each hypothesis is a *law on mistakes*::

    law(mistakes of shape (n_datasets, n_hypotheses)) -> probabilities of the same shape.

Points on which the same hypotheses are wrong are merged, since no such law can tell them apart.  What is
left is a multinomial sample of K kinds of points: C(n + K - 1, K - 1) count vectors, which are gone
through in blocks of bounded memory and weighted in log space.

For thresholds on many points there is no need to enumerate: :func:`threshold_erm_law` gives the exact law of
empirical risk minimisation from a sample of Poisson size.

Comparisons such as "error > best + alpha" are made with a slack of 1e-12 (`SLACK`), so that an excess
that equals alpha up to rounding is no failure.
"""

from privml.pac.base import LARGEST_ENUMERATION, SLACK, MistakeLaw
from privml.pac.deviation import mistake_count_distribution, uniform_deviation_probability
from privml.pac.failure import expected_excess_error, failure_probability, smallest_sample_size
from privml.pac.line import threshold_erm_law

__all__ = [
    "LARGEST_ENUMERATION",
    "SLACK",
    "MistakeLaw",
    "expected_excess_error",
    "failure_probability",
    "mistake_count_distribution",
    "smallest_sample_size",
    "threshold_erm_law",
    "uniform_deviation_probability",
]
