"""Tables that put every composition rule beside the exact value."""

from collections.abc import Sequence
from math import exp, expm1, sqrt

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from privml.composition import (
    advanced_epsilon,
    gaussian_loss,
    laplace_loss,
    nonadaptive_range_delta,
    nonadaptive_range_epsilon,
    numerical_composition,
    optimal_delta,
    optimal_epsilon,
)
from privml.divergences import gaussian_epsilon
from privml.guarantee.approximate import (
    concentrated_delta,
    concentrated_epsilon,
    concentrated_epsilon_simple,
)
from privml.guarantee.rho import (
    bounded_range_rho,
    bounded_range_rho_simple,
    gaussian_rho,
    laplace_rho,
    pure_rho,
    pure_rho_simple,
)

EPSILONS = {
    "basic": lambda step, k, delta: k * step,
    "advanced": advanced_epsilon,
    "concentrated, simple": lambda step, k, delta: concentrated_epsilon_simple(
        k * pure_rho_simple(step), delta
    ),
    "concentrated, tight": lambda step, k, delta: concentrated_epsilon(k * pure_rho(step), delta),
    "optimum": optimal_epsilon,
    "range, concentrated": lambda step, k, delta: concentrated_epsilon(k * bounded_range_rho(step), delta),
    "range, fixed in advance": nonadaptive_range_epsilon,
}
"""From the epsilon of a step, the number of steps and delta to the total epsilon."""


def epsilon_by_steps(step_epsilon: float, counts: Sequence[int], delta: float) -> pd.DataFrame:
    """Total epsilon by every rule against the number of steps.

    Parameters
    ----------
    step_epsilon : float
        Epsilon of each step in nats.
    counts : sequence of int
        Numbers of steps.
    delta : float
        Total.

    Returns
    -------
    DataFrame
        Columns ``rule``, ``k``, ``epsilon``.  The rules called range are for exponential mechanisms, the
        others for all pure steps; what exceeds the sum is replaced by it, except for advanced composition.

    Examples
    --------
    >>> table = epsilon_by_steps(0.05, [1000], 1e-5)
    >>> table.round(4).set_index("rule")["epsilon"].tolist()
    [50.0, 10.1507, 8.8371, 8.0774, 7.4928, 3.6169, 3.3404]
    """
    rows = []
    for rule, total in EPSILONS.items():
        for k in counts:
            epsilon = total(step_epsilon, k, delta)
            rows.append((rule, k, epsilon if rule == "advanced" else min(epsilon, k * step_epsilon)))
    return pd.DataFrame(rows, columns=["rule", "k", "epsilon"])


def _advanced_delta(step_epsilon: float, k: int, epsilon: float) -> float:
    """The slack for which advanced composition gives epsilon, at most 1."""
    excess = epsilon - k * step_epsilon * expm1(step_epsilon)
    return 1.0 if excess <= 0 else exp(-(excess**2) / (2 * k * step_epsilon**2))


def _simple_delta(rho: float, epsilon: float) -> float:
    """The delta for which the simple conversion of rho-concentrated privacy gives epsilon, at most 1."""
    return 1.0 if epsilon <= rho else exp(-((epsilon - rho) ** 2) / (4 * rho))


def composition_curves(step_epsilon: float, k: int, epsilons: ArrayLike) -> pd.DataFrame:
    """Exact privacy curves of k steps, and the curves that the bounds draw.

    Parameters
    ----------
    step_epsilon : float
        Epsilon of each step in nats.
    k : int
        Number of steps.
    epsilons : array_like
        Totals.

    Returns
    -------
    DataFrame
        Columns ``rule``, ``epsilon``, ``delta``.

    Examples
    --------
    >>> composition_curves(0.05, 1000, [5.0]).round(6)
                          rule  epsilon     delta
    0                 advanced      5.0  0.305058
    1     concentrated, simple      5.0  0.060055
    2      concentrated, tight      5.0  0.010635
    3                  optimum      5.0  0.003079
    4      range, concentrated      5.0  0.000000
    5  range, fixed in advance      5.0  0.000000
    """
    curves = {
        "advanced": lambda epsilon: _advanced_delta(step_epsilon, k, epsilon),
        "concentrated, simple": lambda epsilon: _simple_delta(k * pure_rho_simple(step_epsilon), epsilon),
        "concentrated, tight": lambda epsilon: concentrated_delta(k * pure_rho(step_epsilon), epsilon),
        "optimum": lambda epsilon: optimal_delta(step_epsilon, k, epsilon),
        "range, concentrated": lambda epsilon: concentrated_delta(
            k * bounded_range_rho(step_epsilon), epsilon
        ),
        "range, fixed in advance": lambda epsilon: nonadaptive_range_delta(step_epsilon, k, epsilon),
    }
    rows = [
        (rule, epsilon, delta(epsilon))
        for rule, delta in curves.items()
        for epsilon in np.asarray(epsilons, dtype=float).tolist()
    ]
    return pd.DataFrame(rows, columns=["rule", "epsilon", "delta"])


