"""Tumours as a stream of patients: one round a patient, decision stumps as experts, exact expected losses."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from privml.bounds.experts import best_eta
from privml.datasets import load_breast_cancer
from privml.hypotheses import DecisionStumps
from privml.learners.experts import expected_regret, private_eta


def tumour_losses(n_cuts: int, *, repeats: int = 1, seed: int) -> NDArray[np.bool_]:
    """Mistakes of decision stumps on the tumours, one patient a round, in a random order.

    Parameters
    ----------
    n_cuts : int
        Public cut points for each feature, equally spaced in its public range.
    repeats : int
        How many times as many patients: the records again, each time in a new order.
    seed : int
        Seed of the orders.

    Returns
    -------
    ndarray of shape (n_rounds, n_experts)

    Examples
    --------
    >>> tumour_losses(1, seed=0).shape
    (569, 60)
    """
    data = load_breast_cancer()
    stumps = DecisionStumps.on_grid(data.X.shape[1], 0.0, 1.0, n_cuts=n_cuts)
    mistakes = (stumps.predict(data.X) != data.y).T
    rng = np.random.default_rng(seed)
    return np.concatenate([mistakes[rng.permutation(len(mistakes))] for _ in range(repeats)])


def tumour_stream(
    epsilons: Sequence[float], delta: float, *, repeats: Sequence[int], n_cuts: int, seed: int
) -> pd.DataFrame:
    """Expected share of wrong labels on the stream against epsilon, with the best expert in hindsight.

    Parameters
    ----------
    epsilons : sequence of float
        Promises, with `delta`, for the whole sequence of choices.
    delta : float
        In (0, 1).
    repeats : sequence of int
        Lengths of the stream, in copies of the data set.
    n_cuts, seed : int
        As in `tumour_losses`.

    Returns
    -------
    DataFrame
        Columns ``T``, ``curve``, ``epsilon`` and ``mistakes``, a share of the rounds.

    Examples
    --------
    >>> tumour_stream([1.0], 1e-5, repeats=[1], n_cuts=1, seed=0)["mistakes"].round(2).tolist()
    [0.39, 0.48, 0.12, 0.08]
    """
    rows = []
    for times in repeats:
        losses = tumour_losses(n_cuts, repeats=times, seed=seed)
        n_rounds, n_experts = losses.shape
        best = float(losses.mean(axis=0).min())
        free = best + expected_regret(losses, best_eta(n_experts, n_rounds))
        for epsilon in epsilons:
            for curve, method in (("largest private rate", "oblivious"), ("printed rate", "dr11")):
                eta = private_eta(epsilon, delta, n_rounds, method=method)
                rows.append((n_rounds, curve, epsilon, best + expected_regret(losses, eta)))
            rows += [(n_rounds, "no privacy", epsilon, free), (n_rounds, "best stump", epsilon, best)]
    order = ["largest private rate", "printed rate", "no privacy", "best stump"]
    table = pd.DataFrame(rows, columns=["T", "curve", "epsilon", "mistakes"])
    return table.sort_values(
        ["T", "curve"], key=lambda c: c.map(order.index) if c.name == "curve" else c, kind="stable"
    )
