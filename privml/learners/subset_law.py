r"""Laws of private best subset selection: a small support among many features, and coefficients on a lattice.

Every support S of s features carries the same finite set of coefficient vectors, a lattice in the ball of
radius R, so that the law of the whole output is known exactly.  With F the mean loss, w the oscillation of
one record's loss and ``c(e) = e n / (2 w)``:

Records lie in the cube [-1, 1]^d, not in the unit ball: a coefficient vector of norm R on s features then has
scores up to ``R sqrt(s)``, whatever d is, while rows of length 1 would have entries that shrink as d grows.

* *two stages*: S with probability proportional to ``exp(-c(e_1) min_h F(S, h))``, then h with probability
  proportional to ``exp(-c(e_2) F(S, h))``.  Both are exponential mechanisms, so the pair is
  (e_1 + e_2)-private.
* *one stage*: the pair (S, h) with probability proportional to ``exp(-c(epsilon) F(S, h))``.  Its second half
  is the second stage above at full epsilon, and its first half chooses S by the sum of ``exp(-c F)`` over the
  support in place of the largest term: with it, the second stage costs nothing more.
"""

from itertools import combinations, product

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml._records import numbers
from privml.distributions import Categorical
from privml.learners.penalised_erm import penalised_law

LARGEST_TABLE = 1 << 24


def coefficient_lattice(dimension: int, radius: float, cells: int) -> NDArray[np.float64]:
    """Points of the lattice of spacing ``radius / cells`` in the Euclidean ball.

    **Returns.** ndarray of shape (n_points, dimension): every point of the ball has one within
    ``sqrt(dimension) radius / cells``.
    **Source.** WLF16-ex-22: the discretised coefficients.

    Parameters
    ----------
    cells : int
        Steps along a radius, at least 1.

    Examples
    --------
    >>> coefficient_lattice(2, 1.0, 1).tolist()
    [[-1.0, 0.0], [0.0, -1.0], [0.0, 0.0], [0.0, 1.0], [1.0, 0.0]]
    """
    check.positive_integer(dimension=dimension, cells=cells)
    check.positive(radius=radius)
    if (2 * cells + 1) ** dimension > LARGEST_TABLE:
        raise ValueError(f"cells must give at most {LARGEST_TABLE} points, got {cells!r}")
    steps = np.array(list(product(range(-cells, cells + 1), repeat=dimension)))
    return steps[(steps**2).sum(axis=1) <= cells**2] * (radius / cells)


def supports_of(n_features: int, n_selected: int) -> NDArray[np.intp]:
    """All sets of so many features, one a row, in lexicographic order.

    **Source.** WLF16-ex-22.

    Parameters
    ----------
    n_features, n_selected : int
        Positive.

    Examples
    --------
    >>> supports_of(3, 2).tolist()
    [[0, 1], [0, 2], [1, 2]]
    """
    check.positive_integer(n_features=n_features, n_selected=n_selected)
    return np.array(list(combinations(range(n_features), n_selected)), dtype=np.intp)


def cube_rows(X: ArrayLike) -> NDArray[np.float64]:
    """Records with every entry moved into [-1, 1].

    **Source.** WLF16-ex-22, so that one record's loss does not depend on the number of features.

    Parameters
    ----------
    X : array_like of shape (n_samples, n_features)
        Records of any values; NaN counts as 0.

    Examples
    --------
    >>> cube_rows([[3.0, -0.5, float("nan")]]).tolist()
    [[1.0, -0.5, 0.0]]
    """
    return np.clip(np.nan_to_num(numbers("X", X).astype(float), nan=0.0), -1.0, 1.0)


