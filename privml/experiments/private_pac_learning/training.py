"""Tables on the training error of the private learner: the bound, and the worst of all data sets."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from privml.adjacency import multisets
from privml.bounds.exponential_mechanism import private_erm_gap
from privml.experiments.private_pac_learning.base import ward
from privml.learners.exponential import exponential_law
from privml.pac import SLACK


def all_mistakes(n_samples: int) -> NDArray[np.int64]:
    """Every vector of mistakes that the five rules of the ward can make on `n_samples` records.

    Parameters
    ----------
    n_samples : int
        Number of records.

    Returns
    -------
    ndarray of int, shape (n_vectors, 5)
        One row for each vector that occurs.

    Examples
    --------
    >>> all_mistakes(1).tolist()[:3]
    [[0, 0, 0, 0, 1], [0, 0, 0, 1, 1], [0, 0, 1, 1, 1]]
    """
    hypotheses, (readings, labels) = ward()
    losses = (hypotheses.predict(readings) != labels).astype(np.int64)
    drawn = multisets(len(labels), n_samples)
    return np.unique(losses[:, drawn].sum(axis=2).T, axis=0)


def worst_failure(n_samples: int, epsilon: float, gap: float) -> float:
    """Largest probability, over all data sets, that the training error is at least `gap` above the least.

    Parameters
    ----------
    n_samples : int
        Number of records.
    epsilon : float
        Privacy parameter in nats.
    gap : float
        Excess training error, as a fraction of the records.

    Returns
    -------
    float
        Exact for the private learner on the ward.

    Examples
    --------
    >>> round(worst_failure(3, 1.0, 0.5), 4)
    0.5702
    """
    mistakes = all_mistakes(n_samples)
    excess = (mistakes - mistakes.min(axis=1, keepdims=True)) / n_samples
    law = exponential_law(epsilon)(mistakes)
    return float(np.where(excess >= gap - SLACK, law, 0.0).sum(axis=1).max())


def training_gap(n_samples: int, epsilons: Sequence[float], beta: float) -> pd.DataFrame:
    """Excess training error that is exceeded with probability at most beta: bound, and worst data set.

    Parameters
    ----------
    n_samples : int
        Number of records.
    epsilons : sequence of float
        Privacy parameters in nats.
    beta : float
        Failure probability over the learner's coins.

    Returns
    -------
    DataFrame
        Columns ``epsilon``, ``curve``, ``excess`` (fraction of the records).  The exact value is the
        largest, over all data sets of the ward, of the least g with ``Pr[excess > g] <= beta``.

    Examples
    --------
    >>> training_gap(3, [20.0], 0.1).round(4)
       epsilon                   curve  excess
    0     20.0                   bound  0.1304
    1     20.0  exact, worst data set  0.0000
    """
    hypotheses, _ = ward()
    mistakes = all_mistakes(n_samples)
    excess = mistakes - mistakes.min(axis=1, keepdims=True)
    rows = []
    for epsilon in epsilons:
        bound = private_erm_gap(hypotheses.n_hypotheses, n_samples, epsilon, beta)
        law = exponential_law(epsilon)(mistakes)
        beyond = [np.where(excess > gap, law, 0.0).sum(axis=1).max() for gap in range(n_samples + 1)]
        exact = int(np.argmax(np.array(beyond) <= beta + SLACK))
        rows += [(epsilon, "bound", bound), (epsilon, "exact, worst data set", exact / n_samples)]
    return pd.DataFrame(rows, columns=["epsilon", "curve", "excess"])
