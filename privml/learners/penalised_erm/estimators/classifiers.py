"""Classifiers that draw their weights: logistic and hinge loss."""

from privml.learners.penalised_erm.base import ScoreLoss
from privml.learners.penalised_erm.estimators.base import ExponentialClassifier
from privml.learners.penalised_erm.losses import HingeLoss, LogisticLoss


class ExponentialLogisticRegression(ExponentialClassifier):
    """Private logistic regression: weights drawn by the exponential mechanism on a ball.

    Notes
    -----
    **Privacy.** epsilon-DP under replace-one for a draw from the law; the number of records is public.
    A chain has another law; `diagnostics_` shows symptoms.
    **Records are clipped**: rows longer than 1 are scaled down to length 1, NaN counts as 0.  So centre and
    scale by public numbers beforehand.
    **Source.** WLF16-alg-1 with the logistic loss; WLF16-prop-26 for the sampling.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> X = rng.uniform(-0.5, 0.5, size=(2000, 2))
    >>> learner = ExponentialLogisticRegression(2.0, n_draws=300).fit(X, X[:, 0] > X[:, 1], rng=0)
    >>> print(learner.privacy_, learner.diagnostics_.mixed)
    2-differential privacy (replace-one) True
    >>> bool(learner.score(X, X[:, 0] > X[:, 1]) > 0.9)
    True
    """

    def _loss(self) -> ScoreLoss:
        return LogisticLoss()


class ExponentialLinearSVC(ExponentialClassifier):
    """Private linear support vector machine: weights drawn by the exponential mechanism on a ball.

    Notes
    -----
    **Privacy.** epsilon-DP under replace-one for a draw from the law; the number of records is public.
    A chain has another law; `diagnostics_` shows symptoms.
    **Records are clipped**: rows longer than 1 are scaled down to length 1, NaN counts as 0.  So centre and
    scale by public numbers beforehand.
    **Source.** WLF16-alg-1 with the hinge loss; WLF16-prop-26 for the sampling.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> X = rng.uniform(-0.5, 0.5, size=(2000, 2))
    >>> learner = ExponentialLinearSVC(2.0, n_draws=300).fit(X, X[:, 0] > X[:, 1], rng=0)
    >>> print(learner.privacy_, learner.diagnostics_.mixed)
    2-differential privacy (replace-one) True
    >>> bool(learner.score(X, X[:, 0] > X[:, 1]) > 0.9)
    True
    """

    def _loss(self) -> ScoreLoss:
        return HingeLoss()