def subset_risks(X: ArrayLike, y: ArrayLike, supports: ArrayLike, lattice: ArrayLike) -> NDArray[np.float64]:
    """Mean squared loss of every support (rows) and every coefficient vector (columns).

    **Source.** WLF16-ex-22; from the matrix of second moments, so that time does not grow with records.

    Parameters
    ----------
    X : array_like of shape (n_samples, n_features)
        Records; entries are moved into [-1, 1], NaN counts as 0.
    y : array_like of shape (n_samples,)
        Targets; moved into [-1, 1], NaN counts as 0.
    supports : array_like of int, shape (n_supports, s)
        Sets of features.
    lattice : array_like of shape (n_points, s)
        Coefficients.

    Examples
    --------
    >>> subset_risks([[1.0, 0.0], [0.0, 1.0]], [1.0, -1.0], [[0], [1]], [[0.0], [1.0]]).tolist()
    [[1.0, 0.5], [1.0, 2.5]]
    """
    rows, supports, H = cube_rows(X), np.asarray(supports), np.asarray(lattice, dtype=float)
    if len(supports) * len(H) > LARGEST_TABLE:
        raise ValueError(f"supports and points must give at most {LARGEST_TABLE} pairs")
    targets = np.clip(np.nan_to_num(numbers("y", y).astype(float)), -1.0, 1.0)
    moments, cross = rows.T @ rows / len(rows), rows.T @ targets / len(rows)
    inner = moments[supports[:, :, None], supports[:, None, :]].reshape(len(supports), -1)
    outer = (H[:, :, None] * H[:, None, :]).reshape(len(H), -1)
    return inner @ outer.T - 2 * cross[supports] @ H.T + (targets**2).mean()


def two_stage_law(
    risks: ArrayLike, n_samples: int, epsilon_support: float, epsilon_fit: float, *, oscillation: float = 1.0
) -> Categorical:
    """Exact joint law of support and coefficients, chosen one after the other.

    **Returns.** Categorical: on pairs: index ``support * n_points + point``.
    **Privacy.** (epsilon_support + epsilon_fit)-DP under replace-one: the least of functions that a record
    moves by at most ``w / n`` moves by no more.
    **Source.** WLF16-ex-22.

    Parameters
    ----------
    risks : array_like of shape (n_supports, n_points)
        Mean loss of each pair on the data.
    epsilon_support, epsilon_fit : float
        Privacy parameters of the two stages in nats, positive.
    oscillation : float, default 1
        Largest change of one record's loss over all hypotheses.

    Examples
    --------
    >>> two_stage_law([[0.0, 0.5], [0.5, 0.5]], 4, 1.0, 1.0).pmf().round(4).tolist()
    [0.5344, 0.1966, 0.1345, 0.1345]
    """
    table = np.atleast_2d(np.asarray(risks, dtype=float))
    first = penalised_law(table.min(axis=1), n_samples, epsilon_support, loss_range=oscillation).logpmf()
    check.positive(epsilon_fit=epsilon_fit)
    exponents = -epsilon_fit * n_samples / (2 * oscillation) * table
    second = exponents - np.logaddexp.reduce(exponents, axis=1, keepdims=True)
    return Categorical((first[:, None] + second).ravel())


def one_stage_law(
    risks: ArrayLike, n_samples: int, epsilon: float, *, oscillation: float = 1.0
) -> Categorical:
    """Exact law of support and coefficients, chosen together by one exponential mechanism.

    **Returns.** Categorical: on pairs: index ``support * n_points + point``.
    **Privacy.** epsilon-DP under replace-one.
    **Source.** WLF16-ex-22 in one stage instead of two.

    Parameters
    ----------
    risks : array_like of shape (n_supports, n_points)
        Mean loss of each pair on the data.
    oscillation : float, default 1
        Largest change of one record's loss over all hypotheses.

    Examples
    --------
    >>> one_stage_law([[0.0, 0.5], [0.5, 0.5]], 4, 2.0).pmf().round(4).tolist()
    [0.7112, 0.0963, 0.0963, 0.0963]
    """
    table = np.atleast_2d(np.asarray(risks, dtype=float))
    return penalised_law(table.ravel(), n_samples, epsilon, loss_range=oscillation)
