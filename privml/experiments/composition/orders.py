"""Tables on Renyi divergences of all orders: what concentrated privacy asks for."""

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from privml.composition import skewed_response
from privml.divergences import (
    gaussian_renyi_divergence,
    laplace_renyi_divergence,
    privacy_loss,
    renyi_divergence,
)
from privml.guarantee.rho import bounded_range_rho
from privml.mechanisms import RandomisedResponse


def _worst_range(epsilon: float, order: float) -> float:
    """Largest Renyi divergence among skewed responses, over a fine grid of t."""
    grid = np.linspace(0.0, epsilon, 402)[1:-1]
    pairs = [skewed_response(epsilon, t) for t in grid]
    p, q = (np.array(laws) for laws in zip(*pairs, strict=True))
    return float(renyi_divergence(p, q, order).max())


def renyi_by_order(epsilon: float, orders: ArrayLike) -> pd.DataFrame:
    """Renyi divergence over its order, for worst pairs of several promises.

    Parameters
    ----------
    epsilon : float
        Of each promise in nats; mu of the Gaussian pair.
    orders : array_like
        At least 1.

    Returns
    -------
    DataFrame
        Columns ``pair``, ``order``, ``quotient``: the divergence divided by the order.

    Examples
    --------
    >>> renyi_by_order(1.0, [1.0]).round(4)
                      pair  order  quotient
    0       Gaussian noise    1.0    0.5000
    1  randomised response    1.0    0.4621
    2        Laplace noise    1.0    0.3679
    3        bounded range    1.0    0.1233
    """
    response = RandomisedResponse(epsilon)
    p, q = response.output_distribution(1), response.output_distribution(0)
    divergences = {
        "Gaussian noise": lambda order: gaussian_renyi_divergence(order, epsilon),
        "randomised response": lambda order: float(renyi_divergence(p, q, order)),
        "Laplace noise": lambda order: laplace_renyi_divergence(order, epsilon, 1.0),
        "bounded range": lambda order: _worst_range(epsilon, order),
    }
    rows = [
        (pair, order, divergence(order) / order)
        for pair, divergence in divergences.items()
        for order in np.asarray(orders, dtype=float).tolist()
    ]
    return pd.DataFrame(rows, columns=["pair", "order", "quotient"])


def _range_pair(rng: np.random.Generator, epsilon: float, n_outcomes: int) -> tuple[NDArray, NDArray]:
    """Log-laws whose privacy losses spread over exactly epsilon."""
    losses = rng.uniform(size=n_outcomes) ** rng.choice([0.2, 1.0, 5.0])
    losses = (losses - losses.min()) / np.ptp(losses) * epsilon
    log_q = np.log(rng.dirichlet(np.full(n_outcomes, rng.choice([0.2, 1.0]))) + 1e-12)
    log_q -= np.logaddexp.reduce(log_q)
    log_p = log_q + losses
    return log_p - np.logaddexp.reduce(log_p), log_q


def random_pairs(epsilon: float, n_pairs: int, n_outcomes: int, orders: ArrayLike, seed: int) -> pd.DataFrame:
    """Random pairs of laws whose losses spread over epsilon, rebuilt from skewed response, with divergences.

    Parameters
    ----------
    epsilon : float
        Range of the losses in nats.
    n_pairs, n_outcomes : int
        How many pairs, on how many outcomes.
    orders : array_like
        Orders of the divergences.
    seed : int
        Of the random pairs.

    Returns
    -------
    DataFrame
        Columns ``largest_loss``, ``error`` (largest difference between a law and the one made by the map)
        and ``share``, the largest quotient of divergence and order, over the tight rho.

    Examples
    --------
    >>> table = random_pairs(1.0, 50, 5, [1.0, 2.0, 5.0], seed=0)
    >>> bool(table["error"].max() < 1e-9), bool(table["share"].max() <= 1)
    (True, True)
    """
    rng, rows = np.random.default_rng(seed), []
    for _ in range(n_pairs):
        p, q = _range_pair(rng, epsilon, n_outcomes)
        t = float(np.clip(privacy_loss(p, q).max(), 1e-9, epsilon - 1e-9))
        high = (np.exp(p) - np.exp(t - epsilon + q)) / -np.expm1(t - epsilon)
        low = (np.exp(t + q) - np.exp(p)) / np.expm1(t)
        made = [weights @ np.array([high, low]) for weights in map(np.exp, skewed_response(epsilon, t))]
        error = max(np.abs(made[0] - np.exp(p)).max(), np.abs(made[1] - np.exp(q)).max())
        quotients = [float(renyi_divergence(p, q, order)) / order for order in map(float, orders)]
        rows.append((t, float(error), max(quotients) / bounded_range_rho(epsilon)))
    return pd.DataFrame(rows, columns=["largest_loss", "error", "share"])
