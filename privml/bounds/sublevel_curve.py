r"""The sublevel-set condition, computed for a given problem.

For finitely many hypotheses and finitely many data sets the left side of the condition,
``E mu(H) / mu(S_t)``, is a finite sum for each t (`measure_ratio_curve`).  On a continuous set the hypotheses
are nodes of a grid or of a quadrature rule, and a Lipschitz constant turns the numbers at the nodes into
bounds on both sides (`gridded_ratio_bounds`).  The ratio does not grow with t, so values at finitely many
heights prove the condition in between (`fitted_condition`).

The bound on the utility needs less than the condition: one height, and the mean of the logarithm of the
ratio instead of the logarithm of the mean (`curve_utility_gap`).
"""

from math import inf
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml.bounds.sublevel import SublevelCondition


class RatioCurve(NamedTuple):
    """Measure ratios at given heights: logarithm of the mean, and mean of the logarithm, over data sets."""

    heights: NDArray[np.float64]
    log_mean: NDArray[np.float64]
    mean_log: NDArray[np.float64]


def _heights(heights: ArrayLike) -> NDArray[np.float64]:
    found = check.finite_vector(heights=heights)
    if (found < 0).any() or (np.diff(found) <= 0).any():
        raise ValueError(f"heights must be non-negative and increase, got {found!r}")
    return found


def _measure(name: str, weights: ArrayLike | None, size: int) -> NDArray[np.float64]:
    """Weights with sum 1."""
    found = np.ones(size) if weights is None else check.finite_vector(**{name: weights})
    if found.shape != (size,) or not (found >= 0).all() or not found.sum() > 0:
        raise ValueError(f"{name} must be {size} non-negative weights, got shape {found.shape}")
    return found / found.sum()


def measure_ratio_curve(
    values: ArrayLike,
    heights: ArrayLike,
    *,
    base_weights: ArrayLike | None = None,
    probabilities: ArrayLike | None = None,
) -> RatioCurve:
    """Left side of the sublevel-set condition, exactly, for finitely many data sets and hypotheses.

    Whether a value at exactly the height is inside is decided in floating point: 0.7 + 0.1 is below 0.8.
    **Returns.** RatioCurve: at each height ``ln E mu(H) / mu(S_t)`` and ``E ln mu(H) / mu(S_t)``.
    **Source.** WLF16-cond-A2, its left side; WLF16-eq-9.

    Parameters
    ----------
    values : array_like of shape (n_datasets, n_hypotheses) or (n_hypotheses,)
        Penalised empirical risk of each hypothesis on each data set.
    heights : array_like of shape (n_heights,)
        Heights t above the least value, non-negative and increasing.
    base_weights : array_like of shape (n_hypotheses,), optional
        Base measure (of a grid: quadrature weights), positive where a minimiser is; counting by default.
    probabilities : array_like of shape (n_datasets,), optional
        Weights of the data sets; equal by default.

    Examples
    --------
    >>> curve = measure_ratio_curve([[0.0, 0.5], [0.2, 0.2]], [0.0, 0.5])
    >>> np.exp(curve.log_mean).round(12).tolist(), np.exp(curve.mean_log).round(4).tolist()
    ([1.5, 1.0], [1.4142, 1.0])
    """
    at = _heights(heights)
    try:
        values = np.atleast_2d(np.asarray(values, dtype=float))
    except (TypeError, ValueError):
        raise ValueError(f"values must be numbers, with one row a data set, got {values!r}") from None
    if values.ndim != 2 or values.size == 0 or not np.isfinite(values).all():
        raise ValueError(f"values must be finite, with one row a data set, got shape {values.shape}")
    base = _measure("base_weights", base_weights, values.shape[1])
    chances = _measure("probabilities", probabilities, values.shape[0])
    ratios = np.empty((len(values), len(at)))
    for row, value in zip(ratios, values, strict=True):
        order = np.argsort(value)
        last = np.searchsorted(value[order], value[order[0]] + at, side="right") - 1
        with np.errstate(divide="ignore"):
            row[:] = np.maximum(-np.log(np.cumsum(base[order])[last]), 0.0)
    possible = chances > 0
    ratios, chances = ratios[possible], chances[possible]
    log_mean = np.logaddexp.reduce(ratios + np.log(chances)[:, None], axis=0)
    return RatioCurve(at, np.maximum(log_mean, 0.0), chances @ ratios)


