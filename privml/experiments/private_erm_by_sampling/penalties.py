"""Tables on what a draw is worth and what the penalty costs: tails, and penalties that look at the data."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from privml import audit
from privml.bounds.sublevel import measure_ratio_tail
from privml.distributions import Categorical
from privml.experiments.private_erm_by_sampling.laws import divided_opinion, line_records
from privml.learners.penalised_erm import ExponentialERM, LogisticLoss, penalised_law


def _left_out(counts: NDArray, losses: NDArray, penalties: NDArray) -> float:
    """Sum of the losses of every record for the minimiser of the risk of the others."""
    total = 0.0
    for kind in np.flatnonzero(counts):
        others = counts - np.eye(len(counts), dtype=int)[kind]
        best = int(np.argmin(others @ losses / max(1, others.sum()) + penalties))
        total += counts[kind] * losses[kind, best]
    return total


def penalty_audits(
    penalties: Sequence[float], epsilon: float, radius: float, n_samples: int, n_points: int = 9
) -> pd.DataFrame:
    """Exact privacy parameter with fixed penalties, and with the one that leave-one-out prefers on the data.

    Parameters
    ----------
    penalties : sequence of float
        Factors of half the squared norm.
    epsilon : float
        The claim, in nats.
    radius : float
        The grid reaches from -radius to radius.
    n_samples : int
        Number of records; each is one of `line_records`, with the logistic loss.
    n_points : int, default 9
        Points of the grid.

    Returns
    -------
    DataFrame
        Columns ``penalty`` (a number, or "chosen on the data"), ``exact_epsilon``.

    Examples
    --------
    >>> penalty_audits([0.0, 1.0], 1.0, 2.0, 3).round(3)["exact_epsilon"].tolist()
    [0.592, 0.556, 1.522]
    """
    h, loss = np.linspace(-radius, radius, n_points), LogisticLoss()
    X, y = line_records(radius)
    losses = loss.value(X * h, y[:, None])

    def law(kinds: NDArray, chosen: float | None) -> Categorical:
        counts = np.bincount(kinds, minlength=len(X))
        if chosen is None:
            scores = [_left_out(counts, losses, 0.5 * p * h**2) for p in penalties]
            chosen = penalties[int(np.argmin(scores))]
        means = counts @ losses / len(kinds)
        extra = 0.5 * chosen * h**2
        return penalised_law(means, len(kinds), epsilon, penalties=extra, loss_range=loss.oscillation(radius))

    rows = []
    for chosen in [*penalties, None]:
        found = audit.exact(lambda kinds, chosen=chosen: law(kinds, chosen), np.arange(len(X)), n_samples)
        rows.append(("chosen on the data" if chosen is None else f"{chosen:g}", found.epsilon))
    return pd.DataFrame(rows, columns=["penalty", "exact_epsilon"])


def tails(sizes: Sequence[int], heights: Sequence[float], epsilon: float, radius: float) -> pd.DataFrame:
    """Probability that the draw is far above the least risk, by quadrature, and the bound on it.

    Parameters
    ----------
    sizes : sequence of int
        Numbers of records, as in `densities`.
    heights : sequence of float
        Values of t; the event is an excess risk above 2 t.
    epsilon : float
        Privacy parameter in nats.
    radius : float
        Of the interval.

    Returns
    -------
    DataFrame
        Columns ``n_samples``, ``t``, ``log_ratio`` (logarithm of the volume over that of the sublevel set),
        ``exact``, ``bound``.

    Examples
    --------
    >>> tails([40], [0.1], 1.0, 2.0).round(3).to_numpy().tolist()
    [[40.0, 0.1, 0.762, 0.023, 0.788]]
    """
    rows = []
    for n in sizes:
        risk = divided_opinion(n, radius)
        exact = ExponentialERM(risk, epsilon).quadrature(800)
        values = risk.value(exact.H)
        excess = values - values.min()
        for t in heights:
            log_ratio = -np.log(np.exp(exact.log_weights[excess <= t]).sum() / (2 * radius))
            bound = measure_ratio_tail(log_ratio, t, epsilon, sensitivity=risk.sensitivity())
            rows.append((n, t, log_ratio, exact.probabilities[excess > 2 * t].sum(), bound))
    return pd.DataFrame(rows, columns=["n_samples", "t", "log_ratio", "exact", "bound"])
