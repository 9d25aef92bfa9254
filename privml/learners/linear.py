r"""LinearLearner: private linear rules by learning from expert advice, with the coordinates as experts.

Round t draws a coordinate with probabilities proportional to ``exp(-eta sum_{j<t} x_j)`` and then looks at
example x_t; the average of the draws is released.  One pass, one uniform number for each record.

A record (x, y) with x in [-1, 1]^p and y in {-1, 1} becomes the example ``-w_y y x``: the loss of theta is
minus its weighted margin.  Doubling the coordinates, ``(-w_y y x, w_y y x)``, lets the simplex of 2p
coordinates stand for all linear rules w with ``|w|_1 <= 1``.

Losses lie in [-1, 1], an interval of length 2: a round costs twice what the same rate costs for losses in
[0, 1], and a run what :func:`~privml.learners.experts.run_guarantee` says for ``loss_range=2``.
"""

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.validation import check_is_fitted

from privml import _check as check
from privml.bounds.experts import LOSS_RANGE, RANGES, linear_learning_rate
from privml.guarantee import Guarantee
from privml.learners.base import BinaryLearner
from privml.learners.experts import private_eta
from privml.learners.experts.base import checked_eta, drawn, weight_blocks
from privml.learners.preprocessing import _cube_rows, _has_ranges, _warn_if_unscaled

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

__all__ = ["LinearLearner", "SimplexLinearProblem", "linear_eta", "mean_draw"]

LINEAR_METHODS = ("corrected", "source", "concentrated", "nonadaptive")


@dataclass(frozen=True, eq=False)
class SimplexLinearProblem:
    """Choose theta in the simplex so that <theta, x> is small on average over examples x, exactly.

    Parameters
    ----------
    examples : array_like
        The possible examples, of shape (n_examples, n_features), in [-1, 1]^d.
    probabilities : array_like
        Their probabilities, of shape (n_examples,), non-negative, with a positive sum, which is made 1.

    Raises
    ------
    ValueError
        If an example is outside of [-1, 1], or `probabilities` are no law on the examples.

    References
    ----------
    DR11-def-linear-erm.

    Examples
    --------
    >>> problem = SimplexLinearProblem([[1.0, -1.0], [-1.0, 1.0]], [0.75, 0.25])
    >>> problem.risks.tolist(), problem.excess([0.5, 0.5])
    ([0.5, -0.5], 0.5)
    """

    examples: NDArray[np.float64]
    probabilities: NDArray[np.float64]

    if TYPE_CHECKING:  # what is given becomes arrays

        def __init__(self, examples: ArrayLike, probabilities: ArrayLike) -> None: ...

    def __post_init__(self) -> None:
        examples = check.numbers(examples=self.examples)
        if examples.ndim != 2 or examples.size == 0 or not (abs(examples) <= 1).all():
            raise ValueError(
                f"examples must be rows of numbers in [-1, 1], but got {examples!r}."
            )
        distribution = check.finite_vector(probabilities=self.probabilities)
        if (
            distribution.shape != (len(examples),)
            or (distribution < 0).any()
            or distribution.sum() <= 0
        ):
            raise ValueError(
                f"probabilities must be a distribution on {len(examples)} examples, but got {distribution!r}."
            )
        object.__setattr__(self, "examples", examples)
        object.__setattr__(self, "probabilities", distribution / distribution.sum())

    @property
    def risks(self) -> NDArray[np.float64]:
        """Risk of every vertex: the mean example.  No point of the simplex is below the least of them."""
        return self.probabilities @ self.examples

    def excess(self, theta: ArrayLike) -> NDArray[np.float64] | float:
        """Risk above that of the best vertex, of points of shape (..., n_features)."""
        theta = check.numbers(theta=theta)
        if theta.shape[-1:] != self.risks.shape or not np.isfinite(theta).all():
            raise ValueError(
                f"theta must be points of {self.risks.size} finite coordinates, but got {theta!r}."
            )
        excess = theta @ self.risks - self.risks.min()
        return float(excess) if excess.ndim == 0 else excess


def _clipped(X: ArrayLike) -> NDArray[np.float64]:
    """Entries moved into [-1, 1], each by itself; NaN counts as 0."""
    known = (
        isinstance(X, np.ndarray) and X.dtype.kind in "fiub"
    )  # no copy of a large table
    values = np.asarray(
        np.clip(np.asarray(X if known else check.numbers(X=X), dtype=float), -1.0, 1.0)
    )
    if np.isnan(values.sum()):
        values[np.isnan(values)] = 0.0
    return values


