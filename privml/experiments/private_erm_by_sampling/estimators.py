"""Tables on the estimators: what a fit gives away, and accuracy on tumours."""

import warnings
from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from privml.datasets import load_breast_cancer
from privml.learners import ExponentialLinearSVC, ExponentialLogisticRegression, ExponentialRidge
from privml.learners.penalised_erm import MixingWarning, unit_rows

TEST_SHARE = 0.3


def tumours() -> tuple[NDArray, NDArray]:
    """Records of the data set, moved to [-1, 1] by public ranges and scaled into the unit ball, and labels.

    Examples
    --------
    >>> tumours()[0].shape, float(np.linalg.norm(tumours()[0], axis=1).max().round(9))
    ((569, 30), 1.0)
    """
    cancer = load_breast_cancer()
    return unit_rows(2 * cancer.X - 1), cancer.y


def _minimiser(X: NDArray, y: NDArray, strength: float) -> NDArray[np.float64]:
    from sklearn.linear_model import LogisticRegression

    model = LogisticRegression(C=strength, fit_intercept=False, tol=1e-10, max_iter=10_000)
    return model.fit(X, y).coef_[0]


def given_away(n_samples: int, strength: float = 1.0) -> pd.DataFrame:
    """Weights of a regularised fit without privacy, for either label of the first tumour.

    Parameters
    ----------
    n_samples : int
        The first so many records are used.
    strength : float, default 1
        Inverse factor of the penalty, scikit-learn's C.

    Returns
    -------
    DataFrame
        Columns ``label`` (of the first record) and the first three weights: ``first``, ``second``, ``third``.

    Examples
    --------
    >>> given_away(50)["label"].tolist()
    [False, True]
    """
    X, y = (part[:n_samples] for part in tumours())
    rows = []
    for label in (False, True):
        labels = y.copy()
        labels[0] = label
        rows.append((label, *_minimiser(X, labels, strength)[:3]))
    return pd.DataFrame(rows, columns=["label", "first", "second", "third"])


def _ridge_accuracy(learner: ExponentialRidge, data: tuple, seed: int) -> float:
    X, y, Z, v = data
    return float(((learner.fit(X, 2.0 * y - 1, rng=seed).predict(Z) > 0) == v).mean())


def _accuracy(learner: object, data: tuple, seed: int) -> float:
    X, y, Z, v = data
    return float(learner.fit(X, y, rng=seed).score(Z, v))


def breast_cancer(
    epsilons: Sequence[float], n_seeds: int, *, n_draws: int = 400, n_chains: int = 4
) -> pd.DataFrame:
    """Accuracy on held-out tumours, mean over splits.

    Parameters
    ----------
    epsilons : sequence of float
        Privacy parameters in nats.
    n_seeds : int
        Number of splits; 30 % are held out.
    n_draws, n_chains : int
        Of the chains; the squared loss is drawn without one.

    Returns
    -------
    DataFrame
        Columns ``learner``, ``epsilon`` (infinite without privacy), ``accuracy``, ``deviation`` (over
        splits), ``mixed`` (share of fits without a sign of trouble).

    Examples
    --------
    >>> breast_cancer([1.0], 1, n_draws=20).shape
    (5, 5)
    """
    X, y = tumours()
    test = round(TEST_SHARE * len(y))
    orders = [np.random.default_rng(seed).permutation(len(y)) for seed in range(n_seeds)]
    splits = [(X[o[test:]], y[o[test:]], X[o[:test]], y[o[:test]]) for o in orders]
    chain = {"n_draws": n_draws, "n_chains": n_chains, "classes": (False, True)}
    makers: dict[str, tuple[Callable, Callable]] = {
        "logistic": (lambda e: ExponentialLogisticRegression(e, **chain), _accuracy),
        "hinge": (lambda e: ExponentialLinearSVC(e, **chain), _accuracy),
        "squared": (lambda e: ExponentialRidge(e), _ridge_accuracy),
    }
    rows = []
    for name, (make, score) in makers.items():
        for epsilon in epsilons:
            learners = [make(epsilon) for _ in splits]
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", MixingWarning)
                found = [score(m, data, s) for s, (m, data) in enumerate(zip(learners, splits, strict=True))]
            mixed = np.mean([learner.diagnostics_.mixed for learner in learners])
            rows.append((name, epsilon, np.mean(found), np.std(found), float(mixed)))
    open_fit = [float(((Z @ _minimiser(A, b, 1.0) > 0) == v).mean()) for A, b, Z, v in splits]
    rows.append(("logistic regression, not private", np.inf, np.mean(open_fit), np.std(open_fit), 1.0))
    largest = [float((v == (2 * b.sum() > len(b))).mean()) for _, b, _, v in splits]
    rows.append(("majority label", np.inf, np.mean(largest), np.std(largest), 1.0))
    return pd.DataFrame(rows, columns=["learner", "epsilon", "accuracy", "deviation", "mixed"])


def one_fit(epsilon: float, *, seed: int) -> tuple[ExponentialLogisticRegression, float]:
    """One private fit to 70 % of the tumours, and its accuracy on the others.

    Examples
    --------
    >>> learner, accuracy = one_fit(1.0, seed=0)
    >>> print(learner.privacy_, 0 <= accuracy <= 1)
    1-differential privacy (replace-one) True
    """
    X, y = tumours()
    order = np.random.default_rng(seed).permutation(len(y))
    test = round(TEST_SHARE * len(y))
    learner = ExponentialLogisticRegression(epsilon, classes=(False, True))
    learner.fit(X[order[test:]], y[order[test:]], rng=seed)
    return learner, learner.score(X[order[:test]], y[order[:test]])
