"""Tables on privacy as a test between two neighbours, and on the worst pair."""

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from privml.divergences import after_channel, hockey_stick, kullback_leibler, total_variation, trade_off
from privml.experiments.what_privacy_promises.base import Law, answers_by_name_law, yes_count_law
from privml.mechanisms import ExponentialMechanism, RandomisedResponse


def _least_miss(law: Law, n_samples: int, levels: NDArray) -> NDArray[np.float64]:
    """Least chance of a miss over all neighbours under ``REPLACE_ONE``, both ways, for laws of the number."""
    data = np.tril(np.ones((n_samples + 1, n_samples), dtype=int), -1)  # row k: k ones
    logs = [np.log(law(row)) for row in data]
    pairs = [(k, k + 1) for k in range(n_samples)] + [(k + 1, k) for k in range(n_samples)]
    return np.min([trade_off(logs[a], logs[b], levels) for a, b in pairs], axis=0)


def trade_offs(epsilon: float, n_samples: int, levels: ArrayLike) -> pd.DataFrame:
    """Exact trade-off under ``REPLACE_ONE`` of releases about bits: least miss at each level.

    Parameters
    ----------
    epsilon : float
        Parameter of randomised response and of the exponential mechanism, in nats.
    n_samples : int
        Number of records.
    levels : array_like
        Chances of a false alarm.

    Returns
    -------
    DataFrame
        Columns ``mechanism``, ``level``, ``miss``.

    Examples
    --------
    >>> trade_offs(1.0, 5, [0.1]).round(4)
              mechanism  level    miss
    0   answers by name    0.1  0.7282
    1     number of yes    0.1  0.7635
    2  private majority    0.1  0.7930
    """
    levels = np.asarray(levels, dtype=float)
    vote = ExponentialMechanism(epsilon=epsilon, sensitivity=1.0)
    members = {
        "answers by name": (answers_by_name_law(epsilon), 1),
        "number of yes": (yes_count_law(epsilon), n_samples),
        "private majority": (
            lambda z: vote.output_distribution([len(z) - z.sum(), z.sum()]).pmf(),
            n_samples,
        ),
    }
    tables = [
        pd.DataFrame({"mechanism": name, "level": levels, "miss": _least_miss(law, size, levels)})
        for name, (law, size) in members.items()
    ]
    return pd.concat(tables, ignore_index=True)


def trade_off_by_lines(p: ArrayLike, q: ArrayLike, levels: ArrayLike) -> NDArray[np.float64]:
    """The trade-off of log-laws p and q as the highest of the lines that the privacy curve draws.

    Parameters
    ----------
    p, q : array_like of shape (n_outcomes,)
        Log-probabilities, all finite.
    levels : array_like
        Chances of a false alarm under p.

    Returns
    -------
    ndarray
        ``max(1 - delta(t) - e^t level)`` over the slopes t = ln(q / p) of all outcomes, and 0, where
        delta is the curve of q against p.

    Examples
    --------
    >>> trade_off_by_lines(np.log([0.5, 0.5]), np.log([0.25, 0.75]), [0.0, 0.5, 1.0]).round(6).tolist()
    [1.0, 0.25, 0.0]
    """
    levels, best = np.asarray(levels, dtype=float), 0.0
    for slope in np.asarray(q) - np.asarray(p):
        best = np.maximum(best, 1 - hockey_stick(q, p, slope) - np.exp(slope) * levels)
    return best


def attack_limits(epsilons: ArrayLike) -> pd.DataFrame:
    """What one answer of randomised response lets an observer do, which is the most that epsilon allows.

    Parameters
    ----------
    epsilons : array_like
        In nats, positive.

    Returns
    -------
    DataFrame
        Columns ``epsilon``, ``total_variation``, ``guess`` (chance of guessing right from even odds),
        ``odds`` (largest factor on the odds) and ``kullback_leibler`` with the bound ``half_square``.

    Examples
    --------
    >>> attack_limits([1.0]).round(4)
       epsilon  total_variation   guess    odds  kullback_leibler  half_square
    0      1.0           0.4621  0.7311  2.7183            0.4621          0.5
    """
    rows = []
    for epsilon in np.asarray(epsilons, dtype=float).tolist():
        p, q = (RandomisedResponse(epsilon).output_distribution(bit) for bit in (1, 0))
        distance, mean_loss = float(total_variation(p, q)), float(kullback_leibler(p, q))
        rows.append(
            (epsilon, distance, (1 + distance) / 2, float(np.exp(epsilon)), mean_loss, epsilon**2 / 2)
        )
    columns = ["epsilon", "total_variation", "guess", "odds", "kullback_leibler", "half_square"]
    return pd.DataFrame(rows, columns=columns)


def dominated_pairs(epsilon: float, n_pairs: int, n_outcomes: int, seed: int) -> pd.DataFrame:
    """Random pairs of laws made from randomised response, as the theorem says, and what they lose.

    Parameters
    ----------
    epsilon : float
        In nats; each pair is drawn, and pulled together until no loss exceeds this.
    n_pairs, n_outcomes : int
        How many pairs, on how many outcomes.
    seed : int
        Of the random pairs.

    Returns
    -------
    DataFrame
        Columns ``error`` (largest difference between a law and the one made by the channel),
        ``total_variation`` and ``kullback_leibler`` of the pair, each over that of randomised response.

    Examples
    --------
    >>> table = dominated_pairs(1.0, 50, 6, seed=0)
    >>> bool(table["error"].max() < 1e-12), bool((table.iloc[:, 1:] <= 1).all().all())
    (True, True)
    """
    rng = np.random.default_rng(seed)
    worst = [RandomisedResponse(epsilon).output_distribution(bit) for bit in (1, 0)]
    limits = float(total_variation(*worst)), float(kullback_leibler(*worst))
    rows = []
    for _ in range(n_pairs):
        p, q = _close_pair(rng, epsilon, n_outcomes)
        ahead, behind = np.exp(epsilon) * p - q, np.exp(epsilon) * q - p
        channel = np.maximum(0.0, np.stack([behind, ahead])) / np.expm1(epsilon)
        made = [after_channel(law, channel).pmf() for law in worst]
        error = max(np.abs(made[0] - p).max(), np.abs(made[1] - q).max())
        logs = np.log(p), np.log(q)
        ratios = total_variation(*logs) / limits[0], kullback_leibler(*logs) / limits[1]
        rows.append((float(error), *map(float, ratios)))
    return pd.DataFrame(rows, columns=["error", "total_variation", "kullback_leibler"])


def _close_pair(rng: np.random.Generator, epsilon: float, n_outcomes: int) -> tuple[NDArray, NDArray]:
    """Two laws whose largest loss, either way, is epsilon: a random law moved towards another one."""
    p, other = rng.dirichlet(np.ones(n_outcomes), size=2)
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        far = np.abs(np.log(p) - np.log((1 - middle) * p + middle * other)).max() > epsilon
        low, high = (low, middle) if far else (middle, high)
    return p, (1 - low) * p + low * other
