"""Tables on analysts who decide when to stop in the light of the answers."""

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from privml.composition import optimal_epsilon
from privml.mechanisms import RandomisedResponse


def _claims(step_epsilon: float, k: int, delta: float) -> NDArray[np.float64]:
    """Epsilon that the optimal rule for a fixed number of steps gives after 0, 1, ..., k of them."""
    return np.array([0.0] + [optimal_epsilon(step_epsilon, j, delta) for j in range(1, k + 1)])


def stopped_delta(step_epsilon: float, counts: ArrayLike, delta: float) -> pd.DataFrame:
    """Exact delta of randomised responses with the worst rule for stopping, against the delta claimed.

    After each answer the analyst may stop and claim what the optimal rule gives for as many steps as were
    made.  The best rule for stopping is found by going backwards from the last step.

    Parameters
    ----------
    step_epsilon : float
        Epsilon of each answer in nats.
    counts : array_like of int
        Largest numbers of answers.
    delta : float
        Claimed.

    Returns
    -------
    DataFrame
        Columns ``k``, ``claimed``, ``exact`` and their ``ratio``.

    Examples
    --------
    >>> stopped_delta(0.05, [1, 100], 1e-5)["ratio"].round(3).tolist()
    [1.0, 6.673]
    """
    counts = np.asarray(counts, dtype=int).tolist()
    keep = RandomisedResponse(step_epsilon).keep
    claims, rows = _claims(step_epsilon, max(counts), delta), []
    for k in counts:
        value = np.zeros(k + 2)
        for j in range(k, -1, -1):
            losses = (j - 2 * np.arange(j + 1)) * step_epsilon
            stopped = -np.expm1(np.minimum(claims[j] - losses, 0.0))
            value = np.maximum(stopped, keep * value[: j + 1] + (1 - keep) * value[1 : j + 2])
        rows.append((k, delta, float(value[0]), float(value[0]) / delta))
    return pd.DataFrame(rows, columns=["k", "claimed", "exact", "ratio"])
