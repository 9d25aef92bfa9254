"""Examples as losses of experts, and labelled records as examples, block by block.

A record (x, y) with x in [-1, 1]^p and y in {-1, 1} becomes the example ``-w_y y x``: the loss of theta is
minus its weighted margin.  Doubling the coordinates, ``(-w_y y x, w_y y x)``, lets the simplex of 2p
coordinates stand for all linear rules w with ``|w|_1 <= 1``.
"""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml.learners.linear.base import clipped

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix


def example_losses(X: ArrayLike, *, rescaled: bool = False) -> NDArray[np.float64]:
    """Losses of the d coordinates, as experts, on each example.

    **Returns.** ndarray of shape (n_samples, n_features): the examples themselves, or ``(1 + X) / 2``.
    **Source.** DR11-red-erm-to-experts.

    Parameters
    ----------
    X : array_like of shape (n_samples, n_features)
        Examples; entries outside of [-1, 1] are clipped, and NaN counts as 0.
    rescaled : bool, default False
        Move the losses from [-1, 1] to [0, 1], where a learning rate is worth half as much.

    Raises
    ------
    ValueError
        If `X` has another number of dimensions.

    Examples
    --------
    >>> example_losses([[0.5, -3.0]]).tolist(), example_losses([[0.5, -3.0]], rescaled=True).tolist()
    ([[0.5, -1.0]], [[0.75, 0.0]])
    """
    losses = clipped(X)
    if losses.ndim != 2:
        raise ValueError(f"X must be of shape (n_samples, n_features), got shape {losses.shape}")
    return (1 + losses) / 2 if rescaled else losses


class MarginLosses:
    """Losses of labelled records, made for the rows that are asked for; never held as a whole.

    Parameters
    ----------
    X : ndarray or csr_matrix of shape (n_samples, n_features)
        Records; each entry is clipped to [-1, 1], and NaN counts as 0.
    factors : ndarray of shape (n_samples,)
        ``-w_y y`` of each record, in [-1, 1].
    intercept : bool
        Append a feature that is 1 for every record.
    signed : bool
        Append the negative of every coordinate.

    Examples
    --------
    >>> losses = MarginLosses(np.array([[0.5, 2.0]]), np.array([-1.0]), intercept=True, signed=True)
    >>> losses.shape, losses[0].tolist()
    ((1, 6), [-0.5, -1.0, -1.0, 0.5, 1.0, 1.0])
    """

    def __init__(
        self, X: "NDArray | csr_matrix", factors: NDArray[np.float64], *, intercept: bool, signed: bool
    ) -> None:
        self._X, self._factors = X, factors
        self._intercept, self._signed = intercept, signed
        width = X.shape[1] + intercept
        self.shape = X.shape[0], width * (2 if signed else 1)

    def __getitem__(self, rows: slice | int) -> NDArray[np.float64]:
        one = not isinstance(rows, slice)
        block = slice(rows, rows + 1) if one else rows
        records = self._X[block]
        losses = clipped(records if isinstance(records, np.ndarray) else records.toarray())
        if self._intercept:
            losses = np.hstack([losses, np.ones((len(losses), 1))])
        losses *= self._factors[block, None]
        if self._signed:
            losses = np.hstack([losses, -losses])
        return losses[0] if one else losses
