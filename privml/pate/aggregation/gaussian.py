r"""Gaussian noise on the count of votes, for two classes.

With v of K teachers for class 1, the label is :math:`1(v + N(0, \sigma^2) \ge K / 2)`.  One teacher moves v
by at most 1, so that l noisy counts are one Gaussian release with :math:`\mu = \sqrt l / \sigma`, whatever
the queries and their order: the exact calibration takes the least sigma with
:math:`\delta_\mu(\varepsilon) \le \delta`.  The source goes through concentrated privacy instead,
:math:`\rho = l / (2 \sigma^2)` and :math:`\rho + 2 \sqrt{\rho \ln(1 / \delta)} = \varepsilon`.
"""

from dataclasses import dataclass
from math import log, sqrt

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml.distributions import Gaussian
from privml.guarantee import ConcentratedGuarantee
from privml.mechanisms import gaussian_sigma
from privml.pate.aggregation.base import CALIBRATIONS, VoteAggregator
from privml.pate.aggregation.stream import State, checked_counts


def vote_sigma(n_queries: int, epsilon: float, delta: float, *, calibration: str = "exact") -> float:
    r"""Standard deviation of the noise on each count of votes that pays for a number of queries.

    **Source.** LZCW21-alg-1; exact: Balle and Wang (2018), Theorem 8.

    Parameters
    ----------
    calibration : {"exact", "source"}
        The exact curve of l Gaussian releases, or the source's closed form :math:`\big(\sqrt L +
        \sqrt{L + 2 \varepsilon l}\big) / (2 \varepsilon)` with :math:`L = 2 l \ln(1/\delta)`.

    Examples
    --------
    >>> round(vote_sigma(100, 1.0, 1e-6), 3), round(vote_sigma(100, 1.0, 1e-6, calibration="source"), 3)
    (42.247, 53.5)
    """
    check.positive_integer(n_queries=n_queries)
    check.positive(epsilon=epsilon)
    check.probability_open(delta=delta)
    check.one_of(CALIBRATIONS, calibration=calibration)
    if calibration == "exact":
        return gaussian_sigma(epsilon, delta, sqrt(n_queries))
    noise = 2 * n_queries * log(1 / delta)
    return (sqrt(noise) + sqrt(noise + 2 * epsilon * n_queries)) / (2 * epsilon)


@dataclass(frozen=True, kw_only=True)
class GaussianAggregator(VoteAggregator):
    r"""Publish on which side of one half the noisy share of votes lies, for two classes.

    **Privacy.** It is (epsilon, delta)-DP under `adjacency`, for adaptive queries.  Even the noisy counts,
    which are not published, would be.
    **Accuracy.** A point with v of K votes for class 1 gets label 1 with probability Phi((v - K/2) / sigma).
    **Source.** LZCW21-alg-1, LZCW21-thm-2 and LZCW21-thm-26.

    Parameters
    ----------
    n_queries : int
        Budget l: most points that may be asked, chosen beforehand.
    calibration : {"exact", "source"}
        How sigma follows from the budget, see :func:`vote_sigma`.
    sigma : float, optional
        A larger standard deviation, in votes; by default the one of `calibration`.
    n_classes : int, default 2
        Two; more classes: :class:`~privml.pate.aggregation.NoisyMaxAggregator`.
    adjacency : Adjacency
        The relation under which one record changes one teacher; add-or-remove-one by default.

    Examples
    --------
    >>> aggregator = GaussianAggregator(n_queries=100, epsilon=1.0, delta=1e-6)
    >>> print(aggregator.guarantee)
    (1, 1e-06)-differential privacy (add-or-remove-one)
    >>> aggregator.label_law([[100, 150]]).round(4).tolist()
    [[0.277, 0.723, 0.0]]
    """

    calibration: str = "exact"
    sigma: float | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.n_classes != 2:
            raise ValueError(f"n_classes must be 2 for noise on one count, got {self.n_classes!r}")
        check.positive_integer(n_queries=self.n_queries)
        least = vote_sigma(self.n_queries, self.epsilon, self.delta, calibration=self.calibration)
        if self.sigma is None:
            object.__setattr__(self, "sigma", least)
        check.positive(sigma=self.sigma)
        if self.sigma < least:
            raise ValueError(f"sigma must be at least {least!r} for this budget, got {self.sigma!r}")

    @property
    def mu(self) -> float:
        """Square root of the number of queries over sigma: the Gaussian privacy of all noisy counts."""
        return sqrt(self.n_queries) / self.sigma

    @property
    def concentrated(self) -> ConcentratedGuarantee:
        """rho-concentrated differential privacy with rho = n_queries / (2 sigma^2)."""
        return ConcentratedGuarantee(self.n_queries / (2 * self.sigma**2), self.adjacency)

    def label_law(self, counts: ArrayLike) -> NDArray[np.float64]:
        """Probability of class 0, of class 1 and, zero here, of no answer."""
        counts = checked_counts(counts, 2)
        lead = (counts[:, 1] - counts[:, 0]) / 2
        law = Gaussian(sigma=self.sigma)
        return np.stack([law.sf(lead), law.cdf(lead), np.zeros(len(counts))], axis=1)

    def _labels(self, counts: NDArray, state: State) -> NDArray[np.int64]:
        noise = state.rngs[0].normal(scale=self.sigma, size=len(counts))
        return (counts[:, 1] + noise >= counts.sum(axis=1) / 2).astype(np.int64)