class MarginLosses:
    """Losses of labelled records, -w_y y x, made for the rows that are asked for; never held as a whole."""

    def __init__(
        self,
        X: "NDArray | csr_matrix",
        factors: NDArray[np.float64],
        *,
        intercept: bool,
        signed: bool,
    ) -> None:
        self._X, self._factors, self._intercept, self._signed = (
            X,
            factors,
            intercept,
            signed,
        )
        self.shape = X.shape[0], (X.shape[1] + intercept) * (2 if signed else 1)

    def __getitem__(self, rows: slice | int) -> NDArray[np.float64]:
        block = rows if isinstance(rows, slice) else slice(rows, rows + 1)
        records = self._X[block]
        losses = _clipped(
            records if isinstance(records, np.ndarray) else records.toarray()
        )
        if self._intercept:
            losses = np.hstack([losses, np.ones((len(losses), 1))])
        losses *= self._factors[block, None]
        if self._signed:
            losses = np.hstack([losses, -losses])
        return losses if isinstance(rows, slice) else losses[0]


def mean_draw(
    X: ArrayLike | MarginLosses,
    eta: float,
    *,
    rng: np.random.Generator | int | None = None,
) -> NDArray[np.float64]:
    """The point of the simplex that LinearLearner releases for examples in [-1, 1]^d.

    Parameters
    ----------
    X : array_like or MarginLosses
        Here examples of shape (n_samples, n_features), in their order; clipped to [-1, 1].
    eta : float or array_like
        Learning rate, positive, of all rounds, or one for each, of shape (n_samples,).
    rng : int or Generator, optional
        Generator for all calls, or None: fresh entropy.  A seed gives noise away; used twice, the data.

    Returns
    -------
    ndarray
        Of shape (n_features,): how often each coordinate was drawn, over the number of rounds.

    Raises
    ------
    ValueError
        If `X` is no table, or `eta` is not positive or of another length.

    Notes
    -----
    *Privacy.* The guarantee is that of a run with losses in an interval of length 2; order matters.

    References
    ----------
    DR11-alg-17 and DR11-red-erm-to-experts.

    Examples
    --------
    >>> mean_draw([[1.0, -1.0]] * 50, 0.5, rng=0).tolist()
    [0.04, 0.96]
    """
    rng, losses = (
        np.random.default_rng(rng),
        X if isinstance(X, MarginLosses) else _clipped(X),
    )
    if len(losses.shape) != 2 or 0 in losses.shape:
        raise ValueError(
            f"X must be of shape (n_samples, n_features), but got shape {losses.shape}."
        )
    counts = np.zeros(losses.shape[1])
    for _, weights in weight_blocks(losses, checked_eta(eta, losses.shape[0]), 1.0):
        chosen = drawn(weights, rng.random((len(weights), 1)))[:, 0]
        counts += np.bincount(chosen, minlength=counts.size)
    return counts / losses.shape[0]


def linear_eta(
    epsilon: float, delta: float, n_samples: int, *, method: str = "corrected"
) -> float:
    """Learning rate at which LinearLearner on T examples is (epsilon, delta)-differentially private.

    "corrected" is the source's rate for the right range of losses, "source" twice that, "concentrated" the
    largest rate by concentrated privacy, "nonadaptive" the largest by the optimum for steps that are fixed in
    advance: in increasing order but for a short run.

    Parameters
    ----------
    epsilon : float
        Privacy parameter in nats, positive.
    delta : float
        Additive slack, in (0, 1).
    n_samples : int
        Number of records, a positive integer.
    method : str
        One of "corrected", "source", "concentrated" and "nonadaptive", as above.

    Notes
    -----
    *Privacy.* The guarantee is about all draws, and so of their average, for examples that differ in one row.

    References
    ----------
    DR11-alg-17 and DR11-thm-11.5; the corrected rate is half of the printed one.

    Examples
    --------
    >>> [round(linear_eta(1.0, 1e-5, 1000, method=method), 4) for method in LINEAR_METHODS]
    [0.0008, 0.0016, 0.0039, 0.0042]
    """
    check.one_of(LINEAR_METHODS, method=method)
    if method in RANGES:
        return linear_learning_rate(epsilon, delta, n_samples, rule=method)
    return private_eta(epsilon, delta, n_samples, method=method, loss_range=LOSS_RANGE)


