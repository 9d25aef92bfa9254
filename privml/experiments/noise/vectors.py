"""Many counts of the same people: Laplace noise by L1 against Gaussian noise by L2."""

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from privml.composition import optimal_step_epsilon
from privml.mechanisms import gaussian_sigma

LAPLACE, INTEGER, GAUSSIAN = "Laplace, pure", "discrete Laplace, exact at (ε, δ)", "Gaussian, exact"


def _discrete_laplace_deviation(rate: float) -> float:
    """Standard deviation of discrete Laplace noise of a rate, 1 / scale."""
    return float(np.exp(-rate / 2) * np.sqrt(2) / -np.expm1(-rate))


def deviations(counts: ArrayLike, epsilon: float, delta: float) -> pd.DataFrame:
    """Standard deviation of the noise on each of k counts that one person moves by 1 together.

    Parameters
    ----------
    counts : array_like of int
        Numbers of counts k.
    epsilon, delta : float
        For all counts together; the pure noise makes no use of delta.

    Returns
    -------
    DataFrame
        Columns ``n_counts``, ``noise``, ``deviation``.

    Notes
    -----
    A count that moves by 1 under discrete Laplace noise of rate r has the losses of randomised response, r
    and -r.  So the least noise at (epsilon, delta) follows from the optimal composition of k responses.

    Examples
    --------
    >>> deviations([100], 1.0, 1e-5).round(3)
       n_counts                              noise  deviation
    0       100                      Laplace, pure    141.421
    1       100  discrete Laplace, exact at (ε, δ)     52.262
    2       100                    Gaussian, exact     37.306
    """
    sigma, rows = gaussian_sigma(epsilon, delta), []
    for k in np.asarray(counts, dtype=int).tolist():
        step = optimal_step_epsilon(epsilon, k, delta)
        rows.append((k, LAPLACE, float(np.sqrt(2) * k / epsilon)))
        rows.append((k, INTEGER, _discrete_laplace_deviation(step)))
        rows.append((k, GAUSSIAN, float(np.sqrt(k) * sigma)))
    return pd.DataFrame(rows, columns=["n_counts", "noise", "deviation"])


def _log_miss(beta: float, n_coordinates: int) -> NDArray[np.float64]:
    """Log of the chance that one coordinate may miss so that all of them hold with probability 1 - beta."""
    return np.log(-np.expm1(np.log1p(-beta) / n_coordinates))


def largest_errors(cells: ArrayLike, epsilon: float, delta: float, beta: float) -> pd.DataFrame:
    """Error of the worst cell of a histogram under ``REPLACE_ONE``, exceeded with probability beta.

    Parameters
    ----------
    cells : array_like of int
        Numbers of cells.
    epsilon, delta : float
        Privacy parameters; the Laplace noise is pure.
    beta : float
        In (0, 1).

    Returns
    -------
    DataFrame
        Columns ``n_cells``, ``laplace``, ``gaussian``.

    Examples
    --------
    >>> largest_errors([5, 100_000], 1.0, 1e-5, 0.05).round(2)
       n_cells  laplace  gaussian
    0        5     9.17     13.55
    1   100000    28.97     26.49
    """
    from scipy.special import ndtri_exp

    sigma, rows = gaussian_sigma(epsilon, delta, np.sqrt(2)), []
    for p in np.asarray(cells, dtype=int).tolist():
        miss = _log_miss(beta, p)
        rows.append((p, float(-2 / epsilon * miss), float(-sigma * ndtri_exp(miss - np.log(2)))))
    return pd.DataFrame(rows, columns=["n_cells", "laplace", "gaussian"])
