r"""Labels for points on which the teachers agree: a noisy check, then a noisy maximum.

The check passes when the largest count plus :math:`N(0, \sigma_1^2)` reaches a threshold; then the counts
get noise :math:`N(0, \sigma_2^2)` and the class of the largest is published.  One teacher moves the largest
count by at most 1 and all counts by :math:`\sqrt 2` in L2.  With q checks and at most a answers the whole run
is one Gaussian release with :math:`\mu^2 = q / \sigma_1^2 + 2 a / \sigma_2^2`, however the analyst chooses:
were the budget not used up, the missing releases could be made and thrown away.
"""

from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml.distributions import Gaussian
from privml.divergences import gaussian_mu
from privml.pate.aggregation.base import VoteAggregator
from privml.pate.aggregation.noisy_max import maximum_law
from privml.pate.aggregation.stream import NO_ANSWER, State, checked_counts


@dataclass(frozen=True, kw_only=True)
class ConfidentAggregator(VoteAggregator):
    r"""Publish a noisy maximum of the votes where the largest count passes a noisy check.

    **Privacy.** It is (epsilon, delta)-DP under `adjacency`, for adaptive queries and any stop.
    **Source.** Papernot et al. (2018), Confident-GNMax, with exact Gaussian composition and no use of the
    votes in its accounting; a rival of LZCW21-alg-2.

    Parameters
    ----------
    n_queries : int
        Most points that may be asked: each costs a check.
    n_answers : int
        Number of answers after which the run halts.
    n_classes : int
        Number of classes, 2 to 256.
    threshold : float
        What the largest count must reach, in votes; public, so not to be tuned on the votes.
    check_share : float
        Share of mu squared that the checks get, in (0, 1).
    adjacency : Adjacency
        The relation under which one record changes one teacher; add-or-remove-one by default.

    Examples
    --------
    >>> aggregator = ConfidentAggregator(
    ...     n_queries=100, n_answers=50, n_classes=3, threshold=250, epsilon=1.0, delta=1e-6, check_share=0.2
    ... )
    >>> round(aggregator.check_sigma, 2), round(aggregator.sigma, 2)
    (94.47, 47.23)
    >>> aggregator.label_law([[50, 50, 300]]).round(3).tolist()
    [[0.0, 0.0, 0.702, 0.298]]
    """

    n_answers: int
    threshold: float
    check_share: float

    def __post_init__(self) -> None:
        super().__post_init__()
        check.positive_integer(n_queries=self.n_queries, n_answers=self.n_answers)
        check.finite(threshold=self.threshold)
        check.probability_open(check_share=self.check_share)
        object.__setattr__(self, "_mu", gaussian_mu(self.epsilon, self.delta))
        check.positive(sigma=self.sigma, check_sigma=self.check_sigma)

    @property
    def check_sigma(self) -> float:
        """Standard deviation of the noise of a check, in votes."""
        return sqrt(self.n_queries / self.check_share) / self._mu

    @property
    def sigma(self) -> float:
        """Standard deviation of the noise on the counts of an answer, in votes."""
        return sqrt(2 * self.n_answers / (1 - self.check_share)) / self._mu

    @property
    def _budget(self) -> int:
        return self.n_answers

    def _spends(self, labels: NDArray) -> NDArray[np.bool_]:
        return labels != NO_ANSWER

    def label_law(self, counts: ArrayLike) -> NDArray[np.float64]:
        """Probability of each class and of no answer, while the run lasts."""
        counts = checked_counts(counts, self.n_classes)
        passes = Gaussian(sigma=self.check_sigma).cdf(counts.max(axis=1) - self.threshold)
        classes = [maximum_law(votes, Gaussian(sigma=self.sigma), self.sigma) for votes in counts]
        return np.column_stack([passes[:, None] * np.reshape(classes, counts.shape), 1 - passes])

    def _labels(self, counts: NDArray, state: State) -> NDArray[np.int64]:
        checks = state.rngs[0].normal(scale=self.check_sigma, size=len(counts))
        noise = state.rngs[1].normal(scale=self.sigma, size=counts.shape)
        passed = counts.max(axis=1) + checks >= self.threshold
        labels = np.where(passed, np.argmax(counts + noise, axis=1), NO_ANSWER)
        halt = np.searchsorted(np.cumsum(passed), state.left) + 1  # beyond the end without a halt
        state.left -= int(passed[:halt].sum())
        return labels[:halt]
