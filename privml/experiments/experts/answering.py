"""A table on adversaries that answer to the choices, which the optimum for fixed losses does not cover."""

from collections.abc import Sequence
from itertools import product
from math import exp, expm1, inf, log

import numpy as np
import pandas as pd

from privml.composition import nonadaptive_range_delta
from privml.experiments.experts.base import opposite_losses
from privml.guarantee.approximate import concentrated_delta
from privml.learners.experts import concentrated_run, run_curves


def answering_adversary(eta: float, rounds: Sequence[int], epsilons: Sequence[float]) -> pd.DataFrame:
    """Largest delta when later losses answer to the choices, beside the optimum for fixed losses.

    Two experts; the first round is (0, 1) against (1, 0), and each later loss vector is one of (0, 0),
    (0, 1), (1, 0), the same on both sides, chosen in the light of all choices before.

    Parameters
    ----------
    eta : float
        Learning rate.
    rounds : sequence of int
        Numbers of rounds, small.
    epsilons : sequence of float
        Totals in nats.

    Returns
    -------
    DataFrame
        Columns ``T``, ``epsilon``, ``fixed`` (the best sequence of this kind), ``answering``, ``optimum``
        (every fixed sequence, every k) and ``concentrated``.

    Examples
    --------
    >>> answering_adversary(1.0, [3], [0.5]).round(4).iloc[0, 2:].tolist()
    [0.4222, 0.4222, 0.4367, 0.6026]
    """
    rows = []
    for n_rounds, epsilon in product(rounds, epsilons):
        answering = _answer(eta, n_rounds, epsilon, 0.0, 0.0, 2)
        first, second = (losses.astype(float) for losses in opposite_losses(n_rounds))
        fixed = 0.0
        for later in product(((0, 0), (0, 1), (1, 0)), repeat=n_rounds - 2):
            first[1:-1] = second[1:-1] = np.reshape(later, (-1, 2))
            fixed = max(fixed, float(run_curves(first, second, eta).forth.delta(epsilon)))
        optimum = nonadaptive_range_delta(2 * eta, n_rounds - 1, epsilon)
        concentrated = concentrated_delta(concentrated_run(eta, n_rounds).rho, epsilon)
        rows.append((n_rounds, epsilon, fixed, answering, optimum, concentrated))
    columns = ["T", "epsilon", "fixed", "answering", "optimum", "concentrated"]
    return pd.DataFrame(rows, columns=columns)


def _answer(eta: float, n_rounds: int, epsilon: float, lead: float, loss: float, t: int) -> float:
    """Largest mean of (1 - e^(epsilon - loss))_+ from round t on; `lead` is what later losses added."""
    if t > n_rounds:
        return max(0.0, -expm1(epsilon - loss))
    p, q = (1 / (1 + exp(-eta * (lead + sign))) for sign in (1, -1))
    best = -inf
    for move in (0, 1, -1) if t < n_rounds else (0,):
        # The loss of round t may depend on the choices before t; it moves the odds of round t + 1.
        first = _answer(eta, n_rounds, epsilon, lead + move, loss + log(p / q), t + 1)
        other = _answer(eta, n_rounds, epsilon, lead + move, loss + log((1 - p) / (1 - q)), t + 1)
        best = max(best, p * first + (1 - p) * other)
    return best
