r"""Noise on the counts of votes: of one count, of all counts, and after a noisy check.

One teacher moves one count by at most 1, and all counts by :math:`\sqrt 2` in L2.  So l noisy counts are one
Gaussian release with :math:`\mu = \sqrt l / \sigma`, and q checks of the largest count with a answers one
with :math:`\mu^2 = q / \sigma_1^2 + 2 a / \sigma_2^2`, whatever the queries and the moment to stop.
"""

from dataclasses import dataclass, field
from itertools import pairwise
from math import log, sqrt

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml.bounds.pate import source_sigma
from privml.composition.optimal import optimal_step_epsilon
from privml.distributions import Gaussian, Laplace
from privml.divergences import gaussian_epsilon, gaussian_mu
from privml.mechanisms import gaussian_sigma
from privml.mechanisms.transcript_distribution import PANEL_NODES, TAIL
from privml.pate.aggregation import (
    CALIBRATIONS,
    NO_ANSWER,
    VoteAggregator,
    VoteStream,
    checked_counts,
)

NOISES: dict[str, type[Gaussian | Laplace]] = {"gaussian": Gaussian, "laplace": Laplace}


def vote_sigma(
    n_queries: int, epsilon: float, delta: float, *, calibration: str = "exact"
) -> float:
    """Standard deviation of the noise on each count of votes that pays for a number of queries.

    Parameters
    ----------
    n_queries : int
        Number of queries, a positive integer.
    epsilon : float
        Privacy parameter in nats, positive.
    delta : float
        Additive slack, in (0, 1).
    calibration : str
        One of "exact" (the exact curve) and "source", :func:`privml.bounds.pate.source_sigma`.

    References
    ----------
    LZCW21-alg-1; exact: Balle and Wang (2018), Theorem 8.

    Examples
    --------
    >>> round(vote_sigma(100, 1.0, 1e-6), 3), round(vote_sigma(100, 1.0, 1e-6, calibration="source"), 3)
    (42.247, 53.5)
    """
    check.standard_ranges(n_queries=n_queries, epsilon=epsilon)
    check.one_of(CALIBRATIONS, calibration=calibration)
    if calibration == "exact":
        return gaussian_sigma(epsilon, delta, sqrt(n_queries))
    return source_sigma(n_queries, epsilon, delta)


def spent_epsilon(
    epsilon: float, delta: float, budget: int, used: int, *, method: str
) -> float:
    r"""Epsilon that goes with q queries `used`, out of a budget of l with (epsilon, delta).

    An *odometer* satisfies :math:`\sum_q E[1(\tau = q) (1 - e^{\varepsilon_q - L_q})_+] \le \delta` for the
    loss :math:`L_q` of the first q answers and every stopping time :math:`\tau`.

    *fixed*: :math:`\delta_{\mu \sqrt{q / l}}(\varepsilon_q) = \delta`, valid only if q does not depend on the
    private data.  *union*: the same with delta / l, a valid odometer.  *line*: :math:`\rho q / l +
    \sqrt{\rho \ln(1 / \delta)} (1 + q / l)` with :math:`\rho = \mu^2 / 2`, one by Ville's inequality.

    Every answer of the budget has the same Gaussian noise, as of :class:`GaussianAggregator`, or, for any
    number of classes, of :class:`NoisyMaxAggregator`.

    Parameters
    ----------
    epsilon : float
        Privacy parameter in nats of the budget, positive.
    delta : float
        Additive slack, in (0, 1).
    budget, used : int
        Numbers l of queries that are paid for and q of those asked, positive integers, q at most l.
    method : str
        One of "fixed", "union" and "line", as above.

    Raises
    ------
    ValueError
        If `used` exceeds `budget`.

    Notes
    -----
    *Privacy.* There is no guarantee by itself: the guarantee of an adaptive run is that of its budget.

    References
    ----------
    LZCW21-rem-ex-post, whose number is "fixed".

    Examples
    --------
    >>> round(spent_epsilon(0.5, 1 / 6499, 49, 40, method="union"), 4)
    0.6119
    """
    check.positive(epsilon=epsilon)
    check.positive_integer(budget=budget, used=used)
    if used > budget:
        raise ValueError(
            f"used must be at most the budget ({budget}), but got {used!r}."
        )
    check.one_of(("fixed", "union", "line"), method=method)
    mu, share = gaussian_mu(epsilon, delta), used / budget
    if method == "line":
        rho = mu * mu / 2
        return rho * share + sqrt(rho * log(1 / delta)) * (1 + share)
    return gaussian_epsilon(
        delta=delta / budget if method == "union" else delta, mu=mu * sqrt(share)
    )


