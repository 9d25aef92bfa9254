r"""Randomised weighted majority: the probabilities of all rounds, draws from them, and games round by round.

In round t expert i is chosen with probability proportional to

.. math:: w^t_i = \exp\Bigl(-\eta \sum_{j < t} \ell^j_i\Bigr).

Losses that are fixed in advance decide all these probabilities, and the choices are independent.  So a run
is one cumulative sum, one exponential per entry and one uniform number per round; all of it is done in blocks
of rounds, in memory that does not grow with their number.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml._records import numeric
from privml.distributions import Categorical
from privml.learners.experts.base import (
    checked_eta,
    checked_losses,
    drawn,
    past_blocks,
    weight_blocks,
)


def action_probabilities(
    losses: ArrayLike, eta: ArrayLike, *, lower: float = 0.0, upper: float = 1.0
) -> NDArray[np.float64]:
    """Choice probabilities of all rounds.

    Parameters
    ----------
    losses : array_like
        Losses of shape (n_rounds, n_experts), fixed in advance, moved into [lower, upper].
    eta : float or array_like
        Learning rate, positive, of all rounds or one for each.
    lower, upper : float
        Public ends of the interval of the losses, finite, `lower` below `upper`.

    Returns
    -------
    ndarray
        Of shape (n_rounds, n_experts): row t depends on the losses before t only.

    References
    ----------
    DR11-alg-16.

    Examples
    --------
    >>> action_probabilities([[1, 0], [0, 0], [0, 1]], np.log(3)).round(4).tolist()
    [[0.5, 0.5], [0.25, 0.75], [0.25, 0.75]]
    """
    losses = checked_losses(losses, lower=lower, upper=upper)
    distribution = np.empty(losses.shape)
    for block, weights in weight_blocks(
        losses, checked_eta(eta, len(losses)), max(abs(lower), abs(upper))
    ):
        distribution[block] = weights / weights.sum(axis=1, keepdims=True)
    return distribution


def log_action_probabilities(
    losses: ArrayLike, eta: ArrayLike, *, lower: float = 0.0, upper: float = 1.0
) -> NDArray[np.float64]:
    """Logarithms of the choice probabilities, exact also where the probabilities underflow.

    Parameters
    ----------
    losses : array_like
        Losses of shape (n_rounds, n_experts), fixed in advance, moved into [lower, upper].
    eta : float or array_like
        Learning rate, positive, of all rounds or one for each.
    lower, upper : float
        Public ends of the interval of the losses, finite, `lower` below `upper`.

    Returns
    -------
    ndarray
        Of shape (n_rounds, n_experts): log-probabilities.

    References
    ----------
    DR11-alg-16.

    Examples
    --------
    >>> log_action_probabilities([[1, 0], [1, 0]], 2000.0).round(4).tolist()
    [[-0.6931, -0.6931], [-2000.0, 0.0]]
    """
    losses = checked_losses(losses, lower=lower, upper=upper)
    [(_, past)] = past_blocks(losses, len(losses))
    exponents = past * -checked_eta(eta, len(losses))[:, None]
    exponents -= exponents.max(axis=1, keepdims=True)
    return exponents - np.log(np.exp(exponents).sum(axis=1, keepdims=True))


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

    Parameters
    ----------
    losses : array_like
        Losses of shape (n_rounds, n_experts), fixed in advance, moved into [lower, upper].
    eta : float or array_like
        Learning rate, positive, of all rounds or one for each.
    n_runs : int, optional
        Number of independent runs, a positive integer; None is one.
    lower, upper : float
        Public ends of the interval of the losses, finite, `lower` below `upper`.
    rng : int or Generator, optional
        Generator for all calls, or None: fresh entropy.  A seed gives noise away; used twice, the data.

    Returns
    -------
    ndarray
        Of shape (n_rounds,) or (n_runs, n_rounds): indices of experts.

    Notes
    -----
    *Privacy.* The guarantee is that of one run, by :func:`~privml.learners.experts.run_guarantee`;
    :func:`~privml.learners.experts.private_actions` gives both.

    References
    ----------
    DR11-alg-15 and DR11-alg-16.

    Examples
    --------
    >>> actions([[1, 0], [1, 0], [1, 0]], 5.0, 2, rng=0).tolist()
    [[1, 1, 1], [0, 1, 1]]
    """
    rng, losses = (
        np.random.default_rng(rng),
        checked_losses(losses, lower=lower, upper=upper),
    )
    rates = checked_eta(eta, len(losses))
    if n_runs is not None:
        check.positive_integer(n_runs=n_runs)
    chosen = np.empty((len(losses), n_runs or 1), dtype=np.intp)
    for block, weights in weight_blocks(losses, rates, max(abs(lower), abs(upper))):
        chosen[block] = drawn(weights, rng.random((len(weights), n_runs or 1)))
    return chosen[:, 0] if n_runs is None else chosen.T


