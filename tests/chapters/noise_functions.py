"""Functions with which the tests of the Laplace and the Gaussian mechanism check the theorems of the chapter."""

from collections.abc import Callable
from functools import reduce
from math import erf, erfc, exp, nan, pi, sqrt

import numpy as np
import pandas as pd
from scipy.integrate import quad
from scipy.special import ndtri

from book.tools.chapter_code import chapter_module
from privml import DiscreteLaplaceMechanism
from privml.mechanisms import gaussian_sigma

chapter = chapter_module("noise")


def noisy_histogram(
    mechanism: DiscreteLaplaceMechanism, n_cells: int, n_samples: int
) -> Callable:
    """Distribution of a noisy histogram, whose cells are clamped to two beyond what is possible."""
    inner = np.arange(-1, n_samples + 2)

    def cell(distribution):
        below = [distribution.cdf(-2)]
        above = [distribution.sf(n_samples + 1)]
        return np.concatenate([below, np.exp(distribution.logpmf(inner)), above])

    def joint(z):
        counts = np.bincount(z, minlength=n_cells).tolist()
        cells = [cell(mechanism.output_distribution(c)) for c in counts]
        return reduce(np.multiply.outer, cells).ravel()

    return joint


def excess(t: float, move: float) -> float:
    """Hockey-stick divergence of Laplace noise of scale 1 on a number, by quadrature."""

    def gap(u):
        return max(0.0, exp(-abs(u)) - exp(t - abs(u - move))) / 2

    kinks = [0, (move - t) / 2, move]
    return quad(gap, -40, 40 + move, points=kinks, limit=200)[0]


def excess_of_two(t: float, move: float) -> float:
    """The same for two numbers that move equally far: the mean over the loss of the first one."""

    def mean(u):
        loss = abs(u - move) - abs(u)
        return exp(-abs(u)) / 2 * excess(t - loss, move)

    return quad(mean, -40, 40 + move, points=[0, move], limit=200)[0]


def curve_by_erf(epsilon: float, mu: float) -> float:
    """Privacy curve of Gaussian noise, typed as it stands in the theorem."""
    if epsilon >= 709:
        return nan
    first = (1 + erf((mu / 2 - epsilon / mu) / sqrt(2))) / 2
    second = (1 + erf((-mu / 2 - epsilon / mu) / sqrt(2))) / 2
    return first - exp(epsilon) * second


def curve_by_erfc(epsilon: float, mu: float) -> float:
    """The same with a function that keeps the relative precision of a tail."""
    if epsilon >= 709:
        return nan
    first = erfc((epsilon / mu - mu / 2) / sqrt(2)) / 2
    second = erfc((epsilon / mu + mu / 2) / sqrt(2)) / 2
    return first - exp(epsilon) * second


def curve_by_integral(epsilon: float, mu: float) -> float:
    """The same as the integral of its derivative in the proof, the normal density at epsilon / x - x / 2."""

    def density(x):
        return exp(-((epsilon / x - x / 2) ** 2) / 2) / sqrt(2 * pi)

    # below the start the density is under exp(-800)
    start = 2 * epsilon / (40 + sqrt(2 * epsilon + 40**2))
    start = min(start, mu / 2)
    return quad(density, start, mu, epsabs=0, epsrel=1e-12, limit=500)[0]


def calibrations(epsilons: list[float], delta: float) -> pd.DataFrame:
    """Standard deviations for sensitivity 1: three sufficient ones, and the least."""
    quantile = -ndtri(delta)
    epsilons = np.asarray(epsilons)
    root = np.sqrt(quantile**2 + 2 * epsilons)
    return pd.DataFrame(
        {
            "epsilon": epsilons,
            "classical": chapter.classical_sigma(epsilons, delta),
            "unit_2": chapter.enough_sigma(epsilons, delta),
            "tail": (quantile + root) / (2 * epsilons),
            "exact": [gaussian_sigma(epsilon, delta) for epsilon in epsilons],
        }
    )