@dataclass(frozen=True, kw_only=True)
class GaussianAggregator(VoteAggregator):
    r"""Publish on which side of one half the noisy share of votes lies, for two classes.

    Parameters
    ----------
    epsilon : float
        Privacy parameter in nats, positive.
    delta : float
        Additive slack, in (0, 1).
    n_queries : int
        Number of queries, a positive integer.
    n_classes : int
        Number of classes, the integer 2.
    adjacency : Adjacency
        Neighbouring relation.
    calibration : str
        One of "exact" and "source", as of :func:`vote_sigma`.
    sigma : float, optional
        Standard deviation of the noise in votes, positive; None takes the least that is enough.

    Raises
    ------
    ValueError
        If `n_classes` is not 2, or `sigma` is less than the budget needs.

    Notes
    -----
    *Privacy.* The output is (epsilon, delta)-differentially private under `adjacency`, for adaptive queries. Even the noisy counts,
    which are not published, would be.

    *Accuracy.* A point with v of K votes for class 1 gets label 1 with probability Phi((v - K/2) / sigma),
    for the `sigma` of :func:`vote_sigma`, or a larger one.

    References
    ----------
    LZCW21-alg-1, LZCW21-thm-2 and LZCW21-thm-26.

    Examples
    --------
    >>> aggregator = GaussianAggregator(n_queries=100, epsilon=1.0, delta=1e-6)
    >>> aggregator.label_distribution([[100, 150]]).round(4).tolist()
    [[0.277, 0.723, 0.0]]
    """

    calibration: str = "exact"
    n_queries: int
    sigma: float = None  # type: ignore[assignment]  # set below

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.n_classes != 2:
            raise ValueError(
                f"n_classes must be 2 for noise on one count, but got {self.n_classes!r}. Use NoisyMaxAggregator, "
                "with noise on every count."
            )
        least = vote_sigma(
            self.n_queries, self.epsilon, self.delta, calibration=self.calibration
        )
        if self.sigma is None:
            object.__setattr__(self, "sigma", least)
        check.positive(sigma=self.sigma)
        if self.sigma < least:
            raise ValueError(
                f"sigma must be at least {least!r} for this budget, but got {self.sigma!r}."
            )

    def label_distribution(self, counts: ArrayLike) -> NDArray[np.float64]:
        counts = checked_counts(counts, 2)
        lead = (counts[:, 1] - counts[:, 0]) / 2
        distribution = Gaussian(sigma=self.sigma)
        return np.stack(
            [distribution.sf(lead), distribution.cdf(lead), np.zeros(len(counts))],
            axis=1,
        )

    def _labels(self, counts: NDArray, run: VoteStream) -> NDArray[np.int64]:
        noise = run._rngs[0].normal(scale=self.sigma, size=len(counts))
        return (counts[:, 1] + noise >= counts.sum(axis=1) / 2).astype(np.int64)


