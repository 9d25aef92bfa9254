"""What noisy votes spend: the source's calibration, the exact one, the labels alone, and all small votes."""

from collections.abc import Sequence
from math import sqrt

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from privml import audit
from privml._search import crossing
from privml.distributions import Gaussian
from privml.divergences import gaussian_delta, gaussian_mu, hockey_stick
from privml.divergences.densities import density_hockey_stick
from privml.mechanisms import gaussian_sigma
from privml.pate import GaussianAggregator, NoisyMaxAggregator, vote_sigma
from privml.pate.aggregation import VoteAggregator

MOST_SIGMAS = 8.0  # how far off the middle votes are looked for, in standard deviations of the noise


def calibrations(n_queries: Sequence[int], epsilon: float, delta: float) -> pd.DataFrame:
    """Noise of the source's equation and of exact composition against the number of queries.

    Parameters
    ----------
    n_queries : sequence of int
        Budgets.
    epsilon, delta : float
        Privacy of the run.

    Returns
    -------
    DataFrame
        Columns ``n_queries``, ``source``, ``exact`` (standard deviations in votes), ``ratio``.

    Examples
    --------
    >>> calibrations([100], 1.0, 1e-6).round(3).values.tolist()
    [[100.0, 53.5, 42.247, 0.79]]
    """
    rows = []
    for number in n_queries:
        source, exact = (vote_sigma(number, epsilon, delta, calibration=name) for name in ("source", "exact"))
        rows.append((number, source, exact, exact / source))
    return pd.DataFrame(rows, columns=["n_queries", "source", "exact", "ratio"])


def _label_delta(n_queries: int, sigma: float, epsilon: NDArray) -> NDArray[np.float64]:
    """Largest delta of labels at one constant count of votes against one vote less: two binomial laws.

    Votes stand a whole or a half number off the middle, as the number of teachers is even or odd.
    """
    from scipy.stats import binom

    ones, law = np.arange(n_queries + 1), Gaussian()
    worst = np.zeros_like(epsilon)
    most = np.ceil(MOST_SIGMAS * sigma)
    for votes in np.arange(-most, most + 1, 0.5):
        p, q = law.cdf(np.array([votes, votes - 1]) / sigma)
        pair = binom.logpmf(ones, n_queries, p), binom.logpmf(ones, n_queries, q)
        worst = np.maximum(worst, [hockey_stick(*pair, level) for level in epsilon])
    return worst


def curves_of_labels(n_queries: int, epsilon: float, delta: float, levels: ArrayLike) -> pd.DataFrame:
    """Privacy curves at the source's noise: its bound, the noisy counts, and labels at constant votes.

    Parameters
    ----------
    n_queries : int
        Budget.
    epsilon, delta : float
        What the source's calibration claims.
    levels : array_like
        Values of epsilon at which delta is computed.

    Returns
    -------
    DataFrame
        Columns ``epsilon``, ``delta``, ``curve``.

    Examples
    --------
    >>> table = curves_of_labels(20, 1.0, 1e-6, [1.0])
    >>> table.assign(delta=table["delta"].map("{:.1e}".format)).values.tolist()
    [[1.0, '1.0e-06', 'source'], [1.0, '2.4e-09', 'noisy counts'], [1.0, '2.3e-12', 'labels, constant votes']]
    """
    levels = np.asarray(levels, dtype=float)
    sigma = vote_sigma(n_queries, epsilon, delta, calibration="source")
    rho = n_queries / (2 * sigma**2)
    bound = np.exp(-(np.maximum(levels - rho, 0) ** 2) / (4 * rho))
    counts = gaussian_delta(levels, sqrt(n_queries) / sigma)
    labels = _label_delta(n_queries, sigma, levels)
    curves = {"source": bound, "noisy counts": counts, "labels, constant votes": labels}
    return pd.concat(
        [pd.DataFrame({"epsilon": levels, "delta": d, "curve": name}) for name, d in curves.items()],
        ignore_index=True,
    )


