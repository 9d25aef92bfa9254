"""Answers that are released without noise: how often, how privately, and how often at best."""

from collections.abc import Sequence
from math import exp, log

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from privml import audit
from privml.adjacency import Adjacency
from privml.mechanisms import DistanceToInstability
from privml.mechanisms.stability import stability_radius


def best_answer_probability(epsilon: float, delta: float, largest: int) -> NDArray[np.float64]:
    """Largest probability of an answer that (epsilon, delta)-DP allows at radius 0, 1, ..., `largest`.

    Parameters
    ----------
    epsilon, delta : float
        Privacy parameters.
    largest : int
        Largest stability radius.

    Returns
    -------
    ndarray of shape (largest + 1,)

    Examples
    --------
    >>> best_answer_probability(1.0, 0.1, 3).round(4).tolist()
    [0.1, 0.3718, 0.8057, 0.9653]
    """
    best = [delta]
    for _ in range(largest):
        best.append(min(1.0, exp(epsilon) * best[-1] + delta, 1 - exp(-epsilon) * (1 - best[-1] - delta)))
    return np.array(best)


def answer_by_radius(epsilons: Sequence[float], delta: float, largest: int) -> pd.DataFrame:
    """Probability that the answer is released, against its stability radius.

    Parameters
    ----------
    epsilons : sequence of float
        Privacy parameters in nats.
    delta : float
        In (0, 1/2).
    largest : int
        Largest radius.

    Returns
    -------
    DataFrame
        Columns ``epsilon``, ``radius``, ``tight`` (threshold ln(1 / (2 delta)) / epsilon), ``printed``
        (ln(1 / delta) / epsilon) and ``best`` (no mechanism that answers f(z) or refuses does better).

    Examples
    --------
    >>> answer_by_radius([1.0], 0.1, 2).round(4)
       epsilon  radius   tight  printed    best
    0      1.0       0  0.1000   0.0500  0.1000
    1      1.0       1  0.2718   0.1359  0.3718
    2      1.0       2  0.6617   0.3695  0.8057
    """
    tables = []
    for epsilon in epsilons:
        tight = DistanceToInstability(epsilon=epsilon, delta=delta)
        printed = DistanceToInstability(epsilon=epsilon, delta=delta, threshold=log(1 / delta) / epsilon)
        radii = range(largest + 1)
        columns = {
            "epsilon": float(epsilon),
            "radius": radii,
            "tight": [tight.answer_probability(radius) for radius in radii],
            "printed": [printed.answer_probability(radius) for radius in radii],
            "best": best_answer_probability(epsilon, delta, largest),
        }
        tables.append(pd.DataFrame(columns))
    return pd.concat(tables, ignore_index=True)


def majority(bits: NDArray) -> int:
    """1 if more than half of the records are 1, else 0.

    Examples
    --------
    >>> majority(np.array([0, 1, 1])), majority(np.array([0, 1]))
    (1, 0)
    """
    return int(2 * bits.sum() > len(bits))


def majority_audit(epsilon: float, delta: float, n_samples: int) -> pd.DataFrame:
    """Exact delta(epsilon) of the distance-to-instability mechanism for the majority of bits.

    Parameters
    ----------
    epsilon, delta : float
        The claimed privacy parameters.
    n_samples : int
        Number of bits (of the larger data set under ``ADD_OR_REMOVE_ONE``), at least 2.

    Returns
    -------
    DataFrame
        Columns ``relation``, ``threshold`` ("tight" or "printed"), ``exact_delta``, ``ratio`` to the claim.

    Examples
    --------
    >>> majority_audit(1.0, 0.05, 5)["ratio"].round(6).tolist()
    [1.0, 0.5, 1.0, 0.5]
    """
    rows = []
    for relation in Adjacency:
        radii = {}
        for size in (n_samples, n_samples - 1):
            radii.update(stability_radius(majority, np.arange(2), size, adjacency=relation))
        for name, factor in (("tight", 2), ("printed", 1)):
            threshold = log(1 / (factor * delta)) / epsilon
            mechanism = DistanceToInstability(
                epsilon=epsilon, delta=delta, threshold=threshold, adjacency=relation
            )
            law = lambda z, m=mechanism, r=radii: m.output_distribution((majority(z), r[tuple(z.tolist())]))  # noqa: E731
            found = audit.exact(law, np.arange(2), n_samples, adjacency=relation).delta(epsilon)
            rows.append((str(relation), name, found, found / delta))
    return pd.DataFrame(rows, columns=["relation", "threshold", "exact_delta", "ratio"])
