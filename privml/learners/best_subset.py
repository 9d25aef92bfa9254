r"""Private best subset selection: few features of many, and coefficients on a lattice.

Every support S of s features carries the same lattice in the ball of radius R, so the law of the whole output
is known exactly.  With F the mean loss, w the oscillation of one record's loss and ``c(e) = e n / (2 w)``:

* *two stages*: S with probability proportional to ``exp(-c(e_1) min_h F(S, h))``, then h with probability
  proportional to ``exp(-c(e_2) F(S, h))``: two exponential mechanisms, (e_1 + e_2)-private together.
* *one stage*: the pair (S, h) with probability proportional to ``exp(-c(epsilon) F(S, h))``.

Records lie in the cube [-1, 1]^d, so that scores go up to ``R sqrt(s)``, whatever d is.
"""

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from itertools import combinations, product
from math import comb, sqrt
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.validation import check_is_fitted

from privml import _check as check
from privml._records import features, numeric, targets
from privml.composition import basic_composition
from privml.distributions import Categorical
from privml.guarantee import Guarantee
from privml.learners.base import PrivateRegressor
from privml.learners.penalised_erm import SquaredLoss, penalised_distribution
from privml.learners.preprocessing import (
    _cube_rows,
    _in_range,
    _unit_targets,
    _warn_if_unscaled,
    _warn_of_targets,
)

MOST_CANDIDATES = 1 << 24  # points, supports, or pairs of them: 128 MiB of risks
STAGES = ("two-stage", "one-stage")


def coefficient_lattice(
    dimension: int, radius: float, cells: int
) -> NDArray[np.float64]:
    """Points of the ball on a lattice of spacing ``radius / cells``, within sqrt(dimension) times it of all.

    Parameters
    ----------
    cells : int
        Steps along a radius.

    References
    ----------
    WLF16-ex-22: the discretised coefficients.

    Examples
    --------
    >>> coefficient_lattice(2, 1.0, 1).tolist()
    [[-1.0, 0.0], [0.0, -1.0], [0.0, 0.0], [0.0, 1.0], [1.0, 0.0]]
    """
    check.positive_integer(dimension=dimension, cells=cells)
    check.positive(radius=radius)
    if (2 * cells + 1) ** dimension > MOST_CANDIDATES:
        raise ValueError(
            f"cells must give at most {MOST_CANDIDATES} points, but got {cells!r}."
        )
    steps = np.array(list(product(range(-cells, cells + 1), repeat=dimension)))
    return steps[(steps**2).sum(axis=1) <= cells**2] * (radius / cells)


def _cube(values: NDArray) -> NDArray[np.float64]:
    """Numbers moved into [-1, 1]; NaN counts as 0."""
    return np.clip(np.nan_to_num(values.astype(float)), -1.0, 1.0)


def subset_risks(
    X: ArrayLike, y: ArrayLike, supports: ArrayLike, lattice: ArrayLike
) -> NDArray[np.float64]:
    """Mean squared loss of every support (rows) and every coefficient vector (columns).

    Parameters
    ----------
    supports, lattice : array_like of shape (n_supports, s) and (n_points, s)
        Sets of features, and coefficients.

    References
    ----------
    WLF16-ex-22; from the matrix of second moments, so that time does not grow with records.

    Examples
    --------
    >>> subset_risks([[1.0, 0.0], [0.0, 1.0]], [1.0, -1.0], [[0], [1]], [[0.0], [1.0]]).tolist()
    [[1.0, 0.5], [1.0, 2.5]]
    """
    rows, supports, H = (
        _cube(numeric("X", X)),
        np.asarray(supports),
        np.asarray(lattice, dtype=float),
    )
    if len(supports) * len(H) > MOST_CANDIDATES:
        raise ValueError(
            f"supports and lattice must give at most {MOST_CANDIDATES} pairs, but got {len(supports)} times {len(H)}."
        )
    labels = _cube(numeric("y", y))
    moments, cross = rows.T @ rows / len(rows), rows.T @ labels / len(rows)
    inner = moments[supports[:, :, None], supports[:, None, :]].reshape(
        len(supports), -1
    )
    outer = (H[:, :, None] * H[:, None, :]).reshape(len(H), -1)
    return inner @ outer.T - 2 * cross[supports] @ H.T + (labels**2).mean()


def two_stage_distribution(
    risks: ArrayLike,
    n_samples: int,
    epsilon_support: float,
    epsilon_fit: float,
    *,
    oscillation: float = 1.0,
) -> Categorical:
    """Exact joint law of support and coefficients, chosen one after the other.

    Parameters
    ----------
    risks : array_like of shape (n_supports, n_points)
        Mean loss of each pair on the data.
    epsilon_support, epsilon_fit : float
        Of the two stages.

    Returns
    -------
    Categorical
        On pairs: index ``support * n_points + point``.

    Notes
    -----
    *Privacy.* The fit is (epsilon_support + epsilon_fit)-differentially private under replace-one: the least of functions that a record
    moves by at most ``w / n`` moves by no more.

    References
    ----------
    WLF16-ex-22.

    Examples
    --------
    >>> two_stage_distribution([[0.0, 0.5], [0.5, 0.5]], 4, 1.0, 1.0).pmf().round(4).tolist()
    [0.5344, 0.1966, 0.1345, 0.1345]
    """
    table = np.atleast_2d(np.asarray(risks, dtype=float))
    first = penalised_distribution(
        table.min(axis=1), n_samples, epsilon_support, loss_range=oscillation
    ).logpmf()
    check.positive(epsilon_fit=epsilon_fit)
    exponents = -epsilon_fit * n_samples / (2 * oscillation) * table
    second = exponents - np.logaddexp.reduce(exponents, axis=1, keepdims=True)
    return Categorical((first[:, None] + second).ravel())


