"""Tables on rates: exact expectations of the learner beside the bounds."""

from collections.abc import Callable, Sequence
from math import log

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from privml.bounds.convex_sublevel import convex_utility_gap, shrinking_condition
from privml.bounds.finite_utility import finite_utility_gap
from privml.bounds.penalised_erm import (
    penalised_erm_excess_risk,
    penalised_erm_utility_gap,
    penalised_erm_utility_gap_wlf16,
)
from privml.bounds.penalised_erm_rates import penalised_erm_best_epsilon, penalised_erm_excess_risk_wlf16
from privml.bounds.sublevel import finite_class_condition
from privml.experiments.sublevel_sets_and_rates.base import Gridded, losses_of, samples, segment
from privml.learnability import stability_from_bounded_range

__all__ = ["finite_gaps", "level_rates", "rates", "wanted"]

NODES = 500
LOWEST = {"absolute": lambda shares: shares.min(axis=1), "squared": lambda shares: shares.prod(axis=1)}
"""Least mean loss on [0, 1], for rows of the shares of no and yes."""


def _continuum(name: str, share: float) -> tuple[Gridded, NDArray[np.float64]]:
    """A problem on [0, 1] at the nodes of the rule of Gauss and Legendre, which crowd at the ends."""
    x, weights = np.polynomial.legendre.leggauss(NODES)
    return segment(name, share, NODES)._replace(losses=losses_of(name, (1 + x) / 2)), weights / 2


def _law(values: NDArray, rate: float, measure: ArrayLike) -> NDArray[np.float64]:
    """Probabilities of the nodes, one row a data set."""
    weights = measure * np.exp(-rate * (values - values.min(axis=1, keepdims=True)))
    return weights / weights.sum(axis=1, keepdims=True)


