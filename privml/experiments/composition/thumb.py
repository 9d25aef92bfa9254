"""Tables on the rule of thumb epsilon / sqrt(8 k ln(1 / delta)): where it holds and where it fails."""

from itertools import product
from math import log, sqrt

import pandas as pd
from numpy.typing import ArrayLike

from privml._search import smallest_float
from privml.composition import optimal_delta
from privml.divergences import gaussian_delta, gaussian_log_delta


def rule_of_thumb(k: int, deltas: ArrayLike, multiples: ArrayLike) -> pd.DataFrame:
    """What k steps of the size that the rule of thumb allows really spend.

    Parameters
    ----------
    k : int
        Number of steps.
    deltas : array_like
        Claimed.
    multiples : array_like
        The claimed epsilon as a multiple of ln(1 / delta).

    Returns
    -------
    DataFrame
        Columns ``delta``, ``multiple``, ``epsilon`` (claimed), ``step_epsilon``
        (``epsilon / sqrt(8 k ln(1 / delta))``), ``exact_delta`` of k randomised responses of that size at
        epsilon, its ``ratio`` to delta, and its ``limit`` for many steps.

    Examples
    --------
    >>> rule_of_thumb(100_000, [0.1], [8.0, 20.0]).round(3)
       delta  multiple  epsilon  step_epsilon  exact_delta  ratio  limit
    0    0.1       8.0   18.421         0.014        0.010  0.099  0.010
    1    0.1      20.0   46.052         0.034        0.835  8.353  0.835
    """
    rows = []
    for delta, multiple in product(map(float, deltas), map(float, multiples)):
        epsilon = multiple * log(1 / delta)
        step_epsilon = epsilon / sqrt(8 * k * log(1 / delta))
        exact = optimal_delta(step_epsilon, k, epsilon)
        limit = gaussian_delta(epsilon, sqrt(k) * step_epsilon)
        rows.append((delta, multiple, epsilon, step_epsilon, exact, exact / delta, limit))
    columns = ["delta", "multiple", "epsilon", "step_epsilon", "exact_delta", "ratio", "limit"]
    return pd.DataFrame(rows, columns=columns)


def smallest_false_multiple(deltas: ArrayLike) -> pd.DataFrame:
    """The multiple of ln(1 / delta) from which the rule of thumb is false for many steps.

    Parameters
    ----------
    deltas : array_like
        In (0, 1/2].

    Returns
    -------
    DataFrame
        Columns ``delta`` and ``multiple``.

    Examples
    --------
    >>> smallest_false_multiple([0.1, 1e-5, 1e-200])["multiple"].round(3).tolist()
    [11.758, 9.019, 8.041]
    """
    rows = []
    for delta in map(float, deltas):
        target = log(1 / delta)

        def is_false(multiple: float, target: float = target) -> bool:
            return gaussian_log_delta(multiple * target, multiple * sqrt(target / 8)) > -target

        rows.append((delta, smallest_float(is_false, lower=8.0, upper=16.0)))
    return pd.DataFrame(rows, columns=["delta", "multiple"])
