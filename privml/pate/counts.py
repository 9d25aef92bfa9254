r"""Noisy counts of votes: what the Gaussian aggregator may publish beside the labels.

Algorithm 1 of LZCW21 adds Gaussian noise to the number of votes and publishes on which side of K/2 the sum
lies.  But the sums themselves, all l of them together, are one Gaussian release with
:math:`\mu = \sqrt l / \sigma`, and that is what the noise is calibrated to: to publish them costs nothing
more, and a sum says how much the teachers agree.

There may be many teachers, since one record moves one vote whatever K is: the noise is the same for all K and
a lead of the majority grows with K.  :func:`readable_teachers` is the least K for which a unanimous vote is
hardly ever misread.  It depends on sigma and not on the data.
"""

from dataclasses import dataclass
from math import ceil, sqrt

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml.adjacency import Adjacency
from privml.guarantee import Guarantee
from privml.mechanisms import gaussian_sigma


def readable_teachers(sigma: float, misread: float = 0.05) -> int:
    r"""Least number of teachers whose unanimous vote is misread with at most a given probability.

    **Returns.** Least K with :math:`\Phi(-K / (2 \sigma)) \le` `misread`.
    **Source.** Ours, for the labels of LZCW21-alg-1.

    Parameters
    ----------
    sigma : float
        Standard deviation of the noise on a count, in votes; positive.
    misread : float, default 0.05
        In (0, 1/2).

    Examples
    --------
    >>> readable_teachers(72.3)
    238
    """
    from scipy.special import ndtri

    check.positive(sigma=sigma)
    check.probability_open(misread=misread)
    if misread >= 0.5:
        raise ValueError(f"misread must be below 1/2, got {misread!r}")
    return max(1, ceil(-2 * sigma * float(ndtri(misread)) - 1e-9))


@dataclass(frozen=True, kw_only=True)
class NoisyCounts:
    """Counts of votes as they were released.

    Attributes
    ----------
    counts : ndarray of shape (n_points,)
        Votes for class 1, with noise.
    n_teachers : int
        Number of teachers K.
    sigma : float
        Standard deviation of the noise; 0 if there was none.
    guarantee : Guarantee or None
        What the release promises; None without noise.
    """

    counts: NDArray[np.float64]
    n_teachers: int
    sigma: float
    guarantee: Guarantee | None


def noisy_counts(
    counts: ArrayLike,
    n_teachers: int,
    *,
    epsilon: float | None,
    delta: float,
    adjacency: Adjacency = Adjacency.ADD_OR_REMOVE_ONE,
    rng: np.random.Generator | int | None = None,
) -> NoisyCounts:
    """Publish how many teachers vote for class 1 at each of some points.

    **Privacy.** (epsilon, delta)-DP under `adjacency`: one teacher moves each count by at most 1, so the
    vector by at most the root of its length.  Idealised: floating point leaks.
    **Source.** LZCW21-alg-1 without the rounding; exact calibration of Balle and Wang (2018).

    Parameters
    ----------
    counts : array_like of int, shape (n_points,)
        Votes for class 1; private.
    n_teachers : int
        Number of teachers K; public.
    epsilon : float or None
        For all points together, in nats; None publishes the counts as they are, without privacy.

    Returns
    -------
    NoisyCounts

    Examples
    --------
    >>> released = noisy_counts([90, 10], 100, epsilon=1.0, delta=1e-6, rng=0)
    >>> print(released.guarantee, round(released.sigma, 2))
    (1, 1e-06)-differential privacy (add-or-remove-one) 5.97
    """
    counts = check.finite_vector(counts=counts)
    check.positive_integer(n_teachers=n_teachers)
    check.probability_open(delta=delta)
    if counts.min() < 0 or counts.max() > n_teachers or (counts % 1).any():
        raise ValueError(f"counts must be whole numbers from 0 to n_teachers={n_teachers!r}, got others")
    if epsilon is None:
        return NoisyCounts(counts=counts, n_teachers=n_teachers, sigma=0.0, guarantee=None)
    check.positive(epsilon=epsilon)
    sigma = gaussian_sigma(epsilon, delta, sqrt(len(counts)))
    noisy = counts + sigma * np.random.default_rng(rng).standard_normal(len(counts))
    guarantee = Guarantee(epsilon, delta, adjacency)
    return NoisyCounts(counts=noisy, n_teachers=n_teachers, sigma=sigma, guarantee=guarantee)
