"""Proved and measured excess risk of the learners that have a theorem."""

from collections.abc import Sequence
from math import sqrt

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from privml._search import crossing
from privml.learners import NoisyGradientDescent, ObjectivePerturbation, OutputPerturbation
from privml.learners.perturbation import CutLogisticLoss, tilt_budget, tilt_mean_square
from privml.learners.perturbation.base import PerturbedClassifier, minimiser
from privml.results.private_erm_norms import World, sample


def best_in_ball(rows: NDArray, loss: CutLogisticLoss, norm: float) -> NDArray[np.float64]:
    """Weights of length at most `norm` with the least empirical risk, up to the search for the penalty.

    Examples
    --------
    >>> best_in_ball(np.array([[1.0], [1.0]]), CutLogisticLoss(), 3.0).round(6).tolist()
    [3.0]
    """

    def excess(total: float) -> float:
        return float(np.linalg.norm(minimiser(rows, loss, total))) - norm

    if excess(1e-6) <= 0:
        return minimiser(rows, loss, 1e-6)
    found = minimiser(rows, loss, crossing(excess, lower=1e-6, upper=len(rows) / norm))
    return found * (norm / np.linalg.norm(found))


def proved(model: PerturbedClassifier, n: int, d: int) -> float:
    """The theorem's bound on the expected excess risk, for a fitted model with slope 1/2.

    Examples
    --------
    >>> X = np.array([[1.0], [-1.0]] * 50)
    >>> model = OutputPerturbation(1.0).fit(X, X[:, 0] > 0, rng=0)
    >>> proved(model, 100, 1) == 0.75 * model.strength_ * 100
    True
    """
    if isinstance(model, OutputPerturbation):
        return 0.75 * model.strength_ * model.norm**2
    if isinstance(model, ObjectivePerturbation):
        total = n * model.strength_
        left = tilt_budget(model.epsilon, total).epsilon
        V = tilt_mean_square(d, left, model.delta)
        return (total * model.norm**2 / 2 + V / (2 * total)) / n
    return model.norm * sqrt(2 * d) / (n * sqrt(2 * model.concentrated_.rho))


def proved_and_measured(
    epsilons: Sequence[float],
    norm: float,
    n_draws: int,
    *,
    n_samples: int = 1000,
    dimension: int = 10,
    seed: int,
) -> pd.DataFrame:
    """Proved and mean measured excess risk over the best weights of the given length.

    Parameters
    ----------
    epsilons : sequence of float
        Privacy parameters; delta is 1e-5 for descent and the second kind of objective perturbation.
    norm : float
        Length of the weights to compete with.
    n_draws : int
        Fits for each point.
    n_samples, dimension : int
        Size of one synthetic sample.
    seed : int
        Seed.

    Returns
    -------
    DataFrame
        Columns ``method``, ``epsilon``, ``proved``, ``measured``.

    Examples
    --------
    >>> proved_and_measured([1.0], 5.0, 1, n_samples=50, dimension=2, seed=0).shape
    (4, 4)
    """
    stream = np.random.default_rng(seed)
    X, y, _, _ = sample(World(0.5, 0.0, 0.5, 0.35), n_samples, dimension, 0, rng=stream)
    rows, loss = X * np.where(y, 1.0, -1.0)[:, None], CutLogisticLoss()
    least = loss.value(rows @ best_in_ball(rows, loss, norm)).mean()
    models = {
        "output perturbation, δ = 0": OutputPerturbation,
        "objective perturbation, δ = 0": ObjectivePerturbation,
        "objective perturbation, Gaussian": lambda e, **k: ObjectivePerturbation(e, 1e-5, **k),
        "noisy gradient descent": lambda e, **k: NoisyGradientDescent(e, averaged=1.0, **k),
    }
    found = []
    for name, kind in models.items():
        for epsilon in epsilons:
            model = kind(epsilon, norm=norm)
            fits = [model.fit(X, y, rng=1000 + draw).coef_[0] for draw in range(n_draws)]
            excess = np.mean([loss.value(rows @ weights).mean() for weights in fits]) - least
            found.append((name, epsilon, proved(model, n_samples, dimension), float(excess)))
    return pd.DataFrame(found, columns=["method", "epsilon", "proved", "measured"])
