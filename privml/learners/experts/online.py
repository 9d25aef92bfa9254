"""Learning from expert advice one round at a time: what a learner is, two forms of one, and the game.

The functions of :mod:`~privml.learners.experts.majority` do whole sequences at once.  The objects here see
one loss vector after the other, so that an adversary can answer to the choices.
"""

from collections.abc import Callable
from typing import NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml.distributions import Categorical
from privml.learners.experts.base import checked_losses

FORMS = ("weights", "sums")


@runtime_checkable
class OnlineLearner(Protocol):
    """What a learner from expert advice can do: state its choice probabilities, then see all losses.

    **Source.** DR11-def-online.
    """

    n_experts: int

    def probabilities(self) -> NDArray[np.float64]:
        """Law of the next choice, shape (n_experts,)."""

    def update(self, loss: ArrayLike) -> None:
        """See the losses of all experts in the round that was just played."""


class RandomizedWeightedMajority:
    r"""Randomised weighted majority, one round at a time.

    **Privacy.** Of T rounds: :func:`~privml.learners.experts.run_guarantee`.
    **Source.** DR11-alg-15 and DR11-alg-16, Algorithms 15 and 16.

    Parameters
    ----------
    form : {"weights", "sums"}
        Algorithm 15 keeps (logarithms of) weights and multiplies them by ``exp(-eta loss)``; Algorithm 16
        keeps sums of losses and exponentiates them.  One law.

    Examples
    --------
    >>> learner = RandomizedWeightedMajority(2, np.log(3))
    >>> learner.update([1, 0])
    >>> learner.probabilities().round(4).tolist()
    [0.25, 0.75]
    """

    def __init__(self, n_experts: int, eta: float, *, form: str = "weights") -> None:
        check.positive_integer(n_experts=n_experts)
        check.positive(eta=eta)
        check.one_of(FORMS, form=form)
        self.n_experts, self.eta, self.form = n_experts, eta, form
        self._state = np.zeros(n_experts)

    def __repr__(self) -> str:
        return f"RandomizedWeightedMajority({self.n_experts}, {self.eta!r}, form={self.form!r})"

    def law(self) -> Categorical:
        """Law of the next choice."""
        return Categorical(self._state if self.form == "weights" else -self.eta * self._state)

    def probabilities(self) -> NDArray[np.float64]:
        """Law of the next choice, shape (n_experts,)."""
        return self.law().pmf()

    def update(self, loss: ArrayLike) -> None:
        """See the losses of all experts in the round that was just played, shape (n_experts,)."""
        loss = checked_losses(np.atleast_2d(loss))[0].astype(float)
        if loss.size != self.n_experts:
            raise ValueError(f"loss must have one entry per expert ({self.n_experts}), got {loss.size}")
        self._state = self._state + (-self.eta * loss if self.form == "weights" else loss)


class Play(NamedTuple):
    """What happened in a game: actions of shape (n_rounds,), losses and laws (n_rounds, n_experts)."""

    actions: NDArray[np.intp]
    losses: NDArray[np.float64]
    laws: NDArray[np.float64]


def play(
    learner: OnlineLearner,
    losses: ArrayLike | Callable[[NDArray[np.intp]], ArrayLike],
    n_rounds: int | None = None,
    *,
    rng: np.random.Generator | int | None = None,
) -> Play:
    """Play a learner against losses that are fixed in advance, or that answer to its choices.

    **Source.** DR11-def-online.

    Parameters
    ----------
    learner : OnlineLearner
        Changed by the game.
    losses : array_like of shape (n_rounds, n_experts), or callable
        A callable gets the actions so far, shape (t,), and returns the losses of the next round; it does not
        see that round's action.
    n_rounds : int, optional
        Number of rounds; needed for a callable.

    Returns
    -------
    Play

    Examples
    --------
    An adversary that punishes the last choice:

    >>> def punish(actions):
    ...     return np.arange(2) == actions[-1] if actions.size else [0, 0]
    >>> game = play(RandomizedWeightedMajority(2, 5.0), punish, 6, rng=0)
    >>> game.actions.tolist(), game.losses[:, 0].astype(int).tolist()
    ([1, 0, 0, 0, 1, 1], [0, 0, 1, 1, 1, 0])
    """
    rng = np.random.default_rng(rng)
    check.instance(OnlineLearner, learner=learner)
    if callable(losses):
        check.positive_integer(n_rounds=n_rounds)
    else:
        given = checked_losses(losses)
        n_rounds = len(given) if n_rounds is None else n_rounds
        check.positive_integer(n_rounds=n_rounds)
    actions = np.empty(n_rounds, dtype=np.intp)
    seen, laws = np.empty((2, n_rounds, learner.n_experts))
    for t in range(n_rounds):
        laws[t] = learner.probabilities()
        loss = losses(actions[:t]) if callable(losses) else given[t]
        actions[t] = Categorical(np.log(np.maximum(laws[t], 1e-300))).rvs(rng=rng)
        learner.update(loss)
        seen[t] = loss
    return Play(actions, seen, laws)
