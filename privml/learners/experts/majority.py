r"""Randomised weighted majority: the probabilities of all rounds, and draws from them.

In round t expert i is chosen with probability proportional to

.. math:: w^t_i = \exp\Bigl(-\eta \sum_{j < t} \ell^j_i\Bigr).

Losses that are fixed in advance decide all these probabilities, and the choices are independent.  So a run
of many rounds is one cumulative sum, one exponential per entry and one uniform number per round; all of it
is done in blocks of rounds, in memory that does not grow with their number.

The book's first form keeps weights and multiplies, ``w_i <- w_i exp(-eta loss_i)``; its second form
exponentiates the sum.  They are one law.  Other texts multiply by ``1 - eta loss_i``: that is the same rule
for other losses, :func:`multiplicative_losses`.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml.learners.experts.base import checked_eta, checked_losses, past_blocks, weight_blocks

GROUP = 32


def probability_blocks(
    losses: ArrayLike, eta: ArrayLike, *, lower: float = 0.0, upper: float = 1.0
) -> Iterator[tuple[slice, NDArray[np.float64]]]:
    """Choice probabilities of each round, in memory-bounded blocks of rounds.

    **Source.** DR11-alg-16, Algorithm 16.

    Parameters
    ----------
    losses : array_like of shape (n_rounds, n_experts)
        Loss of each expert in each round.  Any type of number; never copied as a whole.
    eta : float or array_like of shape (n_rounds,)
        Learning rate, positive; one number, or one per round.
    lower, upper : float, default 0 and 1
        The public interval that losses lie in.

    Yields
    ------
    block : slice
        The rounds.
    probabilities : ndarray of shape (n_rounds_in_block, n_experts)
        Rows sum to 1.  The array is used again for the next block.

    Examples
    --------
    >>> ((block, law),) = probability_blocks([[1, 0], [1, 0]], np.log(2))
    >>> block, law.round(4).tolist()
    (slice(0, 2, None), [[0.5, 0.5], [0.3333, 0.6667]])
    """
    losses = checked_losses(losses, lower=lower, upper=upper)
    rates = checked_eta(eta, len(losses))
    for block, weights in weight_blocks(losses, rates, max(abs(lower), abs(upper))):
        weights /= weights.sum(axis=1, keepdims=True)
        yield block, weights


def action_probabilities(
    losses: ArrayLike, eta: ArrayLike, *, lower: float = 0.0, upper: float = 1.0
) -> NDArray[np.float64]:
    """Choice probabilities of all rounds, as one array.

    **Returns.** ndarray of shape (n_rounds, n_experts): row t depends on the losses before t only.
    **Source.** DR11-alg-16, Algorithm 16.

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
    >>> action_probabilities([[1, 0], [0, 0], [0, 1]], np.log(3)).round(4).tolist()
    [[0.5, 0.5], [0.25, 0.75], [0.25, 0.75]]
    """
    losses = checked_losses(losses, lower=lower, upper=upper)
    law = np.empty(losses.shape)
    for block, probabilities in probability_blocks(losses, eta, lower=lower, upper=upper):
        law[block] = probabilities
    return law


def log_action_probabilities(losses: ArrayLike, eta: ArrayLike) -> NDArray[np.float64]:
    """Logarithms of the choice probabilities, exact also where the probabilities underflow.

    **Source.** DR11-alg-16, Algorithm 16.

    Parameters
    ----------
    losses : array_like of shape (n_rounds, n_experts)
        In [0, 1].
    eta : float or array_like of shape (n_rounds,)
        Learning rate, positive; one number, or one per round.

    Returns
    -------
    ndarray of shape (n_rounds, n_experts)

    Examples
    --------
    >>> log_action_probabilities([[1, 0], [1, 0]], 2000.0).round(4).tolist()
    [[-0.6931, -0.6931], [-2000.0, 0.0]]
    """
    losses = checked_losses(losses)
    exponents = np.empty(losses.shape)
    for block, past in past_blocks(losses, len(losses)):
        exponents[block] = past
    exponents *= -checked_eta(eta, len(losses))[:, None]
    exponents -= exponents.max(axis=1, keepdims=True)
    return exponents - np.log(np.exp(exponents).sum(axis=1, keepdims=True))


def drawn(weights: NDArray[np.float64], uniforms: NDArray[np.float64]) -> NDArray[np.intp]:
    """Index drawn from each row of weights by inversion: first its group of experts, then the expert.

    **Source.** The choice of DR11-alg-16.  Only the sums of groups are made for all experts, so a draw costs
    little more than reading the weights once.

    Parameters
    ----------
    weights : ndarray of shape (n_rounds, n_experts)
        Non-negative, a positive one in each row.
    uniforms : ndarray of shape (n_rounds, n_runs)
        In [0, 1).

    Returns
    -------
    ndarray of shape (n_rounds, n_runs)

    Examples
    --------
    >>> drawn(np.array([[1.0, 3.0]]), np.array([[0.2, 0.25, 0.9]])).tolist()
    [[0, 1, 1]]
    """
    n_rounds, n_experts = weights.shape
    starts = np.arange(0, n_experts, GROUP)
    sums = np.cumsum(np.add.reduceat(weights, starts, axis=1), axis=1)
    before = np.concatenate([np.zeros((n_rounds, 1)), sums[:, :-1]], axis=1)
    rows, within = np.arange(n_rounds), np.arange(min(GROUP, n_experts))
    chosen = np.empty(uniforms.shape, dtype=np.intp)
    for run, uniform in enumerate(uniforms.T):
        target = uniform * sums[:, -1]
        group = (sums[:, :-1] <= target[:, None]).sum(axis=1)
        columns = np.minimum(group[:, None] * GROUP + within, n_experts - 1)
        inside = np.cumsum(weights[rows[:, None], columns], axis=1)
        place = (inside <= (target - before[rows, group])[:, None]).sum(axis=1)
        chosen[:, run] = columns[rows, np.minimum(place, within.size - 1)]
    return chosen


def actions(
    losses: ArrayLike,
    eta: ArrayLike,
    n_runs: int | None = None,
    *,
    lower: float = 0.0,
    upper: float = 1.0,
    rng: np.random.Generator | int | None = None,
) -> NDArray[np.intp]:
    """Choices of one run, or of many independent runs, over losses that are fixed in advance.

    **Privacy.** Of one run: :func:`~privml.learners.experts.run_guarantee`, for loss sequences that differ in
    one round.
    **Source.** DR11-alg-15 and DR11-alg-16, Algorithms 15 and 16.

    Parameters
    ----------
    losses : array_like of shape (n_rounds, n_experts)
        Loss of each expert in each round.
    eta : float or array_like of shape (n_rounds,)
        Learning rate, positive; one number, or one per round.
    n_runs : int, optional
        Number of independent runs; None makes one, and drops the axis.
    lower, upper : float, default 0 and 1
        The public interval that losses lie in.

    Returns
    -------
    ndarray of shape (n_rounds,) or (n_runs, n_rounds)

    Examples
    --------
    >>> actions([[1, 0], [1, 0], [1, 0]], 5.0, 2, rng=0).tolist()
    [[1, 1, 1], [0, 1, 1]]
    """
    rng = np.random.default_rng(rng)
    losses = checked_losses(losses, lower=lower, upper=upper)
    rates = checked_eta(eta, len(losses))
    if n_runs is not None:
        check.positive_integer(n_runs=n_runs)
    chosen = np.empty((len(losses), n_runs or 1), dtype=np.intp)
    for block, weights in weight_blocks(losses, rates, max(abs(lower), abs(upper))):
        chosen[block] = drawn(weights, rng.random((len(weights), n_runs or 1)))
    return chosen[:, 0] if n_runs is None else chosen.T


def multiplicative_losses(losses: ArrayLike, eta: float) -> NDArray[np.float64]:
    r"""Losses for which the exponential rule is the rule that multiplies weights by 1 - eta loss.

    **Returns.** ndarray of shape (n_rounds, n_experts): ``-ln(1 - eta loss) / eta``, in ``[0, -ln(1 - eta) /
    eta]``: at least the losses given.
    **Privacy.** The interval of the losses is longer than 1, so at the same eta a round costs more: a range
    of ``-2 ln(1 - eta)`` in place of ``2 eta``.
    **Source.** DR11-alg-15 with the update of Arora, Hazan and Kale (2012), from whom its regret bound is
    taken.

    Parameters
    ----------
    losses : array_like of shape (n_rounds, n_experts)
        In [0, 1].

    Raises
    ------
    ValueError
        If eta lies outside of (0, 1).

    Examples
    --------
    >>> multiplicative_losses([[0.0, 0.5, 1.0]], 0.5).round(4).tolist()
    [[0.0, 0.5754, 1.3863]]
    """
    check.probability_open(eta=eta)
    return -np.log1p(-eta * checked_losses(losses).astype(float)) / eta
