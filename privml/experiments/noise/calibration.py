"""How much Gaussian noise a claim needs: by the classical formula, by the tail of the loss, and exactly."""

from math import erf, erfc, exp, log, nan, pi, sqrt

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from privml.divergences import gaussian_log_delta
from privml.mechanisms import gaussian_sigma

LARGEST_EXPONENT = 709.0  # of exp in double precision


def _bare_formula(epsilon: ArrayLike, delta: float) -> ArrayLike:
    """The classical sigma for sensitivity 1, with no condition on epsilon."""
    return sqrt(2 * log(1.25 / delta)) / epsilon


def _by_the_tail(epsilon: ArrayLike, delta: float) -> ArrayLike:
    """Smallest sigma at which a privacy loss above epsilon has probability delta, for sensitivity 1."""
    from scipy.special import ndtri

    quantile = -ndtri(delta)
    return (quantile + np.sqrt(quantile**2 + 2 * np.asarray(epsilon))) / (2 * np.asarray(epsilon))


def calibrations(delta: float, epsilons: ArrayLike) -> pd.DataFrame:
    """Standard deviation of Gaussian noise for (epsilon, delta) on a value of sensitivity 1, in three ways.

    Parameters
    ----------
    delta : float
        In (0, 1/2).
    epsilons : array_like
        In nats, positive.

    Returns
    -------
    DataFrame
        Columns ``epsilon``, ``classical`` (the bare formula, whether or not it is proved there), ``tail``
        (loss above epsilon with probability delta), ``exact``.

    Examples
    --------
    >>> calibrations(1e-5, [0.1, 0.5, 0.9]).round(4)
       epsilon  classical     tail    exact
    0      0.1    48.4481  42.7658  30.7496
    1      0.5     9.6896   8.6454   7.0318
    2      0.9     5.3831   4.8532   4.1066
    """
    epsilons = np.asarray(epsilons, dtype=float)
    return pd.DataFrame(
        {
            "epsilon": epsilons,
            "classical": _bare_formula(epsilons, delta),
            "tail": _by_the_tail(epsilons, delta),
            "exact": [gaussian_sigma(epsilon, delta) for epsilon in epsilons.tolist()],
        }
    )


def classical_deltas(deltas: ArrayLike, epsilons: ArrayLike) -> pd.DataFrame:
    """Exact delta of Gaussian noise with the bare classical formula, within its range and beyond.

    Parameters
    ----------
    deltas : array_like
        Claimed, in (0, 1).
    epsilons : array_like
        In nats, positive.

    Returns
    -------
    DataFrame
        Columns ``claimed``, ``epsilon``, ``sigma``, ``exact``, ``ratio`` (exact over claimed).

    Examples
    --------
    >>> classical_deltas([1e-5], [8.0, 10.0, 20.0]).round(7)
       claimed  epsilon     sigma     exact       ratio
    0  0.00001      8.0  0.605601  0.000008    0.797060
    1  0.00001     10.0  0.484480  0.000023    2.265374
    2  0.00001     20.0  0.242240  0.001527  152.669470
    """
    epsilons, tables = np.asarray(epsilons, dtype=float), []
    for delta in np.asarray(deltas, dtype=float).tolist():
        sigma = _bare_formula(epsilons, delta)
        exact = np.exp(gaussian_log_delta(epsilons, 1 / sigma))
        columns = {"claimed": delta, "epsilon": epsilons, "sigma": sigma, "exact": exact}
        tables.append(pd.DataFrame(columns | {"ratio": exact / delta}))
    return pd.concat(tables, ignore_index=True)


def _by_erf(epsilon: float, mu: float) -> float:
    """The closed form of the curve, as one would type it."""
    below, above = ((1 + erf((side * mu / 2 - epsilon / mu) / sqrt(2))) / 2 for side in (1, -1))
    return below - exp(epsilon) * above if epsilon < LARGEST_EXPONENT else nan


def _by_erfc(epsilon: float, mu: float) -> float:
    """The same with both tails to full relative precision."""
    below, above = (erfc((epsilon / mu - side * mu / 2) / sqrt(2)) / 2 for side in (1, -1))
    return below - exp(epsilon) * above if epsilon < LARGEST_EXPONENT else nan


def _integral(epsilon: float, mu: float) -> float:
    """The curve as the integral of the density of epsilon / t - t / 2 over t below mu."""
    from scipy.integrate import quad

    lower = epsilon / (sqrt(2 * epsilon + 40**2) + 40) * 2  # below it the density is less than e^-800
    value, _ = quad(
        lambda t: exp(-((epsilon / t - t / 2) ** 2) / 2) / sqrt(2 * pi),
        min(lower, mu / 2),
        mu,
        epsabs=0.0,
        epsrel=1e-12,
        limit=500,
    )
    return value


def curve_in_floats(claims: list[tuple[float, float]]) -> pd.DataFrame:
    """The exact curve at the calibrated sigma, computed in four ways, over the target delta.

    Parameters
    ----------
    claims : list of tuple
        Pairs (epsilon, delta), positive.

    Returns
    -------
    DataFrame
        Columns ``epsilon``, ``delta``, ``sigma``, then computed value over delta: with ``erf``, as one types
        it, with ``erfc``, by quadrature of an ``integral`` and in ``log_space``; NaN where it overflows.

    Examples
    --------
    >>> curve_in_floats([(1.0, 1e-5), (1.0, 0.1)]).round(6)
       epsilon    delta     sigma  erf  erfc  integral  log_space
    0      1.0  0.00001  3.730632  1.0   1.0       1.0        1.0
    1      1.0  0.10000  1.085878  1.0   1.0       1.0        1.0
    """
    rows = []
    for epsilon, delta in claims:
        sigma = gaussian_sigma(epsilon, delta)
        log_space = exp(gaussian_log_delta(epsilon, 1 / sigma) - log(delta))
        computed = (way(epsilon, 1 / sigma) / delta for way in (_by_erf, _by_erfc, _integral))
        rows.append((epsilon, delta, sigma, *computed, log_space))
    columns = ["epsilon", "delta", "sigma", "erf", "erfc", "integral", "log_space"]
    return pd.DataFrame(rows, columns=columns)