def label_effective_mu(n_queries: Sequence[int], epsilon: float, delta: float) -> pd.DataFrame:
    """Gaussian privacy that the labels at constant votes amount to, over that of the noisy counts.

    Parameters
    ----------
    n_queries : sequence of int
        Budgets.
    epsilon, delta : float
        What the exact calibration promises.

    Returns
    -------
    DataFrame
        Columns ``n_queries``, ``delta``: the worst one at `epsilon`, ``ratio``: the mu with that delta over
        the mu of the counts.

    Examples
    --------
    >>> label_effective_mu([100], 1.0, 1e-6)["ratio"].round(2).tolist()
    [0.8]
    """
    rows = []
    for number in n_queries:
        sigma = vote_sigma(number, epsilon, delta)
        found = float(_label_delta(number, sigma, np.array([epsilon]))[0])
        rows.append((number, found, gaussian_mu(epsilon, found) * sigma / sqrt(number)))
    return pd.DataFrame(rows, columns=["n_queries", "delta", "ratio"])


def exact_epsilon(aggregator: VoteAggregator, n_teachers: int, n_points: int) -> float:
    """Least epsilon at the claimed delta over all votes of a few teachers on a few points, one changed.

    Parameters
    ----------
    aggregator : VoteAggregator
        States delta.
    n_teachers, n_points : int
        Sizes of the enumeration.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If delta at the claimed epsilon is larger than claimed.

    Examples
    --------
    >>> round(exact_epsilon(GaussianAggregator(n_queries=1, epsilon=1.0, delta=0.01), 3, 1), 3)
    0.596
    """
    rows = np.array(np.meshgrid(*[np.arange(aggregator.n_classes)] * n_points)).reshape(n_points, -1).T
    found = audit.exact(aggregator.output_distribution, rows, n_teachers)

    def excess(level: float) -> float:
        return float(found.delta(level)) - aggregator.delta

    return 0.0 if excess(0.0) <= 0 else crossing(excess, lower=0.0, upper=aggregator.epsilon)


def audit_of_labels(n_teachers: int, n_points: int, epsilons: Sequence[float], delta: float) -> pd.DataFrame:
    """Claimed against exact epsilon of the labels, over all votes of a few teachers on a few points.

    Parameters
    ----------
    n_teachers, n_points : int
        Sizes of the enumeration.
    epsilons : sequence of float
        Claims.
    delta : float
        The same for all.

    Returns
    -------
    DataFrame
        Columns ``aggregator``, ``claimed``, ``exact``, ``ratio``.

    Examples
    --------
    >>> table = audit_of_labels(3, 1, [1.0], 0.01)
    >>> bool((table["exact"] <= table["claimed"]).all())
    True
    """
    rows = []
    for claim in epsilons:
        promise = {"n_queries": n_points, "epsilon": claim, "delta": delta}
        aggregators = {
            "Gaussian, source": GaussianAggregator(calibration="source", **promise),
            "Gaussian, exact": GaussianAggregator(**promise),
            "Laplace maximum": NoisyMaxAggregator(noise="laplace", **promise),
        }
        for name, aggregator in aggregators.items():
            exact = exact_epsilon(aggregator, n_teachers, n_points)
            rows.append((name, claim, exact, exact / claim))
    return pd.DataFrame(rows, columns=["aggregator", "claimed", "exact", "ratio"])


def even_split_delta(epsilon: float, delta: float) -> float:
    """True delta of one noisy count whose even split lets two of two teachers change, on 4 against 5 records.

    The teachers say 1 if their part has three records or the new one.  Of five records in an even split, the
    new one sits in the part of three with probability 3/5: then one teacher says 1; else both do.

    Parameters
    ----------
    epsilon, delta : float
        What the noise is calibrated to, for one changed teacher.

    Returns
    -------
    float

    Examples
    --------
    >>> round(even_split_delta(1.0, 1e-6), 6)
    0.000356
    """
    sigma = gaussian_sigma(epsilon, delta)
    laws = [Gaussian(place, sigma=sigma) for place in (0.0, 1.0, 2.0)]

    def log_mixture(x: float) -> float:
        return float(np.logaddexp(np.log(3 / 5) + laws[1].logpdf(x), np.log(2 / 5) + laws[2].logpdf(x)))

    return float(density_hockey_stick(log_mixture, lambda x: float(laws[0].logpdf(x)), epsilon).value)
