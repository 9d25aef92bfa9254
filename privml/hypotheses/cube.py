"""Hypotheses on the Boolean cube {0, 1}^d: conjunctions and parities.

Counting the mistakes of all 3^d conjunctions or all 2^d parities takes one pass over the records and one
transform of the 2^d label balances, feature by feature.  With (b0, b1) the balances at x[j] = 0 and
x[j] = 1, the transform along feature j is::

    monotone conjunctions   b0 + b1  (feature absent),  b1  (required)
    all conjunctions        b0 + b1  (absent),  b1  (required true),  b0  (required false)
    parities                b0 + b1  (absent),  b0 - b1  (present: Walsh-Hadamard)

A feature of a record is true when it is positive, so 0/1 and -1/+1 codings give the same answers; NaN
is not positive.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from privml import _check as check
from privml.hypotheses.base import HypothesisClass, label_balance


def boolean_cube(n_features: int) -> NDArray[np.bool_]:
    """All instances of {0, 1}^d, one per row.

    Parameters
    ----------
    n_features : int
        Number d of features, a positive integer up to 24.

    Returns
    -------
    ndarray
        Bools of shape (2^d, d): row i holds the binary digits of i, lowest first.

    References
    ----------
    DR11-def-11.1, the instance space of Dwork and Roth's chapter on learning.

    Examples
    --------
    >>> boolean_cube(2).astype(int).tolist()
    [[0, 0], [1, 0], [0, 1], [1, 1]]
    """
    _check_features(n_features, 24)
    return _digits(np.arange(1 << n_features), 2, n_features).astype(bool)


def _check_features(n_features: int, largest: int) -> None:
    check.positive_integer(n_features=n_features)
    check.at_most(largest, n_features=n_features)


def _digits(numbers: NDArray[np.int64], base: int, n_digits: int) -> NDArray[np.int64]:
    return numbers[:, None] // base ** np.arange(n_digits, dtype=np.int64) % base


def _transform(
    records: NDArray, y: NDArray[np.bool_], along: Callable
) -> NDArray[np.int64]:
    """Label balances of the vertices, (b0, b1) replaced by ``along(b0, b1)`` feature by feature."""
    n_features = records.shape[1]
    vertices = (records > 0) @ (1 << np.arange(n_features, dtype=np.int64))
    sums = label_balance(vertices, y, 1 << n_features).reshape(
        (2,) * n_features
    )  # last feature first
    for axis in range(n_features):
        sums = np.stack(along(*np.moveaxis(sums, axis, 0)), axis)
    return sums.ravel()


@dataclass(frozen=True)
class Conjunctions(HypothesisClass):
    """Ands of features and negated features, and the function that is always False.

    The digits of an index, lowest first, say what is asked of each feature: 0 nothing, 1 that it is true,
    2 that it is false.  They are base 3, and the always-false function comes last; with `monotone` they
    are base 2, nothing is negated, and there is no always-false function.

    There are 3^d + 1 hypotheses, or 2^d with `monotone`.  The VC dimension is d, except that it is 2 for
    d = 1 without `monotone` (all four functions of one bit).  At least d: the points with a single zero
    are shattered by monotone conjunctions.  At most d for d >= 2: if d + 1 points were shattered, each
    point p would have a literal, false on p and true on the others.  These literals differ, so two of
    them are a feature and its negation, and a third point would satisfy both.

    Parameters
    ----------
    n_features : int
        Number d of features, a positive integer up to 39, or 62 with `monotone`.
    monotone : bool
        Whether to leave out negated features.

    Examples
    --------
    >>> Conjunctions(2, monotone=True).predict([[0, 0], [1, 0], [1, 1]]).astype(int).tolist()
    [[1, 1, 1], [0, 1, 1], [0, 0, 1], [0, 0, 1]]
    >>> Conjunctions(3).describe(7)
    'x[0] and not x[1]'
    """

    n_features: int
    monotone: bool = False

    def __post_init__(self) -> None:
        _check_features(self.n_features, 62 if self.monotone else 39)

    @property
    def _base(self) -> int:
        return 2 if self.monotone else 3

    @property
    def n_hypotheses(self) -> int:
        """3^d + 1, or 2^d with `monotone`."""
        return self._base ** int(self.n_features) + (not self.monotone)

    @property
    def vc_dimension(self) -> int:
        """The number of features, or 2 for one feature that may be negated."""
        return self.n_features if self.monotone else max(2, self.n_features)

    def _describe(self, index: int) -> str:
        if not self.monotone and index == self.n_hypotheses - 1:
            return "always false"
        digits = _digits(np.array([index]), self._base, self.n_features)[0]
        literals = [
            f"{('', 'not ')[digit - 1]}x[{feature}]"
            for feature, digit in enumerate(digits)
            if digit
        ]
        return " and ".join(literals) or "always true"

    def _mistakes(self, records: NDArray, y: NDArray[np.bool_]) -> NDArray[np.int64]:
        self._refuse_large()
        if self.monotone:
            return np.count_nonzero(y) + _transform(
                records, y, lambda zeros, ones: [zeros + ones, ones]
            )
        sums = _transform(records, y, lambda zeros, ones: [zeros + ones, ones, zeros])
        return np.count_nonzero(y) + np.append(sums, 0)  # the last is always false

    def _predictions(
        self, records: NDArray, indices: NDArray[np.int64]
    ) -> NDArray[np.bool_]:
        digits = _digits(indices, self._base, self.n_features)
        literals = (records > 0).astype(np.float32)
        violations = (digits == 1).astype(np.float32) @ (1 - literals).T
        if not self.monotone:
            violations += (digits == 2).astype(np.float32) @ literals.T
            violations[indices == self.n_hypotheses - 1] = 1
        return violations == 0


@dataclass(frozen=True)
class Parities(HypothesisClass):
    """Sums modulo 2 of sets of features.

    The binary digits of an index, lowest first, say which features are summed.

    There are 2^d parities, and the d unit vectors are shattered, so the VC dimension is d.

    Parameters
    ----------
    n_features : int
        Number d of features, a positive integer up to 62.

    Examples
    --------
    >>> Parities(2).predict([[0, 0], [1, 0], [1, 1]]).astype(int).tolist()
    [[0, 0, 0], [0, 1, 1], [0, 0, 1], [0, 1, 0]]
    """

    n_features: int

    def __post_init__(self) -> None:
        _check_features(self.n_features, 62)

    @property
    def n_hypotheses(self) -> int:
        """2^d."""
        return 1 << int(self.n_features)

    @property
    def vc_dimension(self) -> int:
        """The number of features."""
        return self.n_features

    def _describe(self, index: int) -> str:
        features = np.flatnonzero(_digits(np.array([index]), 2, self.n_features)[0])
        return " xor ".join(f"x[{feature}]" for feature in features) or "always false"

    def _mistakes(self, records: NDArray, y: NDArray[np.bool_]) -> NDArray[np.int64]:
        self._refuse_large()
        sums = _transform(records, y, lambda zeros, ones: [zeros + ones, zeros - ones])
        # each sum is the balance where the parity is 0, minus that where it is 1
        return np.count_nonzero(y) + (sums[0] - sums) // 2

    def _predictions(
        self, records: NDArray, indices: NDArray[np.int64]
    ) -> NDArray[np.bool_]:
        chosen = _digits(indices, 2, self.n_features).astype(np.float32)
        return (
            (chosen @ (records > 0).T.astype(np.float32)).astype(np.uint8) & 1
        ).astype(bool)


check.wrap_module(__name__)