@dataclass(eq=False, repr=False)
class LinearLearner(BinaryLearner):
    r"""Private linear classifier: the average of coordinates drawn by randomised weighted majority.

    The rule is the sign of :math:`\langle w, x \rangle + b` with :math:`|w|_1 + |b| \le 1`.  It is learned
    for the linear loss :math:`-y (\langle w, x \rangle + b)`, :math:`y \in \{-1, 1\}`.

    Parameters
    ----------
    epsilon : float
        Privacy parameter in nats, positive.
    delta : float
        Additive slack, in (0, 1).
    method : str
        One of "corrected", "source", "concentrated" and "nonadaptive" (fastest), as of ``linear_eta``.
    signed : bool
        Whether weights may be negative, else w is in the simplex.
    fit_intercept : bool
        Whether to append a constant feature.
    class_weights : sequence, optional
        Public weights in (0, 1] of the losses of the first and the second class; None is (1, 1).
    bounds : tuple or str, optional
        Declared ranges (lower, upper) of dense records, or "unit" for [-1, 1]; None cuts entries and warns.
    classes : sequence, optional
        Public labels, the negative one first; None reads them from `y`, so that their set is public.

    Attributes
    ----------
    eta_ : float
        Public learning rate.
    theta_ : ndarray
        Private output in the simplex: features, intercept, then the negative of each.
    coef_, intercept_ : ndarray
        The rule that it makes, of shape (1, n_features) and (1,).
    classes_ : ndarray
        The two labels.
    privacy_ : Guarantee
        Promise of one fit.

    Notes
    -----
    *Privacy.* Each fit is (epsilon, delta)-differentially private under replace-one; the number of records is public. Idealised: the draws use
    floating-point numbers. **Records are clipped**, each entry by itself, to [-1, 1], so declare `bounds`;
    NaN counts as 0. **Order matters**: a record influences later rounds only, the last one none. If the
    rows are sorted by anything, shuffle them first, by coins that do not depend on them.

    *Accuracy.* Excess linear loss at most :func:`~privml.bounds.experts.linear_excess_risk`, except with
    probability beta, for independent records.

    References
    ----------
    DR11-alg-17; with method "source" its learning rate.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> X = rng.uniform(-1, 1, size=(5000, 3))
    >>> y = X[:, 0] > X[:, 1]
    >>> learner = LinearLearner(1.0, method="nonadaptive", bounds="unit").fit(X, y, rng=1)
    >>> print(learner.privacy_, round(float(learner.score(X, y)), 3))
    (1, 1e-05)-differential privacy (replace-one) 0.98
    """

    epsilon: float = 1.0
    delta: float = 1e-5
    _: KW_ONLY
    method: str = "corrected"
    signed: bool = True
    fit_intercept: bool = True
    class_weights: Sequence[float] | None = None
    bounds: Any = None
    classes: Sequence | None = None

    def _checked_weights(self) -> NDArray[np.float64]:
        check.standard_ranges(epsilon=self.epsilon, delta=self.delta)
        check.carried(epsilon=self.epsilon)
        check.one_of(LINEAR_METHODS, method=self.method)
        check.flag(signed=self.signed, fit_intercept=self.fit_intercept)
        weights = (1.0, 1.0) if self.class_weights is None else self.class_weights
        weights = check.finite_vector(class_weights=weights)
        if weights.shape != (2,) or not ((weights > 0) & (weights <= 1)).all():
            raise ValueError(
                f"class_weights must be two numbers in (0, 1], but got {self.class_weights!r}."
            )
        return weights

    def _sparse(self) -> str | bool:
        """Only rows that stay as they are may be sparse: zeros move."""
        return False if _has_ranges(self.bounds) else "csr"

    def fit(
        self,
        X: ArrayLike,
        y: ArrayLike,
        *,
        rng: np.random.Generator | int | None = None,
    ) -> Self:
        """Learn a rule in one pass over the records, dense or sparse, in their order.

        Parameters
        ----------
        X, y : array_like or sparse matrix, array_like
            Records of shape (n_samples, n_features), dense if `bounds` are ranges; their labels.
        rng : int or Generator, optional
            Generator for all calls, or None: fresh entropy.  A seed gives noise away; used twice, the data.
        """
        rng, weights = np.random.default_rng(rng), self._checked_weights()
        X, labels, self.classes_ = self._prepared(
            X, y, reset=True, accept_sparse=self._sparse()
        )
        _warn_if_unscaled(
            self.bounds, "bounds is None, so entries outside of [-1, 1] are clipped"
        )
        X = _cube_rows(X, self.bounds)
        factors = np.where(labels, -weights[1], weights[0])
        losses = MarginLosses(
            X, factors, intercept=self.fit_intercept, signed=self.signed
        )
        self.eta_ = linear_eta(
            self.epsilon, self.delta, losses.shape[0], method=self.method
        )
        self.theta_ = mean_draw(losses, self.eta_, rng=rng)
        width = X.shape[1] + self.fit_intercept
        rule = self.theta_[:width] - (self.theta_[width:] if self.signed else 0.0)
        self.coef_ = rule[None, : X.shape[1]]
        self.intercept_ = rule[X.shape[1] :] if self.fit_intercept else np.zeros(1)
        self.privacy_ = Guarantee(self.epsilon, self.delta)
        return self

    def decision_function(self, X: ArrayLike) -> NDArray[np.float64]:
        """Value of the linear rule, in [-1, 1], on records that are clipped as in fit.

        Parameters
        ----------
        X : array_like or sparse matrix
            Records of shape (n_samples, n_features), clipped as in `fit`.
        """
        check_is_fitted(self, "theta_")
        X = _cube_rows(self._features(X, accept_sparse=self._sparse()), self.bounds)
        if isinstance(X, np.ndarray):
            X = _clipped(X)
        else:
            X = X.copy()
            X.data = _clipped(X.data)
        return np.round(
            X @ self.coef_[0] + self.intercept_[0], 12
        )  # ties, in whatever order sums are made

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


check.wrap_module(__name__)
