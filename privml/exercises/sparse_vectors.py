"""Checkers for the exercises of the chapter on sparse vectors and stability.

Each takes an answer, compares it with something computed from the library (a law, an audit, an
enumeration), returns None when it is right and raises AssertionError with a hint when it is not.
"""

from collections.abc import Callable, Sequence
from math import sqrt

import numpy as np
from numpy.typing import ArrayLike

from privml.bounds.sparse_vector import sparse_vector_margin
from privml.composition.optimal import optimal_step_epsilon
from privml.distributions import Categorical
from privml.divergences import hockey_stick
from privml.mechanisms import DistanceToInstability, SparseVector
from privml.mechanisms.sparse_vector.base import Noise, transcript_probabilities
from privml.mechanisms.stability import stability_radius


def check_both_quiet(probability: Callable[[float], float]) -> None:
    """Check a formula for the probability that two queries at the threshold both stay quiet.

    Parameters
    ----------
    probability : callable
        From r, the threshold's scale divided by the queries' scale.

    Raises
    ------
    AssertionError
        When it differs from the exact law.

    Examples
    --------
    >>> check_both_quiet(lambda r: 1 / 2 - 1 / (2 * (1 + r)) + 1 / (4 * (1 + 2 * r)))
    """
    for ratio in (0.1, 0.5, 1.0, 3.0):
        exact = transcript_probabilities(np.zeros(2), Noise(ratio, 1.0), 1, redraw=False)[-1]
        given = probability(ratio)
        assert abs(given - exact) < 1e-9, f"at r = {ratio} the probability is {exact:.6f}, not {given:.6f}"


def check_margin_share(share: Callable[[int, int, float], float]) -> None:
    """Check a formula for the threshold's share of epsilon that makes the margin smallest.

    Parameters
    ----------
    share : callable
        From ``(n_queries, cutoff, beta)`` to a number in (0, 1).

    Raises
    ------
    AssertionError
        When some other share gives a smaller margin.

    Examples
    --------
    >>> def share(n_queries, cutoff, beta):
    ...     weights = np.log(2 / beta), 2 * cutoff * np.log(2 * n_queries / beta)
    ...     return 1 / (1 + np.sqrt(weights[1] / weights[0]))
    >>> check_margin_share(share)
    """
    for n_queries, cutoff, beta in ((1, 1, 0.05), (365, 6, 0.05), (10**6, 30, 1e-3)):
        given = float(share(n_queries, cutoff, beta))
        assert 0 < given < 1, f"a share lies between 0 and 1, yours is {given}"

        def margin(x, n=n_queries, c=cutoff, b=beta):
            noise = SparseVector(epsilon=1.0, cutoff=c, threshold_share=x).noise
            return sparse_vector_margin(n, noise.threshold_scale, noise.query_scale, b)

        others = min(margin(float(x)) for x in np.linspace(0.001, 0.999, 999))
        where = f"{n_queries} queries, cut-off {cutoff}, beta {beta}"
        assert margin(given) <= others * (1 + 1e-12), (
            f"with {where} your margin is {margin(given):.4f}, but {others:.4f} is possible"
        )


def check_cheaper_from(answer: int, epsilon: float, delta: float) -> None:
    """Check the smallest cut-off at which restarting, composed optimally, beats one threshold.

    Parameters
    ----------
    answer : int
        The cut-off.
    epsilon, delta : float
        Privacy parameters.

    Raises
    ------
    AssertionError
        When a comparison has less noise with one threshold and the best split, or already had more at the
        cut-off before.

    Examples
    --------
    >>> check_cheaper_from(78, 1.0, 1e-6)
    """

    def restarting_wins(cutoff: int) -> bool:
        scale = 2 / optimal_step_epsilon(epsilon, cutoff, delta)
        once = SparseVector(epsilon=epsilon, cutoff=cutoff).noise
        return sqrt(5) * scale < sqrt(once.threshold_scale**2 + once.query_scale**2)

    assert restarting_wins(answer), f"at cut-off {answer} one threshold is still less noisy"
    assert answer == 1 or not restarting_wins(answer - 1), (
        f"at cut-off {answer - 1} restarting is already less noisy"
    )


