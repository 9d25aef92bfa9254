"""Tables on what is promised to students: bounds with every constant, and the rates of Table 1."""

from collections.abc import Sequence

import pandas as pd

from privml.bounds.pate import gaussian_pate_bound, sparse_vector_pate_bound
from privml.bounds.pate_rates import pate_rate
from privml.experiments.tsybakov_condition.rates import condition_of, scale_of
from privml.populations import TsybakovLine

BOUNDS = {"Gaussian": gaussian_pate_bound, "sparse vector": sparse_vector_pate_bound}


def bounds_by_records(
    taus: Sequence[float],
    log10_sizes: Sequence[float],
    n_points: int,
    epsilon: float,
    delta: float,
    beta: float,
) -> pd.DataFrame:
    """Both bounds with every constant at the best number of public points, a power of two.

    Parameters
    ----------
    taus : sequence of float
        Exponents, in (0, 1].
    log10_sizes : sequence of float
        Decimal logarithms of the number of private records.
    n_points : int
        Number of points of the line; the class has one threshold more.
    epsilon, delta, beta : float
        Privacy and failure probability.

    Returns
    -------
    DataFrame
        Columns ``tau``, ``aggregation``, ``log10_n``, ``n_public``, ``n_teachers``, ``cutoff``, ``excess``;
        sizes that allow no teachers are left out.

    Examples
    --------
    >>> bounds_by_records([1.0], [9], 256, 1.0, 1e-9, 0.1)[["aggregation", "n_public", "n_teachers"]]
         aggregation  n_public  n_teachers
    0       Gaussian      4096       16373
    1  sparse vector      1024      118819
    """
    rows = []
    for tau in taus:
        line = TsybakovLine(tau=tau, n_points=n_points, scale=scale_of(tau))
        condition = condition_of(line)
        for name, bound in BOUNDS.items():
            for exponent in log10_sizes:
                found = []
                for power in range(6, 63):
                    try:
                        made = bound(condition, int(10**exponent), 2**power, epsilon, delta, beta)
                    except ValueError:  # more teachers than records
                        break
                    found.append((made.excess, 2**power, made.n_teachers, made.cutoff))
                    if made.excess > 2 * min(found)[0]:  # the bound falls with m and then grows
                        break
                if found:
                    excess, *rest = min(found)
                    rows.append((tau, name, exponent, *rest, excess))
    columns = ["tau", "aggregation", "log10_n", "n_public", "n_teachers", "cutoff", "excess"]
    return pd.DataFrame(rows, columns=columns)


def published_rates(taus: Sequence[float], budgets: Sequence[float], vc_dimension: int) -> pd.DataFrame:
    """Table 1 as numbers: rates without constants, public points in plenty, no error of the best hypothesis.

    Parameters
    ----------
    taus : sequence of float
        Exponents, in (0, 1]; 1 is also the realizable row.
    budgets : sequence of float
        Values of ``n epsilon``.
    vc_dimension : int
        VC dimension d.

    Returns
    -------
    DataFrame
        Columns ``tau``, ``budget``, ``Gaussian``, ``sparse vector``, ``2018``, ``active, theta = 1``.

    Examples
    --------
    >>> published_rates([1.0], [1e6], 4).round(6)
       tau     budget  Gaussian  sparse vector    2018  active, theta = 1
    0  1.0  1000000.0    0.0004       0.000008  0.0004           0.000008
    """
    rows = []
    for tau in taus:
        for budget in budgets:
            setting = "realizable" if tau == 1 else "tsybakov"
            entries = [
                pate_rate(name, setting, budget, 1e300, vc_dimension=vc_dimension, epsilon=1.0, tau=tau)
                for name in ("gaussian", "sparse_vector", "sparse_vector_2018", "active")
            ]
            rows.append((tau, budget, *entries))
    columns = ["tau", "budget", "Gaussian", "sparse vector", "2018", "active, theta = 1"]
    return pd.DataFrame(rows, columns=columns)
