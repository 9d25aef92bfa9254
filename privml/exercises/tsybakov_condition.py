"""Checkers for the exercises of the chapter on the Tsybakov condition."""

from collections.abc import Callable
from itertools import product

import numpy as np
from numpy.typing import ArrayLike

from privml.bounds.noise_condition import NoiseCondition
from privml.bounds.pate import gaussian_pate_bound, sparse_vector_pate_bound
from privml.hypotheses import Thresholds
from privml.populations import bernstein_constant, noise_margins, regression_population

__all__ = ["check_crossing", "check_least", "check_trap"]

CROSSING = {"epsilon": 1.0, "delta": 1e-9, "beta": 0.1}
CONDITION = NoiseCondition(tau=1.0, n_hypotheses=257)


def _demand(condition: bool, hint: str) -> None:
    if not condition:
        raise AssertionError(hint)


def _brute_force(masses: np.ndarray, margins: np.ndarray, tau: float) -> float:
    flips = np.array(list(product([False, True], repeat=masses.size)))[1:]
    distance, excess = flips @ masses, flips @ (2 * margins * masses)
    return float(max(1.0, (distance / excess**tau).max()))


def check_least(least_eta: Callable[[np.ndarray, np.ndarray, float], float]) -> None:
    """Check the least constant of the Bernstein condition over all labellings of a finite domain.

    Parameters
    ----------
    least_eta : callable
        From masses, positive noise margins and tau to the least eta, at least 1.

    Raises
    ------
    AssertionError
        If a value differs from what going through all labellings gives, or many points take too long.

    Examples
    --------
    >>> check_least(lambda masses, margins, tau: 1.0)
    Traceback (most recent call last):
    AssertionError: masses [0.1 0.2 0.7], margins [0.02 0.4  0.5 ], τ = 0.5: 1 is not 1.58114
    """
    rng = np.random.default_rng(0)
    cases = [(np.array([0.1, 0.2, 0.7]), np.array([0.02, 0.4, 0.5]), 0.5)]
    for _ in range(20):
        cases.append((rng.dirichlet(np.ones(7)), rng.uniform(0.01, 0.5, 7), rng.uniform(0.1, 1.0)))
    for masses, margins, tau in cases:
        found, right = least_eta(masses, margins, tau), _brute_force(masses, margins, tau)
        case = f"masses {masses.round(3)}, margins {margins.round(3)}, τ = {tau:.3g}"
        _demand(abs(found - right) <= 1e-9 * right, f"{case}: {found:.6g} is not {right:.6g}")
    many = 5000
    found = least_eta(np.full(many, 1 / many), np.linspace(0.5 / many, 0.5, many), 0.5)
    _demand(
        abs(found - 2**0.5) < 0.01, f"for {many} margins up to 1/2 the constant is near √2, got {found:g}"
    )


def check_crossing(exponent: int) -> None:
    """Check the least power of ten of private records at which the sparse vector has the smaller bound.

    Parameters
    ----------
    exponent : int
        For ``tau = 1, eta = 1``, 257 thresholds, 10^8 public points, epsilon 1, delta 1e-9, beta 0.1.

    Raises
    ------
    AssertionError
        If Gaussian votes have the smaller bound there, or the sparse vector has it earlier.

    Examples
    --------
    >>> check_crossing(11)
    Traceback (most recent call last):
    AssertionError: at 10^11 records the sparse vector promises 0.22, Gaussian votes 0.0162
    """

    def excess(power: int) -> list[float]:
        arguments = (CONDITION, 10 ** max(power, 9), 10**8, *CROSSING.values())  # 10^9 is the least for both
        return [bound(*arguments).excess for bound in (sparse_vector_pate_bound, gaussian_pate_bound)]

    ours, votes = excess(exponent)
    message = f"at 10^{exponent} records the sparse vector promises {ours:.3g}, Gaussian votes {votes:.3g}"
    _demand(ours < votes, message)
    before = excess(exponent - 1)
    _demand(before[0] >= before[1], f"10^{exponent - 1} records are enough")


def check_trap(labels: ArrayLike) -> None:
    """Check labels without noise on equally likely points in a row that trap the class of thresholds.

    Parameters
    ----------
    labels : array_like of bool
        One for each point, from left to right, at most 20.

    Raises
    ------
    AssertionError
        If some threshold is right everywhere, or the Bernstein condition holds with some constant.

    Examples
    --------
    >>> check_trap([False, True, True])
    Traceback (most recent call last):
    AssertionError: some threshold is right everywhere: the problem is realizable
    """
    labels = np.asarray(labels)
    valid = labels.ndim == 1 and labels.dtype == bool and 1 <= labels.size <= 20
    _demand(valid, "labels must be a list of at most 20 truth values")
    n_points = labels.size
    cuts = Thresholds(np.arange(n_points + 1) - 0.5)
    masses = np.full(n_points, 1 / n_points)
    population = regression_population(np.arange(n_points), masses, labels.astype(float))
    _demand(bool((noise_margins(population).margins == 0.5).all()), "labels must have no noise")
    best = population.best(cuts).error
    _demand(best > 1e-9, "some threshold is right everywhere: the problem is realizable")
    eta = bernstein_constant(cuts, population, 1.0)
    _demand(
        np.isinf(eta), f"the condition holds with τ = 1 and η = {eta:.3g}: the best threshold has no rival"
    )
