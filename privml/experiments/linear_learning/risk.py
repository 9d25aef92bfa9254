"""Tables on what LinearLearner learns: exact risks on small populations, next to the bounds."""

from collections.abc import Sequence
from math import exp, log, sqrt

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from privml.bounds.linear import (
    linear_excess_risk,
    linear_excess_risk_closed,
    linear_excess_risk_dr11,
    linear_sample_size,
    one_draw_excess_risk,
)
from privml.bounds.online_to_batch import linear_regret
from privml.learners.linear import linear_eta

BLOCK = 1 << 20


def _logistic(x: NDArray) -> NDArray[np.float64]:
    return 0.5 * (1 + np.tanh(x / 2))


def constant_excess(eta: float, n_samples: int, n_features: int) -> float:
    """Exact mean excess risk where every example is (-1, 1, ..., 1).

    Parameters
    ----------
    eta : float
        Learning rate.
    n_samples : int
        Number of examples T.
    n_features : int
        Number of coordinates d.

    Returns
    -------
    float
        ``(2 / T) sum_t (d - 1) / (d - 1 + e^(2 eta (t - 1)))``.

    Examples
    --------
    >>> round(constant_excess(0.05, 1000, 10), 6), round(linear_regret(0.05, 1000, 10), 6)
    (0.046953, 0.071052)
    """
    total = 0.0
    for start in range(0, n_samples, BLOCK):
        behind = np.arange(start, min(start + BLOCK, n_samples))
        total += float(_logistic(log(max(n_features - 1, 1e-300)) - 2 * eta * behind).sum())
    return 2 * total / n_samples


def constant_excess_one_draw(epsilon: float, n_samples: int, n_features: int) -> float:
    """The same for one coordinate drawn by the exponential mechanism.

    Examples
    --------
    >>> round(constant_excess_one_draw(1.0, 20, 10), 8)
    0.00081686
    """
    odds = (n_features - 1) * exp(-epsilon * n_samples / 2)
    return 2 * odds / (1 + odds)


def coin_excess(etas: Sequence[float], n_samples: int, bias: float) -> NDArray[np.float64]:
    """Exact mean excess risk where x = (s, -s) and s = -1 with probability (1 + bias) / 2.

    Parameters
    ----------
    etas : sequence of float
        Learning rates.
    n_samples : int
        Number of examples.
    bias : float
        In (0, 1]; the first coordinate is better by twice that.

    Returns
    -------
    ndarray of shape (n_etas,)
        Over all samples and draws, by passing the law of the sum from round to round.

    Examples
    --------
    >>> coin_excess([0.01, 0.1, 1.0], 100, 0.3).round(6).tolist()
    [0.256342, 0.086471, 0.034604]
    """
    up = (1 - bias) / 2
    sums = np.arange(-n_samples, n_samples + 1)
    wrong = _logistic(2 * np.outer(sums, etas))  # of the second coordinate, by the sum so far
    law, total = np.ones(1), np.zeros(len(etas))
    for past in range(n_samples):
        total += law @ wrong[n_samples - past : n_samples + past + 1 : 2]
        law = np.append(law, 0.0) * (1 - up) + np.insert(law, 0, 0.0) * up
    return 2 * bias * total / n_samples


def coin_quantile(eta: float, n_samples: int, bias: float, beta: float) -> float:
    """Exact excess risk of the average that is exceeded with probability at most beta, on the same coins.

    Parameters
    ----------
    eta : float
        Learning rate.
    n_samples : int
        Number of examples.
    bias : float
        In (0, 1].
    beta : float
        Failure probability.

    Returns
    -------
    float
        From the joint law of the sum of the examples and the number of wrong draws.

    Examples
    --------
    >>> round(coin_quantile(0.1, 100, 0.3, 0.05), 6)
    0.186
    """
    up, counts = (1 - bias) / 2, np.zeros((n_samples + 1, n_samples + 1))
    counts[0, 0] = 1.0
    for past in range(n_samples):
        wrong = _logistic(2 * eta * (2 * np.arange(past + 1) - past))[:, None]
        law = counts[: past + 1, : past + 1]
        drawn = np.zeros((past + 1, past + 2))
        drawn[:, :-1] = law * (1 - wrong)
        drawn[:, 1:] += law * wrong
        counts[: past + 1, : past + 2] = drawn * (1 - up)
        counts[past + 1, : past + 2] = 0.0
        counts[1 : past + 2, : past + 2] += drawn * up
    above = 1 - np.cumsum(counts.sum(axis=0))
    return 2 * bias * int(np.argmax(above <= beta + 1e-12)) / n_samples


