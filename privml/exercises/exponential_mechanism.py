"""Checkers for the exercises of the chapter on the exponential mechanism.

Each takes an answer, compares it with something computed from the library (a law, an audit, an
enumeration), returns None when it is right and raises AssertionError with a hint when it is not.
"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike

from privml.adjacency import Adjacency
from privml.distributions import Categorical, expected_rejection_rounds
from privml.divergences import privacy_loss
from privml.mechanisms import ExponentialMechanism, PermuteAndFlip
from privml.mechanisms.continuous import exponential_density
from privml.queries import score_sensitivity

EPSILONS = (0.3, 1.0, 2.5)


def check_lead(lead: Callable[[int, float, float], float]) -> None:
    """Check a formula for the lead that makes the best option win with probability exactly 1 - beta.

    Parameters
    ----------
    lead : callable
        From ``(n_outcomes, epsilon, beta)`` to the lead in votes over all others, which are tied.

    Raises
    ------
    AssertionError
        When the exponential mechanism with that lead misses 1 - beta.

    Examples
    --------
    >>> check_lead(lambda k, epsilon, beta: 2 / epsilon * np.log((k - 1) * (1 - beta) / beta))
    """
    for n_outcomes in (2, 5, 40):
        for epsilon in EPSILONS:
            votes = np.zeros(n_outcomes)
            votes[0] = lead(n_outcomes, epsilon, 0.05)
            mechanism = ExponentialMechanism(epsilon=epsilon, sensitivity=1.0)
            win = mechanism.output_distribution(votes).pmf()[0]
            where = f"k = {n_outcomes}, epsilon = {epsilon}, beta = 0.05"
            assert abs(win - 0.95) < 1e-9, f"with {where} your lead wins with probability {win:.4f}, not 0.95"


def lead_over_rivals(votes: ArrayLike, n_options: int = 3) -> np.ndarray:
    """Score of an option: its votes minus the votes of its strongest rival.

    Parameters
    ----------
    votes : array_like of int, shape (n_samples,)
        Each vote is the index of an option.
    n_options : int, default 3
        Number of options.

    Returns
    -------
    ndarray of shape (n_options,)

    Examples
    --------
    >>> lead_over_rivals([0, 0, 1]).tolist()
    [1, -1, -2]
    """
    counts = np.bincount(np.asarray(votes, dtype=int), minlength=n_options)
    rivals = [np.delete(counts, option).max() for option in range(n_options)]
    return counts - np.array(rivals)


def check_lead_sensitivity(answer: Sequence[float]) -> None:
    """Check the sensitivities of `lead_over_rivals` under both relations.

    Parameters
    ----------
    answer : sequence of two floats
        Under ``REPLACE_ONE`` and under ``ADD_OR_REMOVE_ONE``.

    Raises
    ------
    AssertionError
        When one of them differs from the enumeration over six votes.

    Examples
    --------
    >>> check_lead_sensitivity((2, 1))
    """
    for adjacency, given in zip(Adjacency, answer, strict=True):
        exact = score_sensitivity(lead_over_rivals, np.arange(3), 6, adjacency=adjacency)
        hint = "smaller than what one vote can do" if given < exact else "larger than any change possible"
        assert given == exact, f"under {adjacency} your sensitivity {given} is {hint}"


def check_bounded_range(spread: Callable[[float], float]) -> None:
    """Check a formula for the spread of privacy losses of permute-and-flip between a tie and its neighbour.

    Parameters
    ----------
    spread : callable
        From epsilon to the largest minus the smallest privacy loss between the votes (3, 3) and (4, 2).

    Raises
    ------
    AssertionError
        When it differs from the exact laws.

    Examples
    --------
    >>> check_bounded_range(lambda epsilon: epsilon + np.log(2 - np.exp(-epsilon)))
    """
    for epsilon in EPSILONS:
        mechanism = PermuteAndFlip(epsilon=epsilon, sensitivity=1.0)
        loss = privacy_loss(*(mechanism.output_distribution(votes) for votes in ([3, 3], [4, 2])))
        exact, given = float(np.ptp(loss)), spread(epsilon)
        assert abs(given - exact) < 1e-9, (
            f"at epsilon = {epsilon} the losses spread over {exact:.4f}, not {given:.4f}"
        )


def _median_intervals(values: ArrayLike, epsilon: float, lower: float, upper: float) -> np.ndarray:
    """Probability of each interval between sorted values, by quadrature of the density."""
    values = np.sort(np.clip(values, lower, upper))
    law = exponential_density(
        lambda y: -abs(np.sum(values < y) - values.size / 2),
        epsilon=epsilon,
        sensitivity=1.0,
        lower=lower,
        upper=upper,
        breakpoints=values,
    )
    edges = np.concatenate([[lower], values, [upper]])
    middles = (edges[:-1] + edges[1:]) / 2
    return np.diff(edges) * np.exp(law.logpdf(middles))


def check_private_median(median_law: Callable[[ArrayLike, float, float, float], ArrayLike]) -> None:
    """Check the law of the private median on the intervals between the data.

    Parameters
    ----------
    median_law : callable
        From ``(values, epsilon, lower, upper)`` to the probabilities of the intervals between the sorted
        values, the first beginning at `lower` and the last ending at `upper`.

    Raises
    ------
    AssertionError
        When it differs from the density integrated numerically.

    Examples
    --------
    >>> check_private_median(lambda values, epsilon, lower, upper: [1.0])
    Traceback (most recent call last):
    AssertionError: 3 values make 4 intervals, got 1 probabilities...
    """
    for values in ([2.0, 3.0, 7.0], [1.0, 1.0, 4.0, 9.5], [5.0]):
        for epsilon in EPSILONS:
            given = np.asarray(median_law(np.array(values), epsilon, 0.0, 10.0), dtype=float)
            wanted = len(values) + 1
            assert given.size == wanted, (
                f"{len(values)} values make {wanted} intervals, got {given.size} probabilities"
            )
            exact = _median_intervals(values, epsilon, 0.0, 10.0)
            far = int(np.argmax(np.abs(given - exact)))
            hint = f"interval {far} of {values}, epsilon = {epsilon}: {given[far]:.4f}, not {exact[far]:.4f}"
            assert np.abs(given - exact).max() < 1e-6, hint


def check_clock(
    rounds: int, votes: ArrayLike, neighbour: ArrayLike, epsilon: float, loss: float = 3.0
) -> None:
    """Check the number of rounds after which a clock tells two neighbouring data sets apart.

    Parameters
    ----------
    rounds : int
        Smallest r for which the event "more than r rounds" has privacy loss at least `loss`.
    votes, neighbour : array_like of int, shape (n_options,)
        Numbers of votes; the sampler is the max-normalised one.
    epsilon : float
        Privacy parameter of the mechanism, in nats.
    loss : float, default 3
        Privacy loss wanted, in nats.

    Raises
    ------
    AssertionError
        When `rounds` is too small or not the smallest.

    Examples
    --------
    >>> check_clock(16, [20, 20, 0, 0, 0], [21, 19, 0, 0, 0], 1.0)
    """
    mechanism = ExponentialMechanism(epsilon=epsilon, sensitivity=1.0)
    laws = [mechanism.output_distribution(counts) for counts in (votes, neighbour)]
    means = [expected_rejection_rounds(law, envelope="maximum") for law in laws]
    with np.errstate(divide="ignore"):  # a tie of all options stops at once
        each = float(abs(np.log1p(-1 / means[0]) - np.log1p(-1 / means[1])))
    total, before = (each * r if r > 0 else 0.0 for r in (rounds, rounds - 1))
    assert total >= loss, f"more than {rounds} rounds has loss {total:.3f} only"
    assert before < loss, f"fewer rounds suffice: {rounds - 1} already give {before:.3f}"


def named_options_law(votes: ArrayLike, n_options: int, epsilon: float) -> Categorical:
    """The exponential mechanism on those options only that got a vote: not private.

    Parameters
    ----------
    votes : array_like of int, shape (n_samples,)
        Each vote is the index of an option.
    n_options : int
        Number of options.
    epsilon : float
        Privacy parameter that the author claims, in nats.

    Returns
    -------
    Categorical

    Examples
    --------
    >>> named_options_law([0, 0, 1], 3, 1.0).pmf().round(4).tolist()
    [0.6225, 0.3775, 0.0]
    """
    counts = np.bincount(np.asarray(votes, dtype=int), minlength=n_options)
    return Categorical(np.where(counts > 0, epsilon * counts / 2, -np.inf))


def check_named_options(pair: tuple[ArrayLike, ArrayLike], n_options: int = 3, epsilon: float = 1.0) -> None:
    """Check a witness against `named_options_law`.

    Parameters
    ----------
    pair : tuple of two array_like of int
        Neighbouring data sets of votes under ``REPLACE_ONE``, the first with an output that the second
        excludes.
    n_options : int, default 3
        Number of options.
    epsilon : float, default 1
        The claim, in nats.

    Raises
    ------
    AssertionError
        When the data sets are not neighbours or no output gives them away.

    Examples
    --------
    >>> check_named_options(([0, 1], [0, 0]))
    """
    first, second = (np.asarray(votes, dtype=int) for votes in pair)
    assert first.shape == second.shape, "under replace-one both data sets have the same number of votes"
    moved = np.abs(np.bincount(first, minlength=n_options) - np.bincount(second, minlength=n_options)).sum()
    assert moved == 2, f"neighbours differ in one vote, these differ in {moved // 2}"
    loss = privacy_loss(*(named_options_law(votes, n_options, epsilon) for votes in (first, second))).max()
    assert loss == np.inf, (
        f"the largest privacy loss from the first to the second is {loss:.4f}: still finite"
    )
