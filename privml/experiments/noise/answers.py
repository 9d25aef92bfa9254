"""What a released answer says: intervals that hold the true value."""

from math import sqrt

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from privml.distributions import DiscreteGaussian, DiscreteLaplace, Gaussian, Laplace
from privml.distributions.base import SymmetricLaw
from privml.mechanisms import DiscreteGaussianMechanism, DiscreteLaplaceMechanism, gaussian_sigma


def _within(law: SymmetricLaw, half_width: float, n_coordinates: int) -> float:
    """Probability that all of several independent noises are at most `half_width` in size."""
    step = 1.0 if isinstance(law, DiscreteGaussian | DiscreteLaplace) else 0.0
    one = 1 - float(law.sf(half_width)) - float(law.cdf(-half_width - step))
    return one**n_coordinates


def _half_width(law: SymmetricLaw, beta: float, n_coordinates: int) -> float:
    """Smallest half-width that holds all noises with probability 1 - beta; whole for whole noise."""
    lower, upper = 0.0, 1.0
    while _within(law, upper, n_coordinates) < 1 - beta:
        lower, upper = upper, 2 * upper
    whole = isinstance(law, DiscreteGaussian | DiscreteLaplace)
    while upper - lower > (1.0 if whole else 1e-12 * upper):
        middle = (lower + upper) / 2
        middle = np.floor(middle) if whole else middle
        lower, upper = (lower, middle) if _within(law, middle, n_coordinates) >= 1 - beta else (middle, upper)
    return 0.0 if whole and _within(law, 0.0, n_coordinates) >= 1 - beta else float(upper)


def half_widths(epsilon: float, delta: float, beta: float, n_coordinates: ArrayLike) -> pd.DataFrame:
    """Half-width of the interval around each released cell that holds all true cells, by noise.

    Parameters
    ----------
    epsilon, delta : float
        Privacy of a histogram under ``ADD_OR_REMOVE_ONE``, where both of its sensitivities are 1.
    beta : float
        Probability that some true cell lies outside.
    n_coordinates : array_like of int
        Numbers of cells.

    Returns
    -------
    DataFrame
        Columns ``noise``, ``deviation``, ``n_cells``, ``half_width`` (smallest), ``coverage`` (exact, of all
        cells together), ``by_tail_bound`` (half-width from the closed forms).

    Examples
    --------
    >>> half_widths(1.0, 1e-5, 0.05, [1]).round(3)
                   noise  deviation  n_cells  half_width  coverage  by_tail_bound
    0            Laplace      1.414        1       2.996     0.950          2.996
    1   discrete Laplace      1.357        1       3.000     0.973          3.000
    2           Gaussian      3.731        1       7.312     0.950         9.132
    3  discrete Gaussian      3.740        1       7.000     0.956         10.000
    """
    sigma = gaussian_sigma(epsilon, delta)
    variance = DiscreteGaussianMechanism(epsilon=epsilon, delta=delta, sensitivity=1).variance
    scale = float(DiscreteLaplaceMechanism(epsilon=epsilon, sensitivity=1).scale)
    ratio = np.exp(-1 / scale)
    laws = {  # law, standard deviation, half-width by tail bound as a function of ln(1 / chance to miss)
        "Laplace": (Laplace(scale=scale), sqrt(2) * scale, lambda t: scale * t),
        "discrete Laplace": (
            DiscreteLaplace(scale=scale),
            sqrt(2 * ratio) / (1 - ratio),
            lambda t: np.ceil(scale * (t + np.log(2 / (1 + ratio)))) - 1,
        ),
        "Gaussian": (Gaussian(sigma=sigma), sigma, lambda t: sigma * np.sqrt(2 * t)),
        "discrete Gaussian": (
            DiscreteGaussian(variance=variance),
            float(variance) ** 0.5,
            lambda t: np.ceil(np.sqrt(2 * float(variance) * (t + np.log(2)))) - 1,
        ),
    }
    rows = []
    for name, (law, deviation, by_bound) in laws.items():
        for p in np.asarray(n_coordinates, dtype=int).tolist():
            width = _half_width(law, beta, p)
            bound = float(by_bound(np.log(p / beta)))
            rows.append((name, deviation, p, width, _within(law, width, p), bound))
    columns = ["noise", "deviation", "n_cells", "half_width", "coverage", "by_tail_bound"]
    return pd.DataFrame(rows, columns=columns)


def released_cells(records: ArrayLike, n_cells: int, epsilon: float, beta: float, seed: int) -> pd.DataFrame:
    """A histogram with discrete Laplace noise under ``REPLACE_ONE``, with intervals that hold all its cells.

    Parameters
    ----------
    records : array_like of int
        Cell of each record.
    n_cells : int
        Number of cells.
    epsilon : float
        Privacy parameter in nats.
    beta : float
        Probability that some true cell lies outside of its interval.
    seed : int
        Of the noise; in a real release a seed gives it away.

    Returns
    -------
    DataFrame
        Columns ``cell``, ``truth``, ``released``, ``from``, ``to``.

    Examples
    --------
    >>> released_cells([0, 2, 2], 3, 1.0, 0.05, 0).shape
    (3, 5)
    """
    mechanism = DiscreteLaplaceMechanism(epsilon=epsilon, sensitivity=2)
    truth = np.bincount(np.asarray(records, dtype=int), minlength=n_cells)
    released = mechanism.release(truth, rng=seed)
    width = int(_half_width(DiscreteLaplace(scale=mechanism.scale), beta, n_cells))
    ends = {"from": released - width, "to": released + width}
    return pd.DataFrame({"cell": np.arange(n_cells), "truth": truth, "released": released} | ends)