def by_learning_rate(
    etas: Sequence[float], n_samples: int, beta: float, biases: Sequence[float]
) -> pd.DataFrame:
    """Excess risk against the learning rate: exact worst coins, and the bounds.

    Parameters
    ----------
    etas : sequence of float
        Learning rates.
    n_samples : int
        Number of examples.
    beta : float
        Failure probability of bounds and quantiles.
    biases : sequence of float
        Coins among which the worst is taken.

    Returns
    -------
    DataFrame
        Columns ``curve``, ``eta``, ``excess``.

    Examples
    --------
    >>> by_learning_rate([0.1], 50, 0.05, [0.2, 1.0]).round(3)["excess"].tolist()
    [0.149, 0.189, 0.24, 0.963, 1.527]
    """
    means = np.max([coin_excess(etas, n_samples, bias) for bias in biases], axis=0)
    rows = []
    for eta, mean in zip(etas, means.tolist(), strict=True):
        quantile = max(coin_quantile(eta, n_samples, bias, beta) for bias in biases)
        rows += [
            ("mean, exact", eta, mean),
            ("mean, bound", eta, linear_regret(eta, n_samples, 2)),
            ("quantile, exact", eta, quantile),
            ("quantile, one martingale", eta, linear_excess_risk(eta, n_samples, 2, beta)),
            ("quantile, three events", eta, linear_excess_risk_dr11(eta, n_samples, 2, beta)),
        ]
    return pd.DataFrame(rows, columns=["curve", "eta", "excess"])


def price(
    sizes: Sequence[int], epsilon: float, delta: float, n_features: int, methods: Sequence[str]
) -> pd.DataFrame:
    """Exact excess risk on the constant example against the number of examples.

    Parameters
    ----------
    sizes : sequence of int
        Numbers of examples.
    epsilon, delta : float
        Privacy parameters.
    n_features : int
        Number of coordinates.
    methods : sequence of str
        Learning rates.

    Returns
    -------
    DataFrame
        Columns ``curve``, ``n_samples``, ``excess``: the bound on the mean at the corrected rate, exact
        means, and the exponential mechanism.

    Examples
    --------
    >>> price([1000], 1.0, 1e-5, 10, ["corrected"]).round(3)["excess"].tolist()
    [2.796, 1.575, 0.0]
    """
    rows = []
    for size in sizes:
        eta = linear_eta(epsilon, delta, size)
        rows.append(("bound, corrected rate", size, min(linear_regret(eta, size, n_features), 1e9)))
        for method in methods:
            eta = linear_eta(epsilon, delta, size, method=method)
            rows.append((f"exact, {method} rate", size, constant_excess(eta, size, n_features)))
        rows.append(("exact, one draw", size, constant_excess_one_draw(epsilon, size, n_features)))
    return pd.DataFrame(rows, columns=["curve", "n_samples", "excess"])


def promised_sizes(
    epsilons: Sequence[float], delta: float, n_features: int, alpha: float, beta: float
) -> pd.DataFrame:
    """Examples promised to be enough, and what one draw by the exponential mechanism needs.

    Parameters
    ----------
    epsilons : sequence of float
        Privacy parameters.
    delta : float
        Privacy parameter of LinearLearner; one draw has none.
    n_features : int
        Number of coordinates.
    alpha, beta : float
        Excess risk and failure probability.

    Returns
    -------
    DataFrame
        Columns ``epsilon``, ``learner``, ``closed`` (excess by the closed form there), ``one_draw``,
        ``ratio``.

    Examples
    --------
    >>> promised_sizes([1.0], 1e-5, 10, 0.1, 0.05).round(2).to_numpy().tolist()
    [[1.0, 881317.0, 0.25, 5338.0, 165.1]]
    """
    from privml._search import smallest_integer

    rows = []
    for epsilon in epsilons:
        size = linear_sample_size(epsilon, delta, n_features, alpha, beta)
        closed = linear_excess_risk_closed(epsilon, delta, size, n_features, beta)
        one = smallest_integer(lambda n, e=epsilon: one_draw_excess_risk(e, n, n_features, beta) <= alpha)
        rows.append((epsilon, size, closed, one, size / one))
    return pd.DataFrame(rows, columns=["epsilon", "learner", "closed", "one_draw", "ratio"])


def unlimited_epsilon(
    epsilons: Sequence[float], delta: float, beta: float, n_samples: int, biases: Sequence[float]
) -> pd.DataFrame:
    """Exact worst mean excess at the printed rate, and the order that the source claims for it.

    Parameters
    ----------
    epsilons : sequence of float
        Privacy parameters.
    delta, beta : float
        Privacy parameter and failure probability in the claim.
    n_samples : int
        Number of examples.
    biases : sequence of float
        Coins among which the worst is taken.

    Returns
    -------
    DataFrame
        Columns ``epsilon``, ``excess``, ``order``, ``ratio``.

    Notes
    -----
    **Source.** DR11-thm-11.6, whose statement has no limit on epsilon.

    Examples
    --------
    >>> unlimited_epsilon([1000.0], 1e-5, 0.05, 400, [0.05]).round(4).to_numpy().tolist()
    [[1000.0, 0.0258, 0.0006, 41.281]]
    """
    rows = []
    for epsilon in epsilons:
        eta = epsilon / sqrt(32 * n_samples * log(1 / delta))
        worst = max(float(coin_excess([eta], n_samples, bias)[0]) for bias in biases)
        order = sqrt(log(1 / delta) / n_samples) * log(2 / beta) / epsilon
        rows.append((epsilon, worst, order, worst / order))
    return pd.DataFrame(rows, columns=["epsilon", "excess", "order", "ratio"])