def skip_zeros_law(values: ArrayLike, epsilon: float) -> Categorical:
    """A sparse vector (cut-off 1, threshold 1) that answers "no" to counts of 0 without drawing noise.

    Parameters
    ----------
    values : array_like of shape (n_queries,)
        Counts, at most 12.
    epsilon : float
        The privacy parameter that it claims, in nats.

    Returns
    -------
    Categorical
        Over the transcripts of ``SparseVector(epsilon=epsilon, threshold=1)``.

    Examples
    --------
    >>> skip_zeros_law([0, 1], 1.0).pmf().round(4).tolist()
    [0.0, 0.5, 0.5]
    """
    counts = np.asarray(values, dtype=float)
    mechanism = SparseVector(epsilon=epsilon, threshold=1.0)
    patterns = mechanism.transcripts(counts.size)
    asked = np.flatnonzero(counts != 0)
    law = np.zeros(len(patterns))
    if asked.size == 0:
        law[patterns.index((False,) * counts.size)] = 1.0
    else:
        kept = mechanism.output_distribution(counts[asked]).pmf()
        for pattern, probability in zip(mechanism.transcripts(asked.size), kept, strict=True):
            whole = np.zeros(counts.size, dtype=bool)
            whole[asked[: len(pattern)]] = pattern
            stop = int(np.flatnonzero(whole)[0]) + 1 if whole.any() else counts.size
            law[patterns.index(tuple(whole[:stop].tolist()))] += probability
    with np.errstate(divide="ignore"):
        return Categorical(np.log(law))


def check_skip_zeros(answer: tuple[Sequence[int], Sequence[int]]) -> None:
    """Check a pair of streams of counts, 1 apart in every query at most, that `skip_zeros_law` tells apart.

    Parameters
    ----------
    answer : tuple of two sequences of int
        Some transcript must be possible on the first and impossible on the second.

    Raises
    ------
    AssertionError
        When the streams are not neighbours or the loss is finite.

    Examples
    --------
    >>> check_skip_zeros(([1], [0]))
    """
    first, second = (np.asarray(values) for values in answer)
    assert first.shape == second.shape, "neighbouring data sets answer the same queries"
    assert min(first.min(), second.min()) >= 0, "counts are not negative"
    assert np.abs(first - second).max() <= 1, "one person changes no count by more than 1"
    here, there = (skip_zeros_law(values, 1.0).pmf() for values in (first, second))
    assert ((here > 0) & (there == 0)).any(), "every transcript of the first stream is possible on the second"


def check_plurality_radius(radius: Callable[[Sequence[int]], int]) -> None:
    """Check a formula for the stability radius of the winner of a vote under replace-one.

    Parameters
    ----------
    radius : callable
        From the numbers of votes, one for each option, to the radius; ties are won by the first option.

    Raises
    ------
    AssertionError
        When it differs from brute force on some vote of up to six ballots for three options.

    Examples
    --------
    >>> def radius(votes):
    ...     winner = int(np.argmax(votes))
    ...     gaps = [(votes[winner] - other, k < winner) for k, other in enumerate(votes) if k != winner]
    ...     return min((gap + 1) // 2 if first else gap // 2 + 1 for gap, first in gaps) - 1
    >>> check_plurality_radius(radius)
    """
    winner = lambda ballots: int(np.bincount(ballots, minlength=3).argmax())  # noqa: E731
    for n_ballots in range(1, 7):
        for ballots, exact in stability_radius(winner, np.arange(3), n_ballots).items():
            votes = np.bincount(ballots, minlength=3).tolist()
            given = radius(votes)
            assert given == exact, f"with votes {votes} the radius is {exact}, not {given}"


def gap_law(bits: ArrayLike, epsilon: float, delta: float) -> Categorical:
    """Distance to instability for the majority of bits, with the gap of the counts taken for the radius.

    Parameters
    ----------
    bits : array_like of 0 and 1
        The data set; a tie counts as majority 0.
    epsilon, delta : float
        The claimed privacy parameters, under replace-one.

    Returns
    -------
    Categorical
        Over the answers 0 and 1 and the refusal.

    Examples
    --------
    >>> gap_law([1, 1, 1], 1.0, 0.05).pmf().round(4).tolist()
    [0.0, 0.7511, 0.2489]
    """
    bits = np.asarray(bits)
    gap = int(2 * bits.sum() - bits.size)
    mechanism = DistanceToInstability(epsilon=epsilon, delta=delta)
    return mechanism.output_distribution((int(gap > 0), abs(gap)))


def check_gap_for_radius(answer: tuple[Sequence[int], Sequence[int]], epsilon: float, delta: float) -> None:
    """Check a pair of neighbouring data sets on which `gap_law` breaks its promise.

    Parameters
    ----------
    answer : tuple of two sequences of bits
        Of equal size, with one bit changed (up to order).
    epsilon, delta : float
        The claim.

    Raises
    ------
    AssertionError
        When the data sets are not neighbours or delta(epsilon) is as claimed.

    Examples
    --------
    >>> check_gap_for_radius(([0, 1, 1], [0, 0, 1]), 1.0, 0.05)
    """
    first, second = (np.asarray(bits) for bits in answer)
    assert first.size == second.size, "under replace-one both data sets have the same size"
    assert abs(int(first.sum()) - int(second.sum())) == 1, "exactly one bit must change"
    laws = [gap_law(bits, epsilon, delta) for bits in (first, second)]
    found = max(float(hockey_stick(laws[i], laws[1 - i], epsilon)) for i in (0, 1))
    assert found > delta * (1 + 1e-9), (
        f"delta({epsilon}) is {found:.4g} on your pair, within the claim {delta}"
    )
