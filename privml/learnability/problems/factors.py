"""Losses of factorisations: sparse codes in a dictionary, and non-negative ones.

Both losses contain a minimum over codes b.  It is exact: an optimal code is determined by the set of entries
that are not zero (and their signs), and for the few columns of a small dictionary all of them are tried.
"""

from itertools import product

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml.learnability.problems.base import RawProblem, square_grid

MOST_COLUMNS = 6


def _checked(dictionaries: ArrayLike, points: ArrayLike) -> tuple[NDArray, NDArray]:
    dictionaries, points = np.asarray(dictionaries, dtype=float), np.asarray(points, dtype=float)
    if dictionaries.ndim != 3 or dictionaries.shape[2] > MOST_COLUMNS:
        raise ValueError(
            f"dictionaries must have shape (n_hypotheses, n_dimensions, at most {MOST_COLUMNS}), "
            f"got {dictionaries.shape}"
        )
    return dictionaries, points


def _codes(dictionary: NDArray, points: NDArray, signs: NDArray, penalty: float) -> NDArray:
    """Stationary codes with these signs: least squares on the support, shifted by the penalty."""
    support = np.flatnonzero(signs)
    codes = np.zeros((len(points), dictionary.shape[1]))
    if len(support):
        columns = dictionary[:, support]
        right = points @ columns - penalty * signs[support] / 2
        codes[:, support] = right @ np.linalg.pinv(columns.T @ columns)
    return codes


def dictionary_loss(dictionaries: ArrayLike, points: ArrayLike, *, penalty: float) -> NDArray[np.float64]:
    """The loss ``min over b of |h b - z|^2 + penalty |b|_1`` of dictionary learning.

    Some optimal code is stationary for its own signs and has independent columns in its support, and the
    objective at any code is at least the minimum; so the least value over all patterns of signs is exact.
    **Source.** WLF16-tab-1, dictionary learning.

    Parameters
    ----------
    dictionaries : array_like of shape (n_hypotheses, n_dimensions, n_columns)
        The dictionaries h, with at most `MOST_COLUMNS` columns.
    points : array_like of shape (n_records, n_dimensions)
        The records z.
    penalty : float
        Weight of the sum of absolute values of the code, non-negative.

    Returns
    -------
    ndarray of shape (n_hypotheses, n_records)

    Raises
    ------
    ValueError
        If the dictionaries have the wrong shape or `penalty` is negative.

    Examples
    --------
    >>> dictionary_loss([np.eye(2)], [[3.0, 0.1]], penalty=1.0).round(6).tolist()
    [[2.76]]
    """
    dictionaries, points = _checked(dictionaries, points)
    check.non_negative(penalty=penalty)
    patterns = np.array(list(product([-1, 0, 1], repeat=dictionaries.shape[2])))
    rows = []
    for dictionary in dictionaries:
        codes = np.array([_codes(dictionary, points, signs, penalty) for signs in patterns])
        objective = ((codes @ dictionary.T - points) ** 2).sum(-1) + penalty * np.abs(codes).sum(-1)
        rows.append(objective.min(axis=0))
    return np.array(rows)


def nonnegative_loss(dictionaries: ArrayLike, points: ArrayLike) -> NDArray[np.float64]:
    """The loss ``min over b >= 0 of |h b - z|^2`` of non-negative matrix factorisation.

    Least squares on each support, kept where no entry is negative; the code 0 always is.
    **Source.** WLF16-tab-1, non-negative matrix factorisation.

    Parameters
    ----------
    dictionaries : array_like of shape (n_hypotheses, n_dimensions, n_columns)
        The non-negative dictionaries h, with at most `MOST_COLUMNS` columns.
    points : array_like of shape (n_records, n_dimensions)
        The records z.

    Returns
    -------
    ndarray of shape (n_hypotheses, n_records)

    Raises
    ------
    ValueError
        If the dictionaries have the wrong shape.

    Examples
    --------
    >>> nonnegative_loss([[[1.0], [1.0]]], [[1.0, 3.0], [-1.0, -1.0]]).round(6).tolist()
    [[2.0, 2.0]]
    """
    dictionaries, points = _checked(dictionaries, points)
    patterns = np.array(list(product([0, 1], repeat=dictionaries.shape[2])))
    rows = []
    for dictionary in dictionaries:
        codes = np.array([_codes(dictionary, points, signs, 0.0) for signs in patterns])
        objective = ((codes @ dictionary.T - points) ** 2).sum(-1)
        rows.append(np.where((codes >= -1e-12).all(axis=-1), objective, np.inf).min(axis=0))
    return np.array(rows)


def _pairs_of_directions(low: float, high: float, count: int) -> NDArray[np.float64]:
    """Dictionaries of two different unit columns in the plane, at angles between `low` and `high`."""
    angles = np.linspace(low, high, count)
    columns = np.stack([np.cos(angles), np.sin(angles)])
    pairs = [(i, j) for i in range(count) for j in range(i + 1, count)]
    return np.array([columns[:, pair] for pair in pairs])


def dictionary_example(radius: float = 1.0) -> RawProblem:
    """Two of four directions in the plane, points of a grid in [-radius, radius]^2, penalty 1/4.

    With b = 0 the loss is ``|z|^2 <= 2 radius^2``, so that is a bound.

    >>> dictionary_example().losses.shape
    (6, 9)
    """
    points, dictionaries = square_grid(radius), _pairs_of_directions(0, 3 * np.pi / 4, 4)
    losses = dictionary_loss(dictionaries, points, penalty=0.25)
    return RawProblem(losses, 2 * radius**2, hypotheses=dictionaries, records=points)


def nonnegative_example(radius: float = 1.0) -> RawProblem:
    """Two of four non-negative directions in the plane, points of a grid in [-radius, radius]^2.

    With b = 0 the loss is ``|z|^2 <= 2 radius^2``, so that is a bound.

    >>> nonnegative_example().losses.shape
    (6, 9)
    """
    points, dictionaries = square_grid(radius), _pairs_of_directions(0, np.pi / 2, 4)
    losses = nonnegative_loss(dictionaries, points)
    return RawProblem(losses, 2 * radius**2, hypotheses=dictionaries, records=points)
