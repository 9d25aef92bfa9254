r"""A learner run on k records drawn from the data set *with* replacement.

Draw indices :math:`i_1, \dots, i_k` independently and uniformly and run an epsilon-DP learner on
:math:`z_{i_1}, \dots, z_{i_k}`.  The sample is an i.i.d. sample from the data set's own frequencies, so that

* its expected empirical risk *is* the risk of the learner under that distribution: a learner that is
  universally consistent with rate xi becomes always AERM with rate xi(k), with no further factor;
* each draw hits the record that neighbours differ in with probability 1 / n, so by k steps of amplification
  it is :math:`k \ln(1 + (e^\varepsilon - 1) / n)`-DP;
* the draws are exchangeable, so that the order of the records of the data set does not matter, whatever the
  learner does with the order of its sample.

Drawing without replacement (as WLF16 does) loses the first and the last point.
"""

from math import expm1, isqrt, log1p

import numpy as np
from numpy.typing import NDArray

from privml import _check as check
from privml.learnability.base import CountLaw
from privml.learnability.counts import count_vectors, sample_probabilities


def resampled_law(law: CountLaw, n_records: int, size: int) -> CountLaw:
    """Law of a learner that is run on records drawn with replacement.

    Parameters
    ----------
    law : callable
        Law of the learner on count vectors of `size` records.
    n_records : int
        Number of possible records, at least 1.
    size : int
        Number k of records drawn, at least 1.

    Returns
    -------
    callable
        Law on count vectors of any number of records.

    Raises
    ------
    ValueError
        If a parameter is out of range or there are too many samples to enumerate.

    Notes
    -----
    **Privacy.** :func:`resampled_epsilon`, under replace-one.
    **Source.** WLF16-lem-10, with draws with replacement.

    Examples
    --------
    >>> follow = resampled_law(lambda counts: counts / counts.sum(axis=1, keepdims=True), 2, 3)
    >>> follow(np.array([[3, 1]])).round(12).tolist()
    [[0.75, 0.25]]
    """
    samples = count_vectors(n_records, size)
    laws = np.asarray(law(samples), dtype=float)

    def resampled(counts: NDArray[np.int64]) -> NDArray[np.float64]:
        counts = np.asarray(counts)
        return sample_probabilities(samples, counts / counts.sum(axis=-1, keepdims=True)) @ laws

    return resampled


def resampled_epsilon(epsilon: float, n_samples: int, size: int | None = None) -> float:
    """Privacy parameter of a learner that is run on records drawn with replacement.

    Parameters
    ----------
    epsilon : float
        Privacy parameter of the learner in nats, non-negative, under replace-one.
    n_samples : int
        Number n of records in the data set, at least 1.
    size : int, optional
        Number k of records drawn, at least 1; by default the integer part of the square root of n.

    Returns
    -------
    float
        ``k ln(1 + (e^epsilon - 1) / n)``, which is at most ``(k / n)(e^epsilon - 1)``; it is attained by k
        independent randomised responses.

    Raises
    ------
    ValueError
        If a parameter is out of range.

    Notes
    -----
    **Source.** WLF16-lem-10; at most its ``(2 / sqrt(n))(e^epsilon - e^-epsilon)`` for the default size.

    Examples
    --------
    >>> round(resampled_epsilon(1.0, 10_000), 6)
    0.017181
    """
    check.non_negative(epsilon=epsilon)
    check.positive_integer(n_samples=n_samples)
    size = isqrt(n_samples) if size is None else size
    check.positive_integer(size=size)
    return size * log1p(expm1(epsilon) / n_samples)