def maximum_distribution(
    counts: ArrayLike, noise: Gaussian | Laplace, scale: float
) -> NDArray[np.float64]:
    """Probability of each class to have the largest noisy count, by quadrature over that count.

    The integrand is smooth between the counts; 24 nodes on each panel of two scales give it to rounding.
    """
    counts = np.asarray(counts, dtype=float)
    lower, upper = counts.max() - TAIL * scale, counts.max() + TAIL * scale
    ends = np.unique(np.concatenate([[lower, upper], counts[counts > lower]]))
    pieces = [
        np.linspace(a, b, int((b - a) / (2 * scale)) + 2)[:-1]
        for a, b in pairwise(ends)
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

    Parameters
    ----------
    epsilon : float
        Privacy parameter in nats, positive.
    delta : float
        Additive slack, in (0, 1).
    n_queries : int
        Number of queries, a positive integer.
    n_classes : int
        Number of classes, a positive integer from 2 to 256.
    adjacency : Adjacency
        Neighbouring relation.
    noise : str
        One of "gaussian" and "laplace"; ``scale``, in votes, follows from the budget.

    Notes
    -----
    *Privacy.* The output is (epsilon, delta)-differentially private under `adjacency`, for adaptive queries.

    References
    ----------
    LZCW21-alg-1 for any number of classes; Papernot et al. (2017, 2018).

    Examples
    --------
    >>> aggregator = NoisyMaxAggregator(n_queries=100, n_classes=3, epsilon=1.0, delta=1e-6)
    >>> aggregator.label_distribution([[50, 50, 300]]).round(3).tolist()
    [[0.001, 0.001, 0.997, 0.0]]
    """

    n_queries: int
    noise: str = "gaussian"
    scale: float = field(
        init=False, repr=False
    )  # standard deviation, or Laplace scale, in votes

    def __post_init__(self) -> None:
        super().__post_init__()
        check.positive_integer(n_queries=self.n_queries)
        check.one_of(NOISES, noise=self.noise)
        if self.noise == "gaussian":
            scale = gaussian_sigma(self.epsilon, self.delta, sqrt(2 * self.n_queries))
        else:
            scale = 2 / optimal_step_epsilon(self.epsilon, self.n_queries, self.delta)
        object.__setattr__(self, "scale", scale)

    def label_distribution(self, counts: ArrayLike) -> NDArray[np.float64]:
        counts = checked_counts(counts, self.n_classes)
        distribution = (
            Gaussian(sigma=self.scale)
            if self.noise == "gaussian"
            else Laplace(scale=self.scale)
        )
        chances = [
            maximum_distribution(votes, distribution, self.scale) for votes in counts
        ]
        return np.column_stack(
            [np.reshape(chances, counts.shape), np.zeros(len(counts))]
        )

    def _labels(self, counts: NDArray, run: VoteStream) -> NDArray[np.int64]:
        draw = run._rngs[0].normal if self.noise == "gaussian" else run._rngs[0].laplace
        return np.argmax(counts + draw(scale=self.scale, size=counts.shape), axis=1)


@dataclass(frozen=True, kw_only=True)
class ConfidentAggregator(VoteAggregator):
    r"""Publish a noisy maximum of the votes where the largest count passes a noisy check.

    Parameters
    ----------
    epsilon : float
        Privacy parameter in nats, positive.
    delta : float
        Additive slack, in (0, 1).
    n_queries : int
        Number of queries, a positive integer.
    n_classes : int
        Number of classes, a positive integer from 2 to 256.
    adjacency : Adjacency
        Neighbouring relation.
    n_answers : int
        Number of answers after which the run halts, a positive integer; each query costs a check.
    threshold : float
        What the largest count must reach, finite, in votes: public, so not to be tuned on them.
    check_share : float
        Share of mu squared that the checks get, in (0, 1).

    Notes
    -----
    *Privacy.* The output is (epsilon, delta)-differentially private under `adjacency`, for adaptive queries and any stop.

    References
    ----------
    Papernot et al. (2018), Confident-GNMax, with exact Gaussian composition and no use of the votes in its
    accounting; a rival of LZCW21-alg-2.

    Examples
    --------
    >>> aggregator = ConfidentAggregator(
    ...     n_queries=100, n_answers=50, n_classes=3, threshold=250, epsilon=1.0, delta=1e-6, check_share=0.2
    ... )
    >>> round(aggregator.check_sigma, 6), round(aggregator.sigma, 6)
    (94.466692, 47.233346)
    """

    n_queries: int
    n_answers: int
    threshold: float
    check_share: float
    check_sigma: float = field(
        init=False, repr=False
    )  # of the noise of a check, in votes
    sigma: float = field(
        init=False, repr=False
    )  # of the noise on the counts of an answer

    def __post_init__(self) -> None:
        super().__post_init__()
        check.positive_integer(n_queries=self.n_queries, n_answers=self.n_answers)
        check.finite(threshold=self.threshold)
        check.probability_open(check_share=self.check_share)
        mu = gaussian_mu(self.epsilon, self.delta)
        object.__setattr__(
            self, "check_sigma", sqrt(self.n_queries / self.check_share) / mu
        )
        object.__setattr__(
            self, "sigma", sqrt(2 * self.n_answers / (1 - self.check_share)) / mu
        )
        check.positive(sigma=self.sigma, check_sigma=self.check_sigma)

    @property
    def _budget(self) -> int:
        return self.n_answers

    def label_distribution(self, counts: ArrayLike) -> NDArray[np.float64]:
        counts = checked_counts(counts, self.n_classes)
        passes = Gaussian(sigma=self.check_sigma).cdf(
            counts.max(axis=1) - self.threshold
        )
        classes = [
            maximum_distribution(votes, Gaussian(sigma=self.sigma), self.sigma)
            for votes in counts
        ]
        return np.column_stack(
            [passes[:, None] * np.reshape(classes, counts.shape), 1 - passes]
        )

    def _labels(self, counts: NDArray, run: VoteStream) -> NDArray[np.int64]:
        checks = run._rngs[0].normal(scale=self.check_sigma, size=len(counts))
        noise = run._rngs[1].normal(scale=self.sigma, size=counts.shape)
        passed = counts.max(axis=1) + checks >= self.threshold
        labels = np.where(passed, np.argmax(counts + noise, axis=1), NO_ANSWER)
        halt = np.searchsorted(np.cumsum(passed), run._left) + 1  # type: ignore[arg-type]  # beyond the end without a halt
        run._left -= int(passed[:halt].sum())  # type: ignore[operator]  # a number of answers
        return labels[:halt]


check.wrap_module(__name__)
