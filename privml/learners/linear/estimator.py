r"""LinearLearner: private linear rules by learning from expert advice.

Round t draws a coordinate with probabilities proportional to ``exp(-eta sum_{j<t} x_j)`` and then looks at
example x_t; the average of the draws is released.  One pass, one uniform number for each record.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.validation import check_is_fitted

from privml import _check as check
from privml.guarantee import Guarantee
from privml.learners.base import BinaryLearner
from privml.learners.experts import actions
from privml.learners.experts.base import checked_eta, weight_blocks
from privml.learners.experts.majority import drawn
from privml.learners.linear.base import clipped
from privml.learners.linear.losses import MarginLosses, example_losses
from privml.learners.linear.privacy import METHODS, linear_eta


def mean_draw(
    X: ArrayLike, eta: float, *, rng: np.random.Generator | int | None = None
) -> NDArray[np.float64]:
    """The point of the simplex that LinearLearner releases for examples in [-1, 1]^d.

    **Returns.** ndarray of shape (n_features,): how often each coordinate was drawn, over the number of
    rounds.
    **Privacy.** :func:`~privml.learners.linear.linear_guarantee`; order matters.
    **Source.** DR11-alg-17.

    Parameters
    ----------
    X : array_like of shape (n_samples, n_features)
        Examples, in the order of the rounds; entries outside of [-1, 1] are clipped.

    Raises
    ------
    ValueError
        If `X` is empty or has another number of dimensions, or eta is not positive.

    Examples
    --------
    >>> mean_draw([[1.0, -1.0]] * 50, 0.5, rng=0).tolist()
    [0.04, 0.96]
    """
    losses = example_losses(X)
    chosen = actions(losses, eta, lower=-1.0, upper=1.0, rng=rng)
    return np.bincount(chosen, minlength=losses.shape[1]) / len(losses)


def _mean_draw(losses: MarginLosses, eta: float, rng: np.random.Generator) -> NDArray[np.float64]:
    """As `mean_draw`, for losses that are made block by block."""
    counts = np.zeros(losses.shape[1])
    for _, weights in weight_blocks(losses, checked_eta(eta, losses.shape[0]), 1.0):
        chosen = drawn(weights, rng.random((len(weights), 1)))[:, 0]
        counts += np.bincount(chosen, minlength=counts.size)
    return counts / losses.shape[0]


class LinearLearner(BinaryLearner):
    r"""Private linear classifier: the average of coordinates drawn by randomised weighted majority.

    The rule is the sign of :math:`\langle w, x \rangle + b` with :math:`|w|_1 + |b| \le 1`.  It is learned
    for the linear loss :math:`-y (\langle w, x \rangle + b)`, :math:`y \in \{-1, 1\}`.

    **Privacy.** Replace-one (epsilon, delta)-DP; the number of records is public.  Idealised: the
    draws use floating-point numbers.  **Records are clipped**, each entry by itself, to [-1, 1]; NaN counts
    as 0.  So features must be scaled by public ranges beforehand.
    **Order matters**: a record influences later rounds only, the last one none.  If the rows are sorted by
    anything, shuffle them first, by coins that do not depend on them.
    **Accuracy.** Excess linear loss at most :func:`~privml.bounds.experts.linear_excess_risk`, except with
    probability beta, for independent records.
    **Source.** DR11-alg-17, Algorithm 17; with method "printed" its learning rate.

    Parameters
    ----------
    method : {"corrected", "printed", "concentrated", "oblivious"}
        Choice of the learning rate, see :func:`~privml.learners.linear.linear_eta`.  All are private as
        claimed; "oblivious" learns fastest.
    signed : bool, default True
        Double the coordinates, so that weights may be negative.  Without it w is in the simplex.
    fit_intercept : bool, default True
        Append a feature that is 1 for every record.
    class_weights : pair of float, optional
        Public weights in (0, 1] of the losses of records of the first and the second class; None is (1, 1).
    classes : sequence of two labels, optional
        The public labels, the negative one first; a record with any other label counts as negative.  None
        reads them from `y`, and the guarantee then treats the set of labels as public.

    Attributes
    ----------
    privacy_ : Guarantee
        What this one fit guarantees.
    classes_ : ndarray of shape (2,)
        The two labels.
    eta_ : float
        Learning rate, made from public numbers only.
    theta_ : ndarray of shape (n_coordinates,)
        The private output, a point of the simplex: features, then the intercept, then the negative of each.
    coef_ : ndarray of shape (1, n_features)
        Weights of the features.
    intercept_ : ndarray of shape (1,)
        The intercept.

    Raises
    ------
    ValueError
        In ``fit``, if a parameter is out of range or, with ``classes=None``, the labels are not of two
        classes.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> X = rng.uniform(-1, 1, size=(5000, 3))
    >>> y = X[:, 0] > X[:, 1]
    >>> learner = LinearLearner(1.0, method="oblivious").fit(X, y, rng=1)
    >>> print(learner.privacy_, round(float(learner.score(X, y)), 3))
    (1, 1e-05)-differential privacy (replace-one) 0.98
    """

    def __init__(
        self,
        epsilon: float = 1.0,
        delta: float = 1e-5,
        *,
        method: str = "corrected",
        signed: bool = True,
        fit_intercept: bool = True,
        class_weights: Sequence[float] | None = None,
        classes: Sequence | None = None,
    ) -> None:
        self.epsilon = epsilon
        self.delta = delta
        self.method = method
        self.signed = signed
        self.fit_intercept = fit_intercept
        self.class_weights = class_weights
        self.classes = classes

    def _checked_weights(self) -> NDArray[np.float64]:
        check.positive(epsilon=self.epsilon)
        check.probability_open(delta=self.delta)
        check.one_of(METHODS, method=self.method)
        check.one_of((False, True), signed=self.signed, fit_intercept=self.fit_intercept)
        weights = check.finite_vector(
            class_weights=(1.0, 1.0) if self.class_weights is None else self.class_weights
        )
        if weights.shape != (2,) or not ((weights > 0) & (weights <= 1)).all():
            raise ValueError(f"class_weights must be two numbers in (0, 1], got {self.class_weights!r}")
        return weights

    def fit(self, X: ArrayLike, y: ArrayLike, *, rng: np.random.Generator | int | None = None):
        """Learn a rule in one pass over the records, in their order.

        Parameters
        ----------
        X : array_like or sparse matrix of shape (n_samples, n_features)
            Records, scaled to [-1, 1]; clipped.

        Returns
        -------
        self
        """
        rng = np.random.default_rng(rng)
        weights = self._checked_weights()
        X, labels, self.classes_ = self._prepared(X, y, reset=True, accept_sparse="csr")
        factors = np.where(labels, -weights[1], weights[0])
        losses = MarginLosses(X, factors, intercept=self.fit_intercept, signed=self.signed)
        self.eta_ = linear_eta(self.epsilon, self.delta, losses.shape[0], method=self.method)
        self.theta_ = _mean_draw(losses, self.eta_, rng)
        self._unfold(X.shape[1])
        self.privacy_ = Guarantee(self.epsilon, self.delta)
        return self

    def _unfold(self, n_features: int) -> None:
        width = n_features + self.fit_intercept
        rule = self.theta_[:width] - (self.theta_[width:] if self.signed else 0.0)
        self.coef_ = rule[None, :n_features]
        self.intercept_ = rule[n_features:] if self.fit_intercept else np.zeros(1)

    def decision_function(self, X: ArrayLike) -> NDArray[np.float64]:
        """Value of the linear rule, in [-1, 1], on records that are clipped as in fit.

        **Returns.** ndarray of shape (n_samples,): positive for the second class.
        """
        check_is_fitted(self, "theta_")
        X = self._features(X, accept_sparse="csr")
        if not isinstance(X, np.ndarray):
            X = X.copy()
            X.data = clipped(X.data)
            return X @ self.coef_[0] + self.intercept_[0]
        return clipped(X) @ self.coef_[0] + self.intercept_[0]

    def predict(self, X: ArrayLike) -> NDArray:
        """Labels that the learned rule gives; the first class where the rule is 0.

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        return np.where(self.decision_function(X) > 0, self.classes_[1], self.classes_[0])

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags
