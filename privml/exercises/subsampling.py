"""Checkers for the exercises of the chapter on subsampling.

Each takes an answer, compares it with an exact audit or with the library's theorems, returns None when it is
right and raises AssertionError with a hint when it is not.
"""

from collections.abc import Callable, Sequence
from itertools import combinations
from math import log

import numpy as np
from numpy.typing import ArrayLike

from privml import audit
from privml.composition import (
    amplified_epsilon,
    amplified_epsilon_wlf16,
    subsampled_law,
    subsampled_with_replacement,
)
from privml.distributions import Categorical
from privml.experiments.subsampling import alarm_law
from privml.guarantee import Guarantee
from privml.mechanisms import RandomisedResponse


def check_drawn_answer(formula: Callable[[float, int], float]) -> None:
    """Check a formula for the epsilon of one randomised answer of one record drawn from m.

    Parameters
    ----------
    formula : callable
        From ``(epsilon, m)`` to the exact epsilon of the whole under ``REPLACE_ONE``.

    Raises
    ------
    AssertionError
        When it differs from an audit.

    Examples
    --------
    >>> check_drawn_answer(lambda epsilon, m: np.log(1 + (np.exp(epsilon) - 1) / m))
    """
    for epsilon, m in ((0.5, 2), (1.0, 5), (3.0, 8)):
        answer = RandomisedResponse(epsilon)
        law = subsampled_law(lambda z, answer=answer: answer.output_distribution(int(z[0])), 1)
        exact = audit.exact(law, np.array([0, 1]), m).epsilon
        given = float(formula(epsilon, m))
        assert abs(given - exact) < 1e-9, (
            f"for epsilon = {epsilon} and m = {m} the audit finds {exact:.6f}, not {given:.6f}"
        )


def check_largest_subsample(size: Callable[[float, float, int], int]) -> None:
    """Check a function for the largest subset on which a symmetric mechanism may run.

    Parameters
    ----------
    size : callable
        From ``(epsilon, target, m)``: epsilon on the subset, epsilon wanted of the whole, number of records.

    Raises
    ------
    AssertionError
        When the whole exceeds the target, or a larger subset would do.

    Examples
    --------
    >>> check_largest_subsample(lambda e, t, m: min(m, int(m * np.expm1(t) / np.expm1(e))))
    """
    for epsilon, target, m in ((1.0, 0.1, 10_000), (2.0, 0.01, 777), (0.5, 0.7, 50), (1.0, 1e-9, 100)):
        given = size(epsilon, target, m)
        where = f"with epsilon = {epsilon}, target = {target} and m = {m}"
        assert 0 <= given <= m, f"{where} a subset has between 0 and m records, yours {given}"
        if given > 0:
            assert amplified_epsilon(epsilon, given / m) <= target, (
                f"{where} a subset of {given} is too large"
            )
        if given < m:
            assert amplified_epsilon(epsilon, (given + 1) / m) > target, f"{where} {given} is not the largest"


def check_breaks_even(answer: int, epsilon: float, m: int) -> None:
    """Check from how many draws with repeats on nothing is promised that the mechanism did not promise.

    Parameters
    ----------
    answer : int
        The smallest number of draws for which epsilon of the whole is at least `epsilon`.
    epsilon : float
        Of the mechanism on its draws.
    m : int
        Number of records.

    Raises
    ------
    AssertionError
        When fewer draws do, or these do not.

    Examples
    --------
    >>> check_breaks_even(59, 1.0, 100)
    """
    whole = lambda draws: subsampled_with_replacement(Guarantee(epsilon), m, draws).epsilon  # noqa: E731
    assert whole(answer) >= epsilon, f"with {answer} draws the whole still promises more"
    assert answer == 1 or whole(answer - 1) < epsilon, f"already with {answer - 1} draws nothing is gained"


def director_law(bits: ArrayLike, epsilon: float, subsample_size: int) -> Categorical:
    """The alarm on a subset that always holds the first record; the others are drawn.

    Parameters
    ----------
    bits : array_like of 0 and 1
        The records, in order.
    epsilon : float
        Of the alarm on its subset.
    subsample_size : int
        Records used, the first included.

    Returns
    -------
    Categorical
        Of (alarm, none).

    Examples
    --------
    >>> director_law([1, 0, 0], 1.0, 2).pmf().round(4).tolist()
    [0.2689, 0.7311]
    """
    bits, alarm = np.asarray(bits), alarm_law(epsilon, subsample_size)
    chosen = combinations(range(1, bits.size), subsample_size - 1)
    laws = [alarm(bits[[0, *others]]) for others in chosen]
    return Categorical(np.log(np.mean(laws, axis=0)))


def check_director(answer: tuple[Sequence[int], Sequence[int]], epsilon: float, subsample_size: int) -> None:
    """Check two neighbouring lists of bits on which `director_law` is not amplified at all.

    Parameters
    ----------
    answer : tuple of two sequences of bits
        Of equal length, above `subsample_size`, with one bit replaced.
    epsilon : float
        Of the alarm on its subset.
    subsample_size : int
        Records used.

    Raises
    ------
    AssertionError
        When the lists are not neighbours, or the loss is below epsilon.

    Examples
    --------
    >>> check_director(([1, 0, 0, 0], [0, 0, 0, 0]), 1.0, 2)
    """
    first, second = (np.asarray(bits) for bits in answer)
    assert first.shape == second.shape, "under replace-one both lists have the same length"
    assert first.size > subsample_size, f"there must be more than {subsample_size} records to draw from"
    assert set(np.unique([first, second])) <= {0, 1}, "records are bits"
    assert int((first != second).sum()) == 1, "exactly one record is replaced"
    laws = [director_law(bits, epsilon, subsample_size).logpmf() for bits in (first, second)]
    loss = float(np.abs(laws[0] - laws[1]).max())
    assert loss > epsilon * (1 - 1e-9), f"the loss is {loss:.4f} on your pair, below {epsilon}"


def check_swung_votes(
    answer: tuple[Sequence[int], Sequence[int]], epsilon: float, sampling_rate: float
) -> None:
    """Check two neighbouring lists of votes on which the alarm on coins loses the most under replace-one.

    Parameters
    ----------
    answer : tuple of two sequences of -1, 0, 1
        Of equal length, at most 10, with one vote replaced.
    epsilon : float
        Of the alarm, under ``ADD_OR_REMOVE_ONE``.
    sampling_rate : float
        Of the coins.

    Raises
    ------
    AssertionError
        When the lists are not neighbours, or some pair loses more.

    Examples
    --------
    >>> check_swung_votes(([1, 0, 0], [-1, 0, 0]), 1.0, 0.25)
    """
    first, second = (np.asarray(votes) for votes in answer)
    assert first.shape == second.shape, "under replace-one both lists have the same length"
    assert 1 <= first.size <= 10, "take between 1 and 10 votes"
    assert set(np.unique([first, second])) <= {-1, 0, 1}, "votes are -1, 0 or 1"
    assert int((first != second).sum()) == 1, "exactly one vote is replaced"
    law = subsampled_law(alarm_law(epsilon, first.size), sampling_rate, scheme="coins")
    loss = float(np.abs(np.log(law(first)) - np.log(law(second))).max())
    most = amplified_epsilon_wlf16(epsilon, sampling_rate, form="ratio")
    claim = log(1 + sampling_rate * (np.exp(epsilon) - 1))
    assert loss > most * (1 - 1e-9), (
        f"the loss is {loss:.4f}; {most:.4f} is possible, the formula has {claim:.4f}"
    )