def gridded_ratio_bounds(
    values: ArrayLike,
    heights: ArrayLike,
    variation: float,
    *,
    base_weights: ArrayLike | None = None,
    probabilities: ArrayLike | None = None,
) -> tuple[RatioCurve, RatioCurve]:
    """Proved bounds on the measure ratios of a continuous set from the values at the nodes of a grid.

    **Returns.** (lower, upper) : RatioCurve, RatioCurve: the ratio at t is at least the grid's at ``t +
    variation`` and at most the grid's at ``t - 2 variation``, which is infinite where that is negative.
    **Source.** WLF16-cond-A2 on a continuous set; the certificate is ours.

    Parameters
    ----------
    values : array_like of shape (n_datasets, n_nodes)
        Penalised empirical risk at one node of each cell.
    heights : array_like of shape (n_heights,)
        Heights t, non-negative and increasing.
    variation : float
        The risk differs by at most this between a node and any point of its cell: the Lipschitz constant
        times the largest distance.
    base_weights : array_like of shape (n_nodes,), optional
        Measure of each cell, exactly; equal by default.
    probabilities : array_like of shape (n_datasets,), optional
        Weights of the data sets; equal by default.

    Raises
    ------
    ValueError
        As for :func:`measure_ratio_curve`, or if the variation is negative.

    Examples
    --------
    The cone ``|h|`` on [-1, 1], whose ratio at t is ``1 / t``, from 100 cells.

    >>> nodes = (np.arange(100) + 0.5) / 50 - 1
    >>> lower, upper = gridded_ratio_bounds(abs(nodes), [0.205], 0.01)
    >>> np.exp([lower.log_mean[0], upper.log_mean[0]]).round(2).tolist()
    [4.55, 5.0]
    """
    check.non_negative(variation=variation)
    at, rest = _heights(heights), {"base_weights": base_weights, "probabilities": probabilities}
    lower = measure_ratio_curve(values, at + variation, **rest)
    sure = at >= 2 * variation
    upper = np.full((2, len(at)), inf)
    if sure.any():
        upper[:, sure] = measure_ratio_curve(values, at[sure] - 2 * variation, **rest)[1:]
    return lower._replace(heights=at), RatioCurve(at, *upper)


def fitted_exponent(curve: RatioCurve) -> float:
    """Exponent rho that fits a curve: minus the slope of the logarithm of the ratio against that of t.

    A description of the curve over these heights; :func:`fitted_condition` proves something.
    **Source.** WLF16-cond-A2.

    Parameters
    ----------
    curve : RatioCurve
        With at least two positive heights at which the ratio is finite and above 1.

    Raises
    ------
    ValueError
        If fewer than two heights can be used.

    Examples
    --------
    >>> heights = np.array([0.1, 0.2, 0.4])
    >>> round(fitted_exponent(RatioCurve(heights, -1.5 * np.log(heights), -1.5 * np.log(heights))), 12)
    1.5
    """
    check.instance(RatioCurve, curve=curve)
    usable = (curve.heights > 0) & np.isfinite(curve.log_mean) & (curve.log_mean > 0)
    if usable.sum() < 2:
        raise ValueError("curve must have two positive heights with a finite ratio above 1")
    x, y = np.log(curve.heights[usable]), curve.log_mean[usable]
    x = x - x.mean()
    return max(-float(x @ y) / float(x @ x), 0.0)


def fitted_condition(curve: RatioCurve, rho: float) -> SublevelCondition:
    """The least K for which a curve proves the sublevel condition with a given exponent.

    **Returns.** SublevelCondition: proved between the least and the largest height: between two neighbouring
    heights the ratio is at most that at the lower one.  With a height 0 it is proved for all smaller t too.
    **Source.** WLF16-cond-A2.

    Parameters
    ----------
    curve : RatioCurve
        Exact values, or upper bounds, at two heights at least; heights with an infinite ratio are left out.
    rho : float
        Exponent, non-negative; :func:`fitted_exponent` suggests one.

    Examples
    --------
    >>> condition = fitted_condition(measure_ratio_curve([0.0, 0.1, 0.4], [0.0, 0.1, 0.4]), 0.5)
    >>> round(float(np.exp(condition.log_constant)), 4), condition.t_max
    (0.9487, 0.4)
    """
    check.instance(RatioCurve, curve=curve)
    check.non_negative(rho=rho)
    finite = np.isfinite(curve.log_mean)
    at, ratios = curve.heights[finite], curve.log_mean[finite]
    if len(at) < 2:
        raise ValueError("curve must have a finite ratio at two heights")
    constant = float((ratios[:-1] + rho * np.log(at[1:])).max())
    return SublevelCondition(log_constant=constant, rho=rho, t_min=float(at[0]), t_max=float(at[-1]))


def curve_utility_gap(
    curve: RatioCurve, n_samples: int, epsilon: float, *, sensitivity_factor: float = 1.0
) -> float:
    """Bound on the expected distance from the infimum, straight from measure ratios at some heights.

    **Returns.** The least ``u + E ln r(u) / c`` over the heights u, with ``c = epsilon n / (2 s)``.
    **Accuracy.** In expectation over the sample and the draw.
    **Source.** WLF16-lem-36 without its condition: no K, no rho, one height, a mean of logarithms.

    Parameters
    ----------
    curve : RatioCurve
        Exact values or upper bounds.
    sensitivity_factor : float, default 1
        n times the sensitivity used by the mechanism.

    Examples
    --------
    >>> round(curve_utility_gap(measure_ratio_curve([0.0, 0.1, 0.4], [0.0, 0.1, 0.4]), 100, 1.0), 6)
    0.021972
    """
    check.instance(RatioCurve, curve=curve)
    check.positive_integer(n_samples=n_samples)
    check.positive(epsilon=epsilon, sensitivity_factor=sensitivity_factor)
    rate = epsilon * n_samples / (2 * sensitivity_factor)
    best = float((curve.heights + curve.mean_log / rate).min())
    if not best < inf:
        raise ValueError("curve must have a finite ratio at one height")
    return best