@dataclass(eq=False, repr=False)
class PrivateBestSubset(PrivateRegressor):
    """Private sparse regression: few features and their coefficients, by exponential mechanisms.

    Parameters
    ----------
    epsilon : float
        Privacy parameter in nats, positive.
    n_selected : int
        Number s of features in a support, a positive integer; all features if there are fewer.
    method : str
        One of "one-stage" (support and coefficients together) and "two-stage" (one after the other).
    share : float
        Share of epsilon for the support, in (0, 1), of "two-stage".
    radius : float
        Length of the longest weights R, positive.
    cells : int
        Number of lattice points along a radius, a positive integer.
    bounds : tuple or str, optional
        Ranges of features moved to [-1, 1], or "unit" where they are there; None cuts and warns.
    target_bounds : tuple or str, optional
        Declared range (lower, upper) of the targets, or "unit" for [-1, 1]; None cuts to that and warns.

    Attributes
    ----------
    support_ : ndarray
        The chosen features, integers of shape (s,); with the coefficients the private output.
    coef_ : ndarray
        The coefficients, of shape (n_features,), 0 outside of the support, for features and targets in [-1, 1].
    privacy_ : Guarantee
        Of one fit.

    Notes
    -----
    *Privacy.* The output is epsilon-differentially private under replace-one. Idealised: the draw uses floating-point numbers. **Records are
    clipped**: features and targets are moved into [-1, 1], so declare `bounds` and `target_bounds`; NaN
    counts as the middle.

    *Accuracy.* In expectation ``(2 w / (n epsilon)) (a + b)`` above the best pair on the lattice, w what a
    loss varies by, a and b the logarithms of the numbers of supports and of points on each.

    References
    ----------
    WLF16-ex-22.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> X = rng.uniform(-0.5, 0.5, size=(4000, 8))
    >>> learner = PrivateBestSubset(2.0, bounds="unit", target_bounds="unit")
    >>> learner = learner.fit(X, X[:, 1] - X[:, 6], rng=0)
    >>> print(learner.privacy_, learner.support_)
    2-differential privacy (replace-one) [1 6]
    """

    epsilon: float = 1.0
    n_selected: int = 2
    _: KW_ONLY
    method: str = "one-stage"
    share: float = 0.5
    radius: float = 1.0
    cells: int = 4
    bounds: Any = None
    target_bounds: Any = None

    def _candidates(
        self, n_features: int
    ) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
        """Supports, one a row, and coefficients, after a check of the parameters."""
        check.positive(epsilon=self.epsilon, radius=self.radius)
        check.carried(epsilon=self.epsilon, radius=self.radius)
        check.positive_integer(n_selected=self.n_selected, cells=self.cells)
        check.one_of(STAGES, method=self.method)
        check.probability_open(share=self.share)
        size = min(self.n_selected, n_features)
        if comb(n_features, size) > MOST_CANDIDATES:
            raise ValueError(
                f"n_selected must give at most {MOST_CANDIDATES} supports, but got {size}."
            )
        supports = np.array(list(combinations(range(n_features), size)), dtype=np.intp)
        return supports, coefficient_lattice(size, self.radius, self.cells)

    def _parts(self) -> Sequence[float]:
        if self.method == "one-stage":
            return (float(self.epsilon),)
        return self.share * self.epsilon, (1 - self.share) * self.epsilon

    def output_distribution(self, X: ArrayLike, y: ArrayLike) -> Categorical:
        """Exact law of the pair of support and point that `fit` would choose; for study, not private.

        Parameters
        ----------
        X, y : array_like
            Records of shape (n_samples, n_features); targets of shape (n_samples,), clipped.
        """
        X = features(self, X, reset=not hasattr(self, "n_features_in_"))
        y = _unit_targets(targets(y, len(X)), self.target_bounds)
        supports, lattice = self._candidates(X.shape[1])
        risks = subset_risks(_cube_rows(X, self.bounds), y, supports, lattice)
        width = SquaredLoss().oscillation(self.radius * sqrt(supports.shape[1]))
        if self.method == "one-stage":
            return penalised_distribution(
                risks.ravel(), len(y), self.epsilon, loss_range=width
            )
        return two_stage_distribution(risks, len(y), *self._parts(), oscillation=width)

    def fit(
        self,
        X: ArrayLike,
        y: ArrayLike,
        *,
        rng: np.random.Generator | int | None = None,
    ) -> Self:
        _warn_of_targets(self.target_bounds)
        width = features(self, X, reset=True).shape[1]
        _warn_if_unscaled(
            self.bounds, "bounds is None, so entries outside of [-1, 1] are clipped"
        )
        supports, lattice = self._candidates(width)
        chosen = self.output_distribution(X, y).rvs(rng=np.random.default_rng(rng))
        support, point = divmod(int(chosen), len(lattice))
        self.support_, self.coef_ = supports[support], np.zeros(width)
        self.coef_[self.support_] = lattice[point]
        self.privacy_ = basic_composition(*map(Guarantee, self._parts()))
        return self

    def predict(self, X: ArrayLike) -> NDArray[np.float64]:
        check_is_fitted(self, "coef_")
        rows = _cube(_cube_rows(features(self, X, reset=False), self.bounds))
        return _in_range(rows @ self.coef_, self.target_bounds)


check.wrap_module(__name__)
