"""Classifiers that draw their weights: logistic and hinge loss."""

from privml.learners.penalised_erm.base import ScoreLoss
from privml.learners.penalised_erm.estimators.base import ExponentialClassifier
from privml.learners.penalised_erm.losses import HingeLoss, LogisticLoss


class ExponentialLogisticRegression(ExponentialClassifier):
    """Private logistic regression: weights drawn by the exponential mechanism on a ball.

    Parameters
    ----------
    radius : float, default 4.0
        Norm of the longest weight vector; public.
    strength : float, default 1.0
        Factor of the penalty ``strength d |h|^2 / (2 R^2)`` of the exponent, non-negative; public.
    fit_intercept : bool, default False
        Append a constant feature; record and constant are then divided by the root of 2.
    sampler : {"mala", "hit-and-run"}
        Markov chain.
    n_chains : int, default 8
        Chains; the last state of the first is released, the others serve the diagnostics.
    thin : int, default 1
        Steps between two draws.
    total_variation : float, default 0
        Distance eta from the law that `privacy_` accounts for, by ``(1 + e^epsilon) eta``.  It is an
        assumption: no chain here comes with a proof of it.
    classes : sequence of two labels, optional
        The public labels; None reads them from `y`, and the guarantee then treats their set as public.

    Attributes
    ----------
    privacy_ : Guarantee
        epsilon-DP for the exact law; with `total_variation`, what is left of it.
    diagnostics_ : Diagnostics
        Signs of trouble in the chains.  **Not private**: keep them.
    classes_ : ndarray of shape (2,)
        The two labels.
    coef_ : ndarray of shape (1, n_features)
        Weights of the features: the private output.
    intercept_ : ndarray of shape (1,)
        The intercept, 0 without one.

    Raises
    ------
    ValueError
        In ``fit``, if a parameter is out of range or the labels are not of two classes.

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

    Parameters
    ----------
    radius : float, default 4.0
        Norm of the longest weight vector; public.
    strength : float, default 1.0
        Factor of the penalty ``strength d |h|^2 / (2 R^2)`` of the exponent, non-negative; public.
    fit_intercept : bool, default False
        Append a constant feature; record and constant are then divided by the root of 2.
    sampler : {"mala", "hit-and-run"}
        Markov chain.
    n_chains : int, default 8
        Chains; the last state of the first is released, the others serve the diagnostics.
    thin : int, default 1
        Steps between two draws.
    total_variation : float, default 0
        Distance eta from the law that `privacy_` accounts for, by ``(1 + e^epsilon) eta``.  It is an
        assumption: no chain here comes with a proof of it.
    classes : sequence of two labels, optional
        The public labels; None reads them from `y`, and the guarantee then treats their set as public.

    Attributes
    ----------
    privacy_ : Guarantee
        epsilon-DP for the exact law; with `total_variation`, what is left of it.
    diagnostics_ : Diagnostics
        Signs of trouble in the chains.  **Not private**: keep them.
    classes_ : ndarray of shape (2,)
        The two labels.
    coef_ : ndarray of shape (1, n_features)
        Weights of the features: the private output.
    intercept_ : ndarray of shape (1,)
        The intercept, 0 without one.

    Raises
    ------
    ValueError
        In ``fit``, if a parameter is out of range or the labels are not of two classes.

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
