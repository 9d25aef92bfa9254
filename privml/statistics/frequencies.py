"""Frequencies of values from answers that each record has made private by itself."""

import numpy as np
from numpy.typing import ArrayLike

from privml import _check as check
from privml._rounding import part
from privml.mechanisms import RandomisedResponse
from privml.statistics.estimates import PrivateEstimate, covering

LARGEST_SURVEY = 100_000  # whose supports are counted one by one


def local_frequencies(
    mechanism: RandomisedResponse,
    answers: ArrayLike,
    *,
    beta: float = 0.05,
) -> PrivateEstimate:
    r"""Unbiased estimates of the frequencies of all values, with intervals that hold at once.

    If a share f of m records has a value, its support is a sum of m independent bits with mean
    :math:`m \pi = m (q + f (p - q))`.  By a theorem of Hoeffding (1956), its tails at least 1 away from the mean are not
    heavier than those of a binomial variable with the same mean.  The interval for :math:`\pi` is therefore that of
    Clopper and Pearson, for a support that is one larger for the upper end and one smaller for the lower end.

    Parameters
    ----------
    mechanism : RandomisedResponse or UnaryEncoding
        What has made the answers.
    answers : array_like
        Its answers for all records, at least one; they are private already, and nothing more is spent.
    beta : float, default 0.05
        Failure probability, in (0, 1): some interval misses the frequency among these records.

    Returns
    -------
    PrivateEstimate
        With the guarantee of the mechanism, and the values as labels.  Estimates and ends may lie outside of [0, 1].

    Raises
    ------
    ValueError
        If there is no answer, or the mechanism has more than 100,000 values.

    References
    ----------
    Wang, Blocki, Li and Jha (2017); Hoeffding (1956).

    Examples
    --------
    >>> from privml.mechanisms import RandomisedResponse
    >>> survey, drinks = RandomisedResponse(2.0, 3), np.repeat([0, 1, 2], [500, 300, 200])
    >>> print(local_frequencies(survey, survey.release(drinks, rng=0)))
    0: 0.471 in [0.414, 0.529]; 1: 0.32 in [0.266, 0.375]; 2: 0.209 in [0.16, 0.262] with probability 0.95; 2-differential privacy (replace-one)
    """
    from scipy.special import betaincinv

    check.instance(RandomisedResponse, mechanism=mechanism)
    check.probability_open(beta=beta)
    check.at_most(LARGEST_SURVEY, n_values=mechanism.n_values)
    values = range(mechanism.n_values)
    counts = np.array([mechanism.supports(answers, v).sum() for v in values])
    mechanism.share(answers)  # refuses to estimate from none
    n_answers = mechanism.supports(answers, 0).size
    shares = (counts / n_answers - mechanism.other) / mechanism.gap
    coverage, failure = covering(beta)
    each = part(failure, 2 * mechanism.n_values)

    def least_rate(successes: np.ndarray) -> np.ndarray:
        """Lower end of Clopper and Pearson for one success fewer, moved down by what rounding may change."""
        fewer = np.maximum(successes - 1, 1)
        found = betaincinv(fewer, n_answers - fewer + 1, each) * (1 - 1e-9)
        return np.where(successes > 1, found, 0.0)

    rates = least_rate(counts), 1 - least_rate(n_answers - counts)
    lower, upper = ((rate - mechanism.other) / mechanism.gap for rate in rates)
    return PrivateEstimate(shares, lower, upper, coverage, mechanism.guarantee, values)


check.wrap_module(__name__)
