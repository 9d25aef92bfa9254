r"""Loss sequences that make it hard: random ones, ones that punish the leader, and the worst there is.

The worst sequence of zeros and ones is found exactly.  For few rounds all sequences are gone through.  For
two experts dynamic programming goes much further: the choice probabilities depend on the difference d of
the past losses only, and adding the same loss to both experts changes no regret, so

.. math:: V_T(d) = |d| / 2, \qquad V_t(d) = \max\bigl\{V_{t+1}(d),\
          p(d) - \tfrac12 + V_{t+1}(d + 1),\ \tfrac12 - p(d) + V_{t+1}(d - 1)\bigr\}

with ``p(d) = 1 / (1 + e^(eta d))``, and the largest expected regret is ``V_0(0) / T``.
"""

from math import log
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml.adjacency import LARGEST_ENUMERATION, sequences
from privml.learners.experts.base import checked_eta

LARGEST_SEARCH = 5_000


class WorstLosses(NamedTuple):
    """A loss sequence with the largest expected regret of its kind, and that regret."""

    losses: NDArray[np.float64]
    regret: float


def random_losses(
    n_rounds: int, n_experts: int, *, gap: float = 0.0, rng: np.random.Generator | int | None = None
) -> NDArray[np.bool_]:
    """Independent losses of 0 and 1: fair coins, but for a better first expert.

    Without a gap nobody can predict anything: every learner has expected loss 1 / 2, and the best expert is
    better by luck, so that the regret is about ``sqrt(ln(k) / (2 T))``.

    **Returns.** ndarray of shape (n_rounds, n_experts): booleans, one byte each.
    **Source.** For DR11-thm-11.1 and DR11-rem-rounds; Cesa-Bianchi and Lugosi (2006), Theorem 3.7.

    Parameters
    ----------
    gap : float, default 0
        How much smaller the first expert's mean loss is, in [0, 1 / 2].

    Examples
    --------
    >>> random_losses(3, 2, rng=0).astype(int).tolist()
    [[0, 1], [1, 1], [0, 0]]
    """
    check.positive_integer(n_rounds=n_rounds, n_experts=n_experts)
    check.non_negative(gap=gap)
    if gap > 0.5:
        raise ValueError(f"gap must be at most 1 / 2, got {gap!r}")
    rng = np.random.default_rng(rng)
    losses = np.empty((n_rounds, n_experts), dtype=bool)
    means = np.full(n_experts, 0.5)
    means[0] -= gap
    for row in losses:
        np.less(rng.random(n_experts), means, out=row)
    return losses


def rotating_losses(n_rounds: int, n_experts: int) -> NDArray[np.bool_]:
    """Losses that always punish the leader: experts 0, 1, 2, ... suffer in turn.

    Whoever follows the expert with the smallest past loss (the first one in a tie) suffers in every round,
    while the best expert suffers in one round of n_experts: a regret near 1 for a learner without coins.  The
    expert that suffers is also the most probable one of randomised weighted majority, at any rate.

    **Returns.** ndarray of shape (n_rounds, n_experts): booleans, one byte each.
    **Source.** Why the learner of DR11-def-online needs coins; for DR11-thm-11.1.

    >>> rotating_losses(4, 3).astype(int).tolist()
    [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 0, 0]]
    """
    check.positive_integer(n_rounds=n_rounds, n_experts=n_experts)
    return np.arange(n_experts) == (np.arange(n_rounds) % n_experts)[:, None]


def worst_losses(n_rounds: int, n_experts: int, eta: ArrayLike, *, values: ArrayLike = (0, 1)) -> WorstLosses:
    """The loss sequence with the largest expected regret, by going through all of them.

    **Source.** The left side of DR11-thm-11.1, exactly.

    Parameters
    ----------
    eta : float or array_like of shape (n_rounds,)
        Learning rate, positive; one number, or one per round.
    values : array_like of shape (n_values,)
        The losses allowed, finite.

    Returns
    -------
    WorstLosses

    Examples
    --------
    >>> round(worst_losses(5, 2, 0.5).regret, 4)
    0.2896
    """
    check.positive_integer(n_rounds=n_rounds, n_experts=n_experts)
    values = check.finite_vector(values=values)
    if n_rounds * n_experts * log(values.size) > log(LARGEST_ENUMERATION):
        rule = f"such that there are at most {LARGEST_ENUMERATION} loss sequences"
        raise ValueError(f"n_rounds and n_experts must be {rule}, got {n_rounds!r} and {n_experts!r}")
    rates = checked_eta(eta, n_rounds)
    vectors = values[sequences(values.size, n_experts)]
    losses = vectors[sequences(len(vectors), n_rounds)]
    past = np.cumsum(losses, axis=1) - losses
    exponents = -rates[:, None] * past
    weights = np.exp(exponents - exponents.max(axis=2, keepdims=True))
    suffered = (weights * losses).sum(axis=2) / weights.sum(axis=2)
    regrets = (suffered.sum(axis=1) - losses.sum(axis=1).min(axis=1)) / n_rounds
    worst = int(np.argmax(regrets))
    return WorstLosses(losses[worst].copy(), float(regrets[worst]))


def worst_losses_of_two(n_rounds: int, eta: ArrayLike) -> WorstLosses:
    """The sequence of zeros and ones with the largest expected regret for two experts, for many rounds.

    **Source.** The left side of DR11-thm-11.1, exactly, by dynamic programming.

    Parameters
    ----------
    eta : float or array_like of shape (n_rounds,)
        Learning rate, positive; one number, or one per round.

    Returns
    -------
    WorstLosses

    Examples
    --------
    >>> worst = worst_losses_of_two(5, 0.5)
    >>> round(worst.regret, 4), worst.losses.astype(int).tolist()
    (0.2896, [[1, 0], [1, 0], [1, 0], [1, 0], [1, 0]])
    """
    check.positive_integer(n_rounds=n_rounds)
    if n_rounds > LARGEST_SEARCH:
        raise ValueError(f"n_rounds must be at most {LARGEST_SEARCH}, got {n_rounds!r}")
    rates = checked_eta(eta, n_rounds)
    difference = np.arange(-n_rounds, n_rounds + 1)
    value = np.abs(difference) / 2
    choices = np.empty((n_rounds, difference.size), dtype=np.int8)
    for t in range(n_rounds - 1, -1, -1):
        first = (1 - np.tanh(rates[t] * difference / 2)) / 2
        up, down = np.append(value[1:], -np.inf), np.append(-np.inf, value[:-1])
        options = np.array([value, first - 0.5 + up, 0.5 - first + down])
        choices[t], value = options.argmax(axis=0), options.max(axis=0)
    losses, place = np.zeros((n_rounds, 2)), n_rounds
    for t in range(n_rounds):
        choice = choices[t, place]
        losses[t] = (choice == 1, choice == 2)
        place += (0, 1, -1)[choice]
    return WorstLosses(losses, float(value[n_rounds]) / n_rounds)
