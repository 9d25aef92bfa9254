"""Tables of fast rates, computed exactly: thresholds on a line, and the worst pair of hypotheses."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from privml.bounds.noise_condition import NoiseCondition, bernstein_from_tail
from privml.pac import threshold_erm_law
from privml.populations import TsybakovLine


def erm_law(line: TsybakovLine, mean_samples: float) -> NDArray[np.float64]:
    """Law of the cut that empirical risk minimisation returns from a Poisson number of records.

    Parameters
    ----------
    line : TsybakovLine
        The population and its thresholds.
    mean_samples : float
        Mean number of records.

    Returns
    -------
    ndarray of shape (n_points + 1,)
    """
    rates = line.regression * (mean_samples / line.n_points)
    return threshold_erm_law(rates, mean_samples / line.n_points - rates)


def scale_of(tau: float) -> float:
    """Scale of the margins that the chapter uses: 1, or 1/2 for bounded noise, a flip rate of 1/4."""
    return 0.5 if tau == 1 else 1.0


def condition_of(line: TsybakovLine) -> NoiseCondition:
    """The noise condition of the thresholds of a line, with the constant that follows from its tail."""
    eta = 1 / line.scale if line.tau == 1 else bernstein_from_tail(line.tail_constant, line.tau)
    return NoiseCondition(tau=line.tau, eta=eta, n_hypotheses=line.n_points + 1)


def threshold_rates(taus: Sequence[float], sizes: Sequence[int], n_points: int, beta: float) -> pd.DataFrame:
    """Exact mean excess error of thresholds, its quantile, and the bound with every constant.

    Parameters
    ----------
    taus : sequence of float
        Exponents, in (0, 1].
    sizes : sequence of int
        Mean numbers of records.
    n_points : int
        Number of points of the line.
    beta : float
        The quantile and the bound are exceeded with probability at most beta.

    Returns
    -------
    DataFrame
        Columns ``tau``, ``n_samples``, ``mean``, ``quantile``, ``bound``.

    Examples
    --------
    >>> threshold_rates([0.5], [100], 200, 0.1).round(4)
       tau  n_samples    mean  quantile  bound
    0  0.5        100  0.0125    0.0333  0.359
    """
    rows = []
    for tau in taus:
        line = TsybakovLine(tau=tau, n_points=n_points, scale=scale_of(tau))
        excess, condition = line.excess, condition_of(line)
        order = np.argsort(excess)
        for n in sizes:
            law = erm_law(line, n)
            above = np.searchsorted(np.cumsum(law[order]), 1 - beta)
            bound = condition.excess(n, beta)
            rows.append((tau, n, law @ excess, excess[order][min(above, n_points)], bound))
    return pd.DataFrame(rows, columns=["tau", "n_samples", "mean", "quantile", "bound"])


def _pair_excess(excess: NDArray[np.float64], n: int, tau: float, eta: float) -> NDArray[np.float64]:
    """Mean excess error on pairs that are as noisy as the condition allows, ties going to the worse one."""
    from scipy.stats import skellam

    mass = np.minimum(eta * excess**tau, 1.0)
    for_worse, for_better = n * (mass - excess) / 2, n * (mass + excess) / 2
    clean = for_worse <= 1e-12
    lost = skellam.sf(-1, np.where(clean, 1.0, for_worse), for_better)
    return excess * np.where(clean, np.exp(-for_better), lost)


def pair_rates(taus: Sequence[float], sizes: Sequence[int], eta: float) -> pd.DataFrame:
    """The largest exact mean excess error over all pairs of hypotheses that satisfy a condition.

    Parameters
    ----------
    taus : sequence of float
        Exponents, in [0, 1].
    sizes : sequence of int
        Mean numbers of records.
    eta : float
        Constant of the condition, at least 1.

    Returns
    -------
    DataFrame
        Columns ``tau``, ``n_samples``, ``mean``, ``excess`` (of the worse hypothesis of the worst pair).

    Examples
    --------
    >>> pair_rates([0.0], [100, 400], 1.0).round(4)
       tau  n_samples    mean  excess
    0  0.0        100  0.0181  0.0766
    1  0.0        400  0.0088  0.0380
    """
    rows = []
    for tau in taus:
        for n in sizes:
            grid = np.logspace(-6, 0, 4001) * 1.0
            grid = grid[grid <= np.minimum(eta * grid**tau, 1.0)]
            means = _pair_excess(grid, n, tau, eta)
            worst = int(means.argmax())
            rows.append((tau, n, means[worst], grid[worst]))
    return pd.DataFrame(rows, columns=["tau", "n_samples", "mean", "excess"])


def slopes(table: pd.DataFrame) -> pd.DataFrame:
    """Slope of log mean excess error against log n between the last sizes of a table, beside the theorem's.

    Parameters
    ----------
    table : DataFrame
        With columns ``tau``, ``n_samples``, ``mean``.

    Returns
    -------
    DataFrame
        Columns ``tau``, ``slope``, ``theorem``, the latter ``-1 / (2 - tau)``.

    Examples
    --------
    >>> table = pd.DataFrame({"tau": 1.0, "n_samples": [10, 100], "mean": [0.1, 0.01]})
    >>> slopes(table).round(6)
       tau  slope  theorem
    0  1.0   -1.0     -1.0
    """
    rows = []
    for tau, part in table.groupby("tau"):
        last = part.sort_values("n_samples").tail(2)
        rise = np.diff(np.log(last["mean"]))[0] / np.diff(np.log(last["n_samples"]))[0]
        rows.append((tau, rise, -1 / (2 - tau)))
    return pd.DataFrame(rows, columns=["tau", "slope", "theorem"])