class RandomizedWeightedMajority:
    """Randomised weighted majority, one round at a time: weights that each loss multiplies.

    Parameters
    ----------
    n_experts : int
        Number of experts, a positive integer.
    eta : float
        Learning rate, positive.
    lower, upper : float
        Public ends of the interval of the losses, finite, `lower` below `upper`.

    Notes
    -----
    *Privacy.* The guarantee is about T rounds: :func:`~privml.learners.experts.run_guarantee`, adaptive, with ``loss_range =
    upper - lower``: a loss outside of [lower, upper] counts as the end, and NaN as `lower`.

    References
    ----------
    DR11-alg-15.

    Examples
    --------
    >>> learner = RandomizedWeightedMajority(2, np.log(3) / 5, upper=5)
    >>> learner.update([5, 0])
    >>> learner.output_distribution().pmf().round(4).tolist()
    [0.25, 0.75]
    """

    def __init__(
        self, n_experts: int, eta: float, *, lower: float = 0.0, upper: float = 1.0
    ) -> None:
        check.positive_integer(n_experts=n_experts)
        check.positive(eta=eta)
        checked_losses(np.zeros((1, n_experts)), lower=lower, upper=upper)
        self.n_experts, self.eta, self.lower, self.upper = n_experts, eta, lower, upper
        self._log_weights = np.zeros(n_experts)

    def output_distribution(self) -> Categorical:
        """Law of the next choice."""
        return Categorical(self._log_weights)

    def update(self, loss: ArrayLike) -> None:
        """See the `loss` of all experts in the round just played, (n_experts,), moved into the interval."""
        loss = checked_losses(
            np.atleast_2d(numeric("loss", loss)), lower=self.lower, upper=self.upper
        )
        loss = loss[0].astype(float)
        if loss.size != self.n_experts:
            raise ValueError(
                f"loss must have one entry per expert ({self.n_experts}), but got {loss.size}."
            )
        self._log_weights = self._log_weights - self.eta * (loss - self.lower)


class Play(NamedTuple):
    """What happened in a game.

    Parameters
    ----------
    actions : ndarray
        Indices of the experts chosen, of shape (n_rounds,).
    losses, action_distributions : ndarray
        Losses of each round as they came, (n_rounds, n_experts), and law of the choice before it.
    """

    actions: NDArray[np.intp]
    losses: NDArray[np.float64]
    action_distributions: NDArray[np.float64]


def play(
    learner: RandomizedWeightedMajority,
    adversary: Callable[[NDArray[np.intp]], ArrayLike],
    n_rounds: int,
    *,
    rng: np.random.Generator | int | None = None,
) -> Play:
    """Play a learner against losses that answer to its choices.

    Parameters
    ----------
    learner : RandomizedWeightedMajority
        Changed by the game.
    adversary : callable
        From the actions so far, shape (t,), to the losses of the next round.
    n_rounds : int
        Number of rounds, a positive integer.
    rng : int or Generator, optional
        Generator for all calls, or None: fresh entropy.  A seed gives noise away; used twice, the data.

    References
    ----------
    DR11-def-online.

    Examples
    --------
    An adversary that punishes the last choice:

    >>> def punish(actions):
    ...     return np.arange(2) == actions[-1] if actions.size else [0, 0]
    >>> play(RandomizedWeightedMajority(2, 5.0), punish, 6, rng=0).actions.tolist()
    [1, 0, 0, 0, 1, 1]
    """
    rng = np.random.default_rng(rng)
    check.instance(RandomizedWeightedMajority, learner=learner)
    check.positive_integer(n_rounds=n_rounds)
    check.function(adversary=adversary)
    actions = np.empty(n_rounds, dtype=np.intp)
    losses, distributions = np.empty((2, n_rounds, learner.n_experts))
    for t in range(n_rounds):
        distribution = learner.output_distribution()
        losses[t], distributions[t], actions[t] = (
            adversary(actions[:t]),
            distribution.pmf(),
            distribution.rvs(rng=rng),
        )
        learner.update(losses[t])
    return Play(actions, losses, distributions)


check.wrap_module(__name__)
