"""Tables on SQ learners: the worst that an adversary within a tolerance can make of them."""

from collections.abc import Sequence
from itertools import product

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from privml.learners.statistical_queries import ConjunctionSQLearner

DIMENSION = 4
N_POINTS = 8


def _directions(n_queries: int) -> NDArray[np.float64]:
    """All ways to be off by the whole tolerance, up or down, one row each."""
    return np.array(list(product([-1.0, 1.0], repeat=n_queries)))


def _conjunction_worst(tolerance: float, laws: NDArray) -> float:
    """Largest error of the monotone learner over laws of instances, targets and adversaries.

    The instances are those with exactly one false feature, and one without any.
    """
    learner = ConjunctionSQLearner(DIMENSION, tolerance * (1 + 1e-9), monotone=True)
    X = np.vstack([~np.eye(DIMENSION, dtype=bool), np.ones(DIMENSION, dtype=bool)])
    predictions = learner.hypotheses.predict(X)
    worst = 0.0
    for y in predictions:
        truths = laws[:, :DIMENSION] * y[:DIMENSION]
        answers = truths[:, None] + tolerance * _directions(DIMENSION)
        chosen = learner.chosen(answers.reshape(-1, DIMENSION)).reshape(answers.shape[:2])
        errors = laws @ (predictions != y).T
        worst = max(worst, float(np.take_along_axis(errors, chosen, axis=1).max()))
    return worst


def _stump_worst(tolerance: float, laws: NDArray) -> float:
    """Largest excess error over laws of labelled points: four stumps and their negations on a line."""
    points = np.arange(N_POINTS // 2).repeat(2)
    labels = np.tile([False, True], N_POINTS // 2)
    agrees = (points >= np.arange(N_POINTS // 2)[:, None]) == labels
    truths = laws @ agrees.T
    errors = np.concatenate([1 - truths, truths], axis=1)
    answers = truths[:, None] + tolerance * _directions(truths.shape[1])
    chosen = np.concatenate([answers, 1 - answers], axis=2).argmax(axis=2)
    excess = np.take_along_axis(errors, chosen, axis=1) - errors.min(axis=1, keepdims=True)
    return float(excess.max())


def worst_errors(tolerances: Sequence[float], n_populations: int, seed: int) -> pd.DataFrame:
    """What SQ learners promise, and the worst found over random populations and all patterns of errors.

    Parameters
    ----------
    tolerances : sequence of float
        Tolerances of the oracle, positive.
    n_populations : int
        Number of random populations; for conjunctions one that attains the promise is added.
    seed : int
        Seed of the populations.

    Returns
    -------
    DataFrame
        Columns ``tolerance``, ``curve``, ``error``.

    Examples
    --------
    >>> worst_errors([0.05], 20, seed=0).round(3)["error"].tolist()
    [0.4, 0.4, 0.1, 0.094]
    """
    rng = np.random.default_rng(seed)
    instances = rng.dirichlet(np.full(DIMENSION + 1, 0.5), size=n_populations)
    labelled = rng.dirichlet(np.full(N_POINTS, 0.5), size=n_populations)
    rows = []
    for tau in tolerances:
        hard = np.append(np.full(DIMENSION, 2 * tau), 1 - 2 * tau * DIMENSION)
        laws = np.vstack([instances, hard])
        rows += [
            (
                tau,
                "conjunctions, promised",
                ConjunctionSQLearner(DIMENSION, tau, monotone=True).accuracy(tau),
            ),
            (tau, "conjunctions, worst found", _conjunction_worst(tau, laws)),
            (tau, "stumps, promised", 2 * tau),
            (tau, "stumps, worst found", _stump_worst(tau, labelled)),
        ]
    return pd.DataFrame(rows, columns=["tolerance", "curve", "error"])