def _pure_rows(step: float, k: int, delta: float) -> list[tuple[str, float]]:
    return [
        ("basic: k ε", k * step),
        ("advanced", advanced_epsilon(step, k, delta)),
        ("concentrated, ε²/2, simple", concentrated_epsilon_simple(k * pure_rho_simple(step), delta)),
        ("concentrated, ε²/2, tight", concentrated_epsilon(k * pure_rho_simple(step), delta)),
        ("concentrated, ε tanh(ε/2), tight", concentrated_epsilon(k * pure_rho(step), delta)),
        ("optimum, attained", optimal_epsilon(step, k, delta)),
    ]


def _range_rows(step: float, k: int, delta: float) -> list[tuple[str, float]]:
    return [
        ("as pure: optimum", optimal_epsilon(step, k, delta)),
        (
            "concentrated, ε²/8, simple",
            concentrated_epsilon_simple(k * bounded_range_rho_simple(step), delta),
        ),
        ("concentrated, ε²/8, tight", concentrated_epsilon(k * bounded_range_rho_simple(step), delta)),
        ("concentrated, best constant, tight", concentrated_epsilon(k * bounded_range_rho(step), delta)),
        ("optimum, fixed in advance, attained", nonadaptive_range_epsilon(step, k, delta)),
    ]


def _noise_rows(step: float, sigma: float, k: int, delta: float) -> list[tuple[str, str, float]]:
    rho = k * gaussian_rho(1 / sigma)
    laplace, gaussian = "Laplace noise", "Gaussian noise"
    return [
        (laplace, "as pure: optimum", optimal_epsilon(step, k, delta)),
        (laplace, "concentrated, best constant, tight", concentrated_epsilon(k * laplace_rho(step), delta)),
        (
            laplace,
            "numerical, rounded up",
            numerical_composition(laplace_loss(step, k), delta=delta).epsilon,
        ),
        (gaussian, "concentrated, simple", concentrated_epsilon_simple(rho, delta)),
        (gaussian, "concentrated, tight", concentrated_epsilon(rho, delta)),
        (
            gaussian,
            "numerical, rounded up",
            numerical_composition(gaussian_loss(1 / sigma, k), delta=delta).epsilon,
        ),
        (gaussian, "exact", gaussian_epsilon(delta, sqrt(k) / sigma)),
    ]


def thousandfold(step_epsilon: float, sigma: float, k: int, delta: float) -> pd.DataFrame:
    """Total epsilon of k releases by every rule that applies, and how far it is from the best known value.

    Parameters
    ----------
    step_epsilon : float
        Epsilon of each pure step, of each exponential mechanism and of Laplace noise, in nats.
    sigma : float
        Standard deviation of Gaussian noise, for sensitivity 1.
    k : int
        Number of releases.
    delta : float
        Total.

    Returns
    -------
    DataFrame
        Columns ``step``, ``rule``, ``epsilon`` and ``ratio`` to the last row of the same step.

    Examples
    --------
    >>> table = thousandfold(0.05, 50.0, 1000, 1e-5)
    >>> table.groupby("step", sort=False)["epsilon"].last().round(4).tolist()
    [7.4928, 3.3404, 7.4213, 2.5944]
    """
    rows = [("any pure step", *row) for row in _pure_rows(step_epsilon, k, delta)]
    rows += [("exponential mechanism", *row) for row in _range_rows(step_epsilon, k, delta)]
    rows += _noise_rows(step_epsilon, sigma, k, delta)
    table = pd.DataFrame(rows, columns=["step", "rule", "epsilon"])
    table["ratio"] = table["epsilon"] / table.groupby("step")["epsilon"].transform("last")
    return table


def numerical_grids(
    step_epsilon: float, sigma: float, k: int, delta: float, intervals: ArrayLike
) -> pd.DataFrame:
    """Numerical composition of Laplace noise and of Gaussian noise on several grids.

    Parameters
    ----------
    step_epsilon : float
        Epsilon of Laplace noise in nats.
    sigma : float
        Standard deviation of Gaussian noise, for sensitivity 1.
    k : int
        Number of releases of each kind.
    delta : float
        Total.
    intervals : array_like
        Grids of the losses in nats.

    Returns
    -------
    DataFrame
        Columns ``interval``, ``laplace``, ``gaussian``, and ``excess``, by which the last exceeds the exact
        value.

    Examples
    --------
    >>> numerical_grids(0.05, 50.0, 1000, 1e-5, [0.01]).round(3)
       interval  laplace  gaussian  excess
    0      0.01    7.422     2.655    0.06
    """
    rows, exact = [], gaussian_epsilon(delta, sqrt(k) / sigma)
    for interval in np.asarray(intervals, dtype=float).tolist():
        losses = (
            laplace_loss(step_epsilon, k, interval=interval),
            gaussian_loss(1 / sigma, k, interval=interval),
        )
        totals = [numerical_composition(loss, delta=delta).epsilon for loss in losses]
        rows.append((interval, *totals, totals[1] - exact))
    return pd.DataFrame(rows, columns=["interval", "laplace", "gaussian", "excess"])
