"""Any SQ learner as a private scikit-learn classifier."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.validation import check_is_fitted

from privml import _check as check
from privml.hypotheses import DecisionStumps
from privml.learners.base import DEFAULT_CUTS, BinaryLearner
from privml.learners.statistical_queries.base import SQLearner
from privml.learners.statistical_queries.private import PrivateSQOracle
from privml.learners.statistical_queries.stumps import StumpSQLearner


class PrivateSQClassifier(BinaryLearner):
    """Private classifier: an SQ learner whose queries a private oracle answers.

    **Privacy.** epsilon-DP or rho-concentrated under replace-one, whatever the learner asks.
    **Accuracy.** The learner's ``accuracy`` at the tolerance that the oracle reaches, see
    :func:`~privml.bounds.statistical_queries.private_sq_accuracy`.
    **Source.** DR11-alg-private-sq-oracle with DR11-def-11.5.

    Parameters
    ----------
    learner : SQLearner, optional
        What asks the queries; public.  None stands for
        :class:`~privml.learners.statistical_queries.StumpSQLearner` with 16 cut points per feature, equally
        spaced in [-1, 1].
    epsilon : float, optional
        Pure budget in nats, positive; 1 if neither budget is given.
    noise : {"laplace", "gaussian"}
        Gaussian noise needs a concentrated budget.
    mode : {"reuse", "split"}
        Answer from all records each time, or from a fresh batch of records.
    classes : sequence of two labels, optional
        The public labels, the negative one first; a record with any other label counts as negative.  None
        reads them from `y`, and the guarantee then treats the set of labels as public.

    Attributes
    ----------
    privacy_ : Guarantee or ConcentratedGuarantee
        What this one fit guarantees.
    learner_ : SQLearner
        The learner used.
    found_ : object
        What it returned: the private output.
    classes_ : ndarray of shape (2,)
        The two labels.

    Raises
    ------
    ValueError
        In ``fit``, if a parameter is out of range or, with ``classes=None``, the labels are not of two
        classes.

    Examples
    --------
    >>> X = np.linspace(-1, 1, 2000)[:, None]
    >>> classifier = PrivateSQClassifier(epsilon=1.0).fit(X, X[:, 0] > 0.2, rng=0)
    >>> classifier.learner_.stumps.describe(classifier.found_)
    'x[0] >= 0.176471'
    >>> print(classifier.privacy_)
    1-differential privacy (replace-one)
    """

    def __init__(
        self,
        learner: SQLearner | None = None,
        *,
        epsilon: float | None = None,
        rho: float | None = None,
        noise: str = "laplace",
        mode: str = "reuse",
        classes: Sequence | None = None,
    ) -> None:
        self.learner = learner
        self.epsilon = epsilon
        self.rho = rho
        self.noise = noise
        self.mode = mode
        self.classes = classes

    def _learner_for(self, n_features: int) -> SQLearner:
        if self.learner is not None:
            check.instance(SQLearner, learner=self.learner)
            return self.learner
        return StumpSQLearner(DecisionStumps.on_grid(n_features, lower=-1.0, upper=1.0, n_cuts=DEFAULT_CUTS))

    def fit(self, X: ArrayLike, y: ArrayLike, *, rng: np.random.Generator | int | None = None):
        """Run the learner on the answers of a private oracle.

        Returns
        -------
        self
        """
        rng = np.random.default_rng(rng)
        X, labels, self.classes_ = self._prepared(X, y, reset=True)
        self.learner_ = self._learner_for(X.shape[1])
        oracle = PrivateSQOracle(
            X,
            labels,
            n_queries=self.learner_.n_queries,
            epsilon=1.0 if self.epsilon is None and self.rho is None else self.epsilon,
            rho=self.rho,
            noise=self.noise,
            mode=self.mode,
            rng=rng,
        )
        self.found_ = self.learner_.run(oracle)
        self.privacy_ = oracle.guarantee
        return self

    def predict(self, X: ArrayLike) -> NDArray:
        """Labels that the learned rule gives.

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        check_is_fitted(self, "found_")
        X = self._features(X)
        return np.where(self.learner_.predict(self.found_, X), self.classes_[1], self.classes_[0])
