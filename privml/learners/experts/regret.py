"""Regret: of given actions, exactly in expectation, and as a law.

For losses fixed in advance the expected loss of a round is the mean of its losses under the choice
probabilities.  So the expected regret is a number to be computed, not estimated: no run is drawn.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml.learners.experts.base import (
    BLOCK,
    LARGEST_EXPONENT,
    checked_losses,
    convolved,
    past_blocks,
)
from privml.learners.experts.majority import action_probabilities, probability_blocks


class AverageLosses(NamedTuple):
    """Average loss of each expert, shape (n_experts,), and of the learner, one number per run."""

    experts: NDArray[np.float64]
    learner: NDArray[np.float64] | float


def average_losses(losses: ArrayLike, actions: ArrayLike) -> AverageLosses:
    """Average losses of all experts and of the learner that took given actions.

    **Source.** DR11-def-average-loss.

    Parameters
    ----------
    losses : array_like of shape (n_rounds, n_experts)
        In [0, 1].
    actions : array_like of shape (n_rounds,) or (n_runs, n_rounds)
        Index of the expert chosen in each round.

    Returns
    -------
    AverageLosses

    Examples
    --------
    >>> found = average_losses([[0, 1], [0, 1]], [0, 1])
    >>> found.experts.tolist(), found.learner
    ([0.0, 1.0], 0.5)
    """
    losses, actions = checked_losses(losses), np.asarray(actions)
    if actions.dtype.kind not in "iu" or actions.ndim not in (1, 2) or actions.shape[-1] != len(losses):
        rule = f"indices of experts, one per round ({len(losses)})"
        raise ValueError(f"actions must be {rule}, got {actions.dtype} of shape {actions.shape}")
    if actions.min() < 0 or actions.max() >= losses.shape[1]:
        raise ValueError(f"actions must be below n_experts = {losses.shape[1]}, got {int(actions.max())!r}")
    suffered = losses[np.arange(len(losses)), actions].mean(axis=-1, dtype=float)
    learner = float(suffered) if actions.ndim == 1 else suffered
    return AverageLosses(losses.mean(axis=0, dtype=float), learner)


def regret(losses: ArrayLike, actions: ArrayLike) -> float | NDArray[np.float64]:
    """Average loss of the learner less that of the best expert in hindsight.

    **Returns.** Float or ndarray of shape (n_runs,): between -1 and 1: a run may do better than every single
    expert.
    **Source.** DR11-def-regret.

    Parameters
    ----------
    losses : array_like of shape (n_rounds, n_experts)
        In [0, 1].
    actions : array_like of shape (n_rounds,) or (n_runs, n_rounds)
        Index of the expert chosen in each round.

    Examples
    --------
    >>> regret([[0, 1], [1, 0]], [[0, 1], [1, 0], [0, 0]]).tolist()
    [-0.5, 0.5, 0.0]
    """
    average = average_losses(losses, actions)
    return average.learner - average.experts.min()


def expected_regret(losses: ArrayLike, eta: ArrayLike, *, lower: float = 0.0, upper: float = 1.0) -> float:
    """Expected regret of randomised weighted majority on losses fixed in advance, exactly.

    **Accuracy.** At most :func:`~privml.bounds.experts.regret_bound`.
    **Source.** DR11-def-regret and DR11-thm-11.1.

    Parameters
    ----------
    losses : array_like of shape (n_rounds, n_experts)
        Loss of each expert in each round.
    eta : float or array_like of shape (n_rounds,)
        Learning rate, positive; one number, or one per round.
    lower, upper : float, default 0 and 1
        The public interval that losses lie in.

    Examples
    --------
    >>> round(expected_regret([[1, 0], [1, 0], [1, 0]], np.log(2)), 6)
    0.344444
    """
    losses = checked_losses(losses, lower=lower, upper=upper)
    total = 0.0
    for block, law in probability_blocks(losses, eta, lower=lower, upper=upper):
        total += float(np.einsum("ti,ti->", law, losses[block]))
    return (total - float(losses.sum(axis=0, dtype=float).min())) / len(losses)


def expected_regrets(
    losses: ArrayLike, etas: ArrayLike, *, lower: float = 0.0, upper: float = 1.0
) -> NDArray[np.float64]:
    """Expected regret on one loss sequence at each of many learning rates.

    Past losses are summed once for all rates.

    **Source.** DR11-def-regret and DR11-thm-11.1.

    Parameters
    ----------
    losses : array_like of shape (n_rounds, n_experts)
        Loss of each expert in each round.
    etas : array_like of shape (n_etas,)
        Learning rates, positive; each is used for a whole run.
    lower, upper : float, default 0 and 1
        The public interval that losses lie in.

    Returns
    -------
    ndarray of shape (n_etas,)

    Examples
    --------
    >>> expected_regrets([[1, 0], [1, 0], [1, 0]], np.log([2, 4])).round(6).tolist()
    [0.344444, 0.252941]
    """
    losses = checked_losses(losses, lower=lower, upper=upper)
    etas = check.finite_vector(etas=etas)
    if not (etas > 0).all():
        raise ValueError(f"etas must be positive, got {etas.min()!r}")
    magnitude = max(abs(lower), abs(upper))
    rows = int(
        max(1, min(BLOCK // losses.shape[1], LARGEST_EXPONENT / (etas.max() * magnitude), len(losses)))
    )
    totals, buffer = np.zeros(etas.size), np.empty((rows, losses.shape[1]))
    for block, past in past_blocks(losses, rows):
        here = losses[block].astype(float)
        for index, eta in enumerate(etas):
            weights = np.multiply(past, -eta, out=buffer[: len(past)])
            np.exp(weights, out=weights)
            suffered = np.einsum("ti,ti->t", weights, here)
            totals[index] += (suffered / weights.sum(axis=1)).sum()
    return (totals - losses.sum(axis=0, dtype=float).min()) / len(losses)


def total_loss_law(losses: ArrayLike, eta: ArrayLike) -> NDArray[np.float64]:
    """Exact law of the learner's total loss, for losses of 0 and 1 fixed in advance.

    **Returns.** ndarray of shape (n_rounds + 1,): probability of each total: the rounds are independent, so
    it is a Poisson-binomial law. Probabilities below 1e-150 are given as 0.
    **Source.** What DR11-thm-11.4 bounds the tail of.

    Parameters
    ----------
    losses : array_like of shape (n_rounds, n_experts)
        Of 0 and 1 only.
    eta : float or array_like of shape (n_rounds,)
        Learning rate, positive; one number, or one per round.

    Examples
    --------
    >>> total_loss_law([[1, 0], [1, 0]], np.log(3)).round(4).tolist()
    [0.375, 0.5, 0.125]
    """
    losses = checked_losses(losses)
    if not ((losses == 0) | (losses == 1)).all():
        raise ValueError("losses must be 0 or 1 for the total to be a whole number, got others")
    suffered = np.einsum("ti,ti->t", action_probabilities(losses, eta), losses.astype(float))
    suffered = np.clip(suffered, 0.0, 1.0)
    total = convolved(np.stack([1 - suffered, suffered], axis=1))
    law = np.zeros(len(losses) + 1)
    law[total.start : total.start + total.masses.size] = total.masses
    return law
