r"""Noise on the count of every class, and the class whose noisy count is largest.

One teacher takes a vote from one class and gives it to another: the counts move by 2 in L1 and by
:math:`\sqrt 2` in L2.  Gaussian noise on all counts of l points is one Gaussian release with
:math:`\mu = \sqrt{2 l} / \sigma`; for two classes its label has the law of Algorithm 1.  With Laplace noise
of scale :math:`2 / \varepsilon_0` the largest noisy count is :math:`\varepsilon_0`-DP, and l of them compose.
"""

from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml.composition.optimal import optimal_step_epsilon
from privml.distributions import Gaussian, Laplace
from privml.mechanisms import gaussian_sigma
from privml.pate.aggregation.base import VoteAggregator
from privml.pate.aggregation.stream import State, checked_counts

NOISES = {"gaussian": Gaussian, "laplace": Laplace}
PANEL_NODES = 24
TAIL = 45.0  # scales around the largest count; what is cut off is below the rounding error


def maximum_law(counts: ArrayLike, noise: Gaussian | Laplace, scale: float) -> NDArray[np.float64]:
    """Probability of each class to have the largest noisy count, by quadrature over that count.

    The integrand is smooth between the counts; 24 Gauss-Legendre nodes on each panel give it to rounding.

    **Source.** The law behind LZCW21-alg-1 for any number of classes.

    Parameters
    ----------
    counts : array_like of shape (n_classes,)
        Votes for each class.
    noise : Gaussian or Laplace
        Law of the noise, centred.
    scale : float
        Its scale, positive: the panels of the quadrature are at most two scales long.

    Returns
    -------
    ndarray of shape (n_classes,)

    Examples
    --------
    >>> maximum_law([3, 5, 0], Laplace(scale=2.0), 2.0).round(4).tolist()
    [0.2574, 0.6916, 0.051]
    """
    counts = np.asarray(counts, dtype=float)
    lower, upper = counts.max() - TAIL * scale, counts.max() + TAIL * scale
    ends = np.unique(np.concatenate([[lower, upper], counts[counts > lower]]))
    pieces = [
        np.linspace(a, b, int((b - a) / (2 * scale)) + 2)[:-1] for a, b in zip(ends, ends[1:], strict=False)
    ]
    edges = np.append(np.concatenate(pieces), upper)
    nodes, weights = np.polynomial.legendre.leggauss(PANEL_NODES)
    half = np.diff(edges)[:, None] / 2
    points = (edges[:-1, None] + half * (1 + nodes)).ravel()[:, None] - counts
    log_below = noise.logcdf(points)
    others = log_below.sum(axis=1, keepdims=True) - log_below
    return (half * weights).ravel() @ np.exp(noise.logpdf(points) + others)


@dataclass(frozen=True, kw_only=True)
class NoisyMaxAggregator(VoteAggregator):
    r"""Publish the class with the largest noisy count of votes.

    **Privacy.** It is (epsilon, delta)-DP under `adjacency`, for adaptive queries.
    **Source.** LZCW21-alg-1 for any number of classes; Papernot et al. (2017, 2018).

    Parameters
    ----------
    n_queries : int
        Budget l: most points that may be asked.
    n_classes : int
        Number of classes, 2 to 256.
    noise : {"gaussian", "laplace"}
        Law of the noise on each count.
    adjacency : Adjacency
        The relation under which one record changes one teacher; add-or-remove-one by default.

    Examples
    --------
    >>> aggregator = NoisyMaxAggregator(n_queries=100, n_classes=3, epsilon=1.0, delta=1e-6)
    >>> round(aggregator.scale, 2)
    59.75
    >>> aggregator.label_law([[50, 50, 300]]).round(3).tolist()
    [[0.001, 0.001, 0.997, 0.0]]
    """

    noise: str = "gaussian"

    def __post_init__(self) -> None:
        super().__post_init__()
        check.positive_integer(n_queries=self.n_queries)
        check.one_of(NOISES, noise=self.noise)
        if self.noise == "gaussian":
            scale = gaussian_sigma(self.epsilon, self.delta, sqrt(2 * self.n_queries))
        else:
            scale = 2 / optimal_step_epsilon(self.epsilon, self.n_queries, self.delta)
        object.__setattr__(self, "_scale", scale)

    @property
    def scale(self) -> float:
        """Standard deviation of the Gaussian noise, or scale of the Laplace noise, in votes."""
        return self._scale

    @property
    def _law(self) -> Gaussian | Laplace:
        return Gaussian(sigma=self.scale) if self.noise == "gaussian" else Laplace(scale=self.scale)

    def label_law(self, counts: ArrayLike) -> NDArray[np.float64]:
        """Probability of each class and, zero here, of no answer."""
        counts = checked_counts(counts, self.n_classes)
        law = np.zeros((len(counts), self.n_classes + 1))
        for row, votes in zip(law, counts, strict=True):
            row[:-1] = maximum_law(votes, self._law, self.scale)
        return law

    def _labels(self, counts: NDArray, state: State) -> NDArray[np.int64]:
        draw = state.rngs[0].normal if self.noise == "gaussian" else state.rngs[0].laplace
        return np.argmax(counts + draw(scale=self.scale, size=counts.shape), axis=1)
