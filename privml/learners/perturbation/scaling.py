"""Public preprocessing: from declared ranges to rows in the unit ball, without looking at the data."""

from math import sqrt

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, TransformerMixin

from privml import _check as check
from privml._records import features, numbers


def centred_rows(
    X: ArrayLike, lower: ArrayLike = 0.0, upper: ArrayLike = 1.0, *, unit: bool = True
) -> NDArray[np.float64]:
    """Records centred at the middle of declared ranges and brought into the unit ball.

    Each row is a function of one record and of public numbers, so a replaced record changes one row.
    **Source.** Ours; the condition of Chaudhuri, Monteleoni and Sarwate (2011) that rows have length at most
    1.

    Parameters
    ----------
    X : array_like of shape (n_samples, n_features)
        Records.  Entries outside of their range are clipped to it; NaN counts as the middle.
    lower, upper : float or array_like of shape (n_features,)
        The declared ranges, ``lower < upper``.
    unit : bool, default True
        Whether rows get length exactly 1 (a row of zeros stays); else all are divided by the root of the
        number of features, which keeps their proportions.

    Examples
    --------
    >>> centred_rows([[0.0, 1.0], [0.5, 0.75]], unit=False).round(4).tolist()
    [[-0.7071, 0.7071], [0.0, 0.3536]]
    """
    lower, upper = check.numbers(lower=lower), check.numbers(upper=upper)
    if not (np.isfinite(lower).all() and np.isfinite(upper).all() and (lower < upper).all()):
        raise ValueError(f"ranges must be finite with lower < upper, got {lower!r} and {upper!r}")
    check.one_of((False, True), unit=unit)
    middle, half = (lower + upper) / 2, (upper - lower) / 2
    values = numbers("X", X).astype(float)
    if values.ndim != 2:
        raise ValueError(f"X must be of shape (n_samples, n_features), got shape {values.shape}")
    rows = np.clip((np.where(np.isnan(values), middle, values) - middle) / half, -1.0, 1.0)
    if not unit:
        return rows / sqrt(rows.shape[1])
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return rows / np.where(lengths > 0, lengths, 1.0)


class PublicScaler(TransformerMixin, BaseEstimator):
    """Transformer with the rows of :func:`~privml.learners.perturbation.centred_rows`: nothing is learned.

    **Privacy.** Nothing is released or spent: each row depends on one record and on public numbers.
    **Source.** Ours.

    Parameters
    ----------
    lower, upper : float or array_like of shape (n_features,), default -1.0 and 1.0
        The declared ranges.
    unit : bool, default True
        Whether rows get length exactly 1.

    Examples
    --------
    >>> PublicScaler(0.0, 16.0).fit_transform([[0.0, 16.0]]).round(4).tolist()
    [[-0.7071, 0.7071]]
    """

    def __init__(self, lower: ArrayLike = -1.0, upper: ArrayLike = 1.0, *, unit: bool = True) -> None:
        self.lower = lower
        self.upper = upper
        self.unit = unit

    def fit(self, X: ArrayLike, y: ArrayLike | None = None):
        """Check the ranges and note the number of features; nothing else is learned."""
        X = features(self, X, reset=True)
        self._rows(X[:1])
        return self

    def transform(self, X: ArrayLike) -> NDArray[np.float64]:
        """Rows of :func:`~privml.learners.perturbation.centred_rows`."""
        return self._rows(features(self, X, reset=False))

    def _rows(self, X: NDArray) -> NDArray[np.float64]:
        return centred_rows(X, self.lower, self.upper, unit=self.unit)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = tags.input_tags.string = True
        tags.requires_fit = False
        return tags
