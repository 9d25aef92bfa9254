"""Tables on bounded range: the best fixed steps, and what adaptive steps can add."""

from itertools import product

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from privml.composition import nonadaptive_range_delta, optimal_delta, skewed_response
from privml.divergences import PrivacyCurve


def _product_delta(step_epsilon: float, largest: tuple[float, ...], epsilon: float) -> float:
    """Exact delta of independent skewed responses with given largest losses."""
    losses, log_p = np.zeros(1), np.zeros(1)
    for t in largest:
        p, q = skewed_response(step_epsilon, t)
        shift = np.array([t, t - step_epsilon])
        losses, log_p = np.add.outer(losses, shift).ravel(), np.add.outer(log_p, p).ravel()
    return PrivacyCurve(losses, log_p).delta(epsilon)


def equal_ranges(step_epsilon: float, k: int, epsilons: ArrayLike, n_grid: int) -> pd.DataFrame:
    """Delta of k fixed bounded-range steps by brute force over a grid of largest losses, and by the theorem.

    Parameters
    ----------
    step_epsilon : float
        Range of each step in nats.
    k : int
        Number of steps, a small one.
    epsilons : array_like
        Totals.
    n_grid : int
        Number of inner grid points for the largest loss of each step.

    Returns
    -------
    DataFrame
        Columns ``epsilon``, ``brute_force`` (largest over all grid points), ``equal`` (over those with equal
        losses) and ``theorem``.

    Examples
    --------
    >>> equal_ranges(1.0, 2, [0.5], 19).round(4)
       epsilon  brute_force  equal  theorem
    0      0.5       0.1525  0.1525   0.1525
    """
    grid = (np.arange(1, n_grid + 1) / (n_grid + 1) * step_epsilon).tolist()
    rows = []
    for epsilon in np.asarray(epsilons, dtype=float).tolist():
        every = max(_product_delta(step_epsilon, losses, epsilon) for losses in product(grid, repeat=k))
        equal = max(_product_delta(step_epsilon, (t,) * k, epsilon) for t in grid)
        rows.append((epsilon, every, equal, nonadaptive_range_delta(step_epsilon, k, epsilon)))
    return pd.DataFrame(rows, columns=["epsilon", "brute_force", "equal", "theorem"])


def _one_step(step_epsilon: float, gap: NDArray) -> NDArray[np.float64]:
    """Largest delta of one step when the total must still exceed a gap: t = (gap + step_epsilon) / 2."""
    t = np.clip((gap + step_epsilon) / 2, 0.0, step_epsilon)
    high = -np.expm1(t - step_epsilon) / -np.expm1(-step_epsilon)
    inner = high * -np.expm1(np.minimum(gap - t, 0.0))
    return np.where(gap >= step_epsilon, 0.0, np.where(gap <= -step_epsilon, -np.expm1(gap), inner))


def _best_adaptive(step_epsilon: float, k: int, gap: NDArray, n_grid: int) -> NDArray[np.float64]:
    """Largest delta of k steps, each choosing its t on a grid in the light of the losses so far."""
    if k == 1:
        return _one_step(step_epsilon, gap)
    t = np.linspace(0.0, step_epsilon, n_grid)
    low = np.expm1(t) / np.expm1(step_epsilon)
    after = [
        _best_adaptive(step_epsilon, k - 1, gap[..., None] - loss, n_grid) for loss in (t, t - step_epsilon)
    ]
    return ((1 - low) * after[0] + low * after[1]).max(axis=-1)


def adaptive_ranges(step_epsilon: float, counts: ArrayLike, shares: ArrayLike, n_grid: int) -> pd.DataFrame:
    """Delta of bounded-range steps that are fixed in advance, chosen adaptively, and merely pure.

    Parameters
    ----------
    step_epsilon : float
        Range of each step in nats.
    counts : array_like of int
        Numbers of steps, small ones.
    shares : array_like
        Totals, as shares of ``k step_epsilon``.
    n_grid : int
        Grid points for the adaptive choices: their delta is a lower bound, attained by a mechanism.

    Returns
    -------
    DataFrame
        Columns ``k``, ``epsilon``, ``fixed``, ``adaptive``, ``ratio`` of the two, and ``pure``.

    Examples
    --------
    >>> adaptive_ranges(1.0, [1, 2], [0.1], 201).round(4)
       k  epsilon   fixed  adaptive  ratio    pure
    0  1      0.1  0.2077    0.2077  1.000  0.4338
    1  2      0.2  0.2299    0.2365  1.029  0.4461
    """
    rows = []
    for k in np.asarray(counts, dtype=int).tolist():
        for epsilon in (np.asarray(shares, dtype=float) * k * step_epsilon).tolist():
            fixed = nonadaptive_range_delta(step_epsilon, k, epsilon)
            adaptive = float(_best_adaptive(step_epsilon, k, np.array(epsilon), n_grid))
            pure = optimal_delta(step_epsilon, k, epsilon)
            rows.append((k, epsilon, fixed, adaptive, adaptive / fixed, pure))
    return pd.DataFrame(rows, columns=["k", "epsilon", "fixed", "adaptive", "ratio", "pure"])
