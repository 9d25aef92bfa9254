"""Statistics of a data set, each next to its sensitivity: its largest change between neighbouring data sets.

Every mechanism spends its budget in units of this number, so each statistic here states it, and
:func:`sensitivity_of` recomputes it by going through all neighbours of a small universe.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml import adjacency as neighbours
from privml.adjacency import Adjacency
from privml.hypotheses import HypothesisClass

CORRECT_COUNT_SENSITIVITY = (
    1.0  # one record moves the number of correct labels by at most 1
)


def _n_labels(y: ArrayLike) -> int:
    if np.ndim(y) != 1:
        raise ValueError(f"y must be a vector of labels, but got shape {np.shape(y)}.")
    return np.shape(y)[0]


def correct_count(
    hypotheses: HypothesisClass, X: ArrayLike, y: ArrayLike
) -> NDArray[np.int64]:
    """Number of records that each hypothesis labels correctly.

    Parameters
    ----------
    hypotheses : HypothesisClass
        Candidates that label records.
    X : array_like
        Records in the form that the hypotheses take.
    y : array_like
        Labels of shape (n_samples,).

    Returns
    -------
    ndarray
        Integers of shape (n_hypotheses,).

    Notes
    -----
    *Privacy.* The sensitivity is 1 (:data:`CORRECT_COUNT_SENSITIVITY`) under both relations. Under
    ``ADD_OR_REMOVE_ONE`` it is monotone: adding a record lowers no score.

    References
    ----------
    L4-rem-count-score; the empirical error is ``1 - correct_count / n_samples``.

    Examples
    --------
    >>> from privml.hypotheses import Thresholds
    >>> correct_count(Thresholds([0.5, 1.5]), [0.0, 1.0, 2.0], [False, True, True]).tolist()
    [3, 2]
    """
    check.instance(HypothesisClass, hypotheses=hypotheses)
    return _n_labels(y) - hypotheses.mistakes(X, y)


def empirical_error(
    hypotheses: HypothesisClass, X: ArrayLike, y: ArrayLike
) -> NDArray[np.float64]:
    """Fraction of records that each hypothesis labels wrongly.

    Parameters
    ----------
    hypotheses : HypothesisClass
        Candidates that label records.
    X : array_like
        Records in the form that the hypotheses take.
    y : array_like
        Labels of shape (n_samples,).

    Returns
    -------
    ndarray
        Numbers in [0, 1], of shape (n_hypotheses,).

    Notes
    -----
    *Privacy.* The sensitivity is ``1 / n_samples`` under ``REPLACE_ONE``.

    References
    ----------
    L4-def-empirical-error; DR11-def-11.2.

    Examples
    --------
    >>> from privml.hypotheses import Thresholds
    >>> empirical_error(Thresholds([0.5, 1.5]), [0.0, 2.0], [True, True]).tolist()
    [0.5, 0.5]
    """
    check.instance(HypothesisClass, hypotheses=hypotheses)
    n_samples = _n_labels(y)
    check.positive_integer(n_samples=n_samples)
    return hypotheses.mistakes(X, y) / n_samples


def _refuse_order(
    statistic: Callable, universe: object, datasets: NDArray, values: NDArray
) -> None:
    """Raise if the statistic changes with the order of the records, where that is tried."""
    places = {row.tobytes(): place for place, row in enumerate(datasets)}
    for row in neighbours.reordered(datasets):
        known = values[places[np.sort(row).tobytes()]]
        other = np.asarray(statistic(neighbours.records(universe, row)), dtype=float)
        if other.shape != known.shape or not np.allclose(
            other, known, rtol=1e-9, atol=1e-12
        ):
            raise ValueError(
                "statistic must not depend on the order of the records, but it changes when the universe's records "
                f"{np.sort(row).tolist()} are passed in the order {row.tolist()}."
            )


def sensitivity_of(
    statistic: Callable[[object], ArrayLike],
    universe: object,
    n_samples: int,
    *,
    order: Any,
    adjacency: Adjacency = Adjacency.REPLACE_ONE,
) -> float:
    r"""Sensitivity of a number, of scores or of a vector, by enumeration of all neighbours.

    .. math:: \vartheta_q = \max \| f(z) - f(z') \|_q \quad\text{over neighbouring } z, z' .

    Under ``ADD_OR_REMOVE_ONE`` data sets have n_samples records and one less.

    Parameters
    ----------
    statistic : callable
        From a data set, in the structure of `universe`, to a number or a vector, whatever the order.
    universe : object
        Array of the possible records, or a tuple of arrays with equal first axes.
    n_samples : int
        Number of records, a positive integer.
    order : {1, 2, inf}, or a mechanism or its class
        The norm: 1 for Laplace noise, 2 for Gaussian noise, inf for scores and queries, of which the largest
        change of any one counts; a mechanism says which it takes.
    adjacency : Adjacency
        Neighbouring relation.

    Raises
    ------
    ValueError
        If the statistic is not finite on every data set, or depends on the order of the records, which is
        tried on up to 200 data sets: on all other orders where these are few, else backwards.

    References
    ----------
    L4-def-sensitivity and S16-def-exp-mech-inputs (printed: over all pairs of data sets); LZCW21-def-41 and
    LZCW21-def-43, under add-or-remove-one; f takes data sets (printed: points).

    Examples
    --------
    >>> histogram = lambda z: np.equal.outer(np.arange(3), z).sum(axis=1)
    >>> [round(sensitivity_of(histogram, np.arange(3), 4, order=q), 4) for q in (1, 2, np.inf)]
    [2.0, 1.4142, 1.0]
    >>> from privml.mechanisms import DiscreteLaplaceMechanism
    >>> sensitivity_of(histogram, np.arange(3), 4, order=DiscreteLaplaceMechanism)
    2.0
    """
    check.function(statistic=statistic)
    order = getattr(order, "sensitivity_order", order)
    check.one_of((1, 2, np.inf), order=order)
    first, second, pairs = neighbours.neighbouring_datasets(
        universe, n_samples, adjacency=adjacency
    )
    values, other = (
        np.array(
            [
                np.asarray(statistic(neighbours.records(universe, row)), dtype=float)
                for row in rows
            ]
        )
        for rows in (first, second)
    )
    if not (np.isfinite(values).all() and np.isfinite(other).all()):
        raise ValueError(
            "the statistic must be finite on every data set, but got NaN or infinity."
        )
    _refuse_order(statistic, universe, first, values)
    changes = (values[pairs[:, 0]] - other[pairs[:, 1]]).reshape(len(pairs), -1)
    return float(np.linalg.norm(changes, ord=order, axis=1).max(initial=0.0))


check.wrap_module(__name__)