def exact_gaps(
    losses: NDArray,
    frequencies: NDArray,
    chances: NDArray,
    population: NDArray,
    rate: float,
    *,
    measure: ArrayLike = 1.0,
    lowest: Callable[[NDArray], NDArray] | None = None,
) -> tuple[float, float]:
    """Expected distance from the least empirical risk, and expected excess risk, for one temperature.

    On a continuum the least risk is that of `lowest`: no node need attain it.
    """
    lowest = lowest or (lambda shares: (shares @ losses.T).min(axis=1))
    risk = losses @ population - lowest(population[None])[0]
    excess, gap = 0.0, 0.0
    size = max(1, (1 << 21) // len(losses))
    for start in range(0, len(chances), size):
        rows = slice(start, start + size)
        values = frequencies[rows] @ losses.T - lowest(frequencies[rows])[:, None]
        law = _law(values, rate, measure)
        gap += float(chances[rows] @ (law * values).sum(axis=1))
        excess += float(chances[rows] @ (law @ risk))
    return gap, excess


def wanted(n_samples: Sequence[int], epsilon: float, share: float) -> pd.DataFrame:
    """Publishing a share in [0, 1] under squared loss: exact expectations, and what the theorem promises.

    Parameters
    ----------
    n_samples : sequence of int
        Numbers n of records.
    epsilon : float
        Privacy parameter in nats.
    share : float
        True share of yeses.

    Returns
    -------
    DataFrame
        Columns ``n_samples``, ``empirical`` (expected excess empirical risk), ``excess`` (expected excess
        risk), ``finite`` (what a bound by the number of hypotheses says: infinity) and ``convex`` (the bound
        on the first of this chapter).

    Examples
    --------
    >>> wanted([100], 1.0, 0.3).round(4)
       n_samples  empirical  excess  finite  convex
    0        100     0.0098  0.0118     inf    0.02
    """
    problem, measure = _continuum("squared", share)
    rule, rows = {"measure": measure, "lowest": LOWEST["squared"]}, []
    for n in n_samples:
        data = problem.losses, *samples(problem, n), problem.chances
        gap, excess = exact_gaps(*data, epsilon * n / 2, **rule)
        rows.append((n, gap, excess, float("inf"), convex_utility_gap(n, epsilon, 1)))
    return pd.DataFrame(rows, columns=["n_samples", "empirical", "excess", "finite", "convex"])


def rates(name: str, n_samples: Sequence[int], share: float) -> pd.DataFrame:
    """Exact excess risk and bounds on it for a convex problem on [0, 1], each n with its best epsilon.

    Parameters
    ----------
    name : {"absolute", "squared"}
        Loss.
    n_samples : sequence of int
        Numbers n of records, at least 2.
    share : float
        True share of yeses.

    Returns
    -------
    DataFrame
        Columns ``n_samples``, ``epsilon`` (of the least bound by the condition), ``excess`` (exact), and
        bounds: ``convex`` (d / c plus stability), ``condition`` (by the sublevel condition with K = 1 and
        rho = 1) and ``wlf16`` (the source's form with the same condition).

    Examples
    --------
    >>> rates("absolute", [1000], 0.4).round(4)
       n_samples  epsilon  excess  convex  condition   wlf16
    0       1000   0.1912  0.0107  0.0582     0.1059  1.3578
    """
    (problem, measure), condition = _continuum(name, share), shrinking_condition(1)
    rule, rows = {"measure": measure, "lowest": LOWEST[name]}, []
    for n in n_samples:
        epsilon, bound = penalised_erm_best_epsilon(n, condition)
        data = problem.losses, *samples(problem, n), problem.chances
        _, excess = exact_gaps(*data, epsilon * n / 2, **rule)
        convex = convex_utility_gap(n, epsilon, 1) + stability_from_bounded_range(epsilon)
        rows.append(
            (n, epsilon, excess, convex, bound, penalised_erm_excess_risk_wlf16(n, epsilon, condition))
        )
    names = ["n_samples", "epsilon", "excess", "convex", "condition", "wlf16"]
    return pd.DataFrame(rows, columns=names)


def level_rates(n_levels: int, n_samples: Sequence[int], share: float) -> pd.DataFrame:
    """The same for equally spaced levels in [0, 1] under squared loss, with the source's epsilon.

    Parameters
    ----------
    n_levels : int
        Size of the class, ``2^M``.
    n_samples : sequence of int
        Numbers n of records, at least 2.
    share : float
        True share of yeses.

    Returns
    -------
    DataFrame
        Columns ``n_samples``, ``epsilon`` (``sqrt((M + ln n) / n)``), ``excess`` (exact), ``ours``,
        ``wlf16``, and two rates without constants: ``root`` (the epsilon) and ``printed``
        (``(M + ln n) / sqrt(n)``).

    Examples
    --------
    >>> level_rates(16, [1000], 0.4).round(4)
       n_samples  epsilon  excess    ours   wlf16    root  printed
    0       1000   0.1044  0.0098  0.0792  1.6383  0.1044   0.3449
    """
    levels = np.linspace(0, 1, n_levels)
    losses, law = np.stack([levels**2, (1 - levels) ** 2], axis=1), np.array([1 - share, share])
    problem = segment("squared", share, n_levels)._replace(losses=losses)
    condition, bits = finite_class_condition(n_levels), log(n_levels) / log(2)
    rows = []
    for n in n_samples:
        epsilon = ((bits + log(n)) / n) ** 0.5
        _, excess = exact_gaps(losses, *samples(problem, n), law, epsilon * n / 2)
        ours = penalised_erm_excess_risk(n, epsilon, condition)
        source = penalised_erm_excess_risk_wlf16(n, epsilon, condition)
        rows.append((n, epsilon, excess, ours, source, epsilon, epsilon**2 * n**0.5))
    names = ["n_samples", "epsilon", "excess", "ours", "wlf16", "root", "printed"]
    return pd.DataFrame(rows, columns=names)


def finite_gaps(sizes: Sequence[int], n_samples: int, epsilon: float) -> pd.DataFrame:
    """Utility gap of the worst finite class of each size, and the bounds, in units of 1 / (n epsilon).

    Parameters
    ----------
    sizes : sequence of int
        Numbers of hypotheses.
    n_samples : int
        Number of records n, which the source's bracket contains.
    epsilon : float
        Privacy parameter in nats, below ``ln n``.

    Returns
    -------
    DataFrame
        Columns ``n_hypotheses``, ``worst`` (exact; ``2 w`` with ``w e^w = (M - 1) / e``), ``ours``
        (``2 ln M``), ``wlf16_tight`` (source's form, sensitivity 1 / n) and ``wlf16`` (as printed).

    Examples
    --------
    >>> finite_gaps([2, 1000], 10**6, 0.1).round(2)
       n_hypotheses  worst   ours  wlf16_tight   wlf16
    0             2   0.56   1.39       141.62  254.92
    1          1000   8.84  13.82       172.69  310.85
    """
    unit, rows = n_samples * epsilon, []
    for size in sizes:
        condition = finite_class_condition(size)
        found = (
            finite_utility_gap(size, n_samples, epsilon),
            penalised_erm_utility_gap(n_samples, epsilon, condition),
            penalised_erm_utility_gap_wlf16(n_samples, epsilon, condition, sensitivity_factor=1.0),
            penalised_erm_utility_gap_wlf16(n_samples, epsilon, condition),
        )
        rows.append((size, *(unit * value for value in found)))
    return pd.DataFrame(rows, columns=["n_hypotheses", "worst", "ours", "wlf16_tight", "wlf16"])
