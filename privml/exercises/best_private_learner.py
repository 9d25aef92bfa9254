"""Checkers for the exercises of the chapter on the best private learner.

Each recomputes what it asks for in another way than the chapter's solution, or tests what defines it.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import audit
from privml.hypotheses import Thresholds
from privml.learnability import LearningProblem, count_vectors
from privml.learnability.optimal import OptimalLearner, optimal_learner

__all__ = [
    "check_first_spender",
    "check_losing_share",
    "check_more_records",
    "check_one_record",
    "check_rounded",
    "rounded_law",
    "small_learner",
]


def _demand(condition: bool, hint: str) -> None:
    if not condition:
        raise AssertionError(hint)


def _coin() -> LearningProblem:
    return LearningProblem([[0.0, 1.0], [1.0, 0.0]])


def _thresholds(n_points: int) -> LearningProblem:
    return LearningProblem.of_class(Thresholds(np.arange(n_points + 1) - 0.5), np.arange(float(n_points)))


def check_losing_share(share: Callable[[int, int, float], float]) -> None:
    """Check a rule for two answers: private on all neighbours, and as good as any on its worst data set.

    Parameters
    ----------
    share : callable
        From (n_for, n_against, epsilon), with n_for >= n_against, to the probability of the losing answer.

    Raises
    ------
    AssertionError
        When it is no probability, spends more than epsilon, or errs more than the optimum.

    Examples
    --------
    >>> check_losing_share(lambda n_for, n_against, epsilon: 0.5)
    Traceback (most recent call last):
    AssertionError: n = 1, ε = 0.5: the worst excess is 0.5000, the optimum 0.3775
    """
    for n_samples, epsilon in ((1, 0.5), (4, 0.5), (5, 0.5), (5, 2.0), (6, 2.0)):
        case = f"n = {n_samples}, ε = {epsilon}"

        def law(z: NDArray, n_samples: int = n_samples, epsilon: float = epsilon) -> NDArray:
            ones = int(z.sum())
            wrong = float(share(max(ones, n_samples - ones), min(ones, n_samples - ones), epsilon))
            _demand(0 <= wrong <= 0.5, f"the losing answer has a probability in [0, 1/2], not {wrong}")
            return np.array([wrong, 1 - wrong] if 2 * ones >= n_samples else [1 - wrong, wrong])

        if n_samples % 2 == 0:
            tie = float(share(n_samples // 2, n_samples // 2, epsilon))
            _demand(abs(tie - 0.5) < 1e-9, f"{case}: a tie is decided by a fair coin")
        spent = audit.exact(law, np.array([0, 1]), n_samples).epsilon
        _demand(spent <= epsilon + 1e-9, f"{case}: the audit finds ε = {spent:.4f}")
        rows = [np.arange(n_samples) < ones for ones in range(n_samples + 1)]
        worst = max(abs(2 * z.sum() - n_samples) / n_samples * law(z).min() for z in rows)
        optimum = optimal_learner(_coin(), n_samples, epsilon).value
        _demand(
            worst <= optimum + 1e-7, f"{case}: the worst excess is {worst:.4f}, the optimum {optimum:.4f}"
        )


def check_one_record(answer: Callable[[int, float], ArrayLike]) -> None:
    """Check a learner of thresholds from one record that attains 1 / (1 + exp(epsilon)).

    Parameters
    ----------
    answer : callable
        From (n_points, epsilon) to the table of probabilities, shape (2 n_points, n_points + 1): a row for
        each record, first all points labelled False, then labelled True; a column for each threshold, from
        "True everywhere" to "False everywhere".

    Raises
    ------
    AssertionError
        When a row is no law, the table is not private, or some record is answered wrongly too often.

    Examples
    --------
    >>> check_one_record(lambda n_points, epsilon: np.full((2 * n_points, n_points + 1), 1 / (n_points + 1)))
    Traceback (most recent call last):
    AssertionError: 1 points: the worst excess is 0.5000, more than 0.2689
    """
    epsilon = 1.0
    for n_points in (1, 2, 7):
        table = np.asarray(answer(n_points, epsilon), dtype=float)
        _demand(table.shape == (2 * n_points, n_points + 1), f"the shape {table.shape} does not fit")
        sums = bool((table >= 0).all() and np.allclose(table.sum(axis=1), 1))
        _demand(sums, f"{n_points} points: each row is a probability law")
        possible = table[:, table.max(axis=0) > 0]
        _demand(
            bool((possible > 0).all()), f"{n_points} points: a threshold is possible on some records only"
        )
        spent = float(np.log(possible.max(axis=0) / possible.min(axis=0)).max())
        _demand(spent <= epsilon + 1e-9, f"{n_points} points: the exact ε is {spent:.4f}")
        worst = float((table * _thresholds(n_points).losses.T).sum(axis=1).max())
        best = 1 / (1 + np.exp(epsilon))
        _demand(
            worst <= best + 1e-9, f"{n_points} points: the worst excess is {worst:.4f}, more than {best:.4f}"
        )


def _coin_objective(n_samples: int, epsilon: float) -> float:
    """Epsilon plus the optimum for two answers, by going down from the tie one replacement at a time."""
    wrong = 0.5 if n_samples % 2 == 0 else 1 / (1 + np.exp(epsilon))
    worst = 0.0
    for margin in range(n_samples % 2, n_samples + 1, 2):
        worst, wrong = max(worst, margin / n_samples * wrong), wrong * np.exp(-epsilon)
    return epsilon + worst


def check_first_spender(answer: int) -> None:
    """Check the fewest records at which the best learner for two answers spends any epsilon.

    Parameters
    ----------
    answer : int
        The smallest n for which some epsilon > 0 has a smaller objective than 1/2.

    Raises
    ------
    AssertionError
        When the objective is at least 1/2 there, or below 1/2 already with fewer records.

    Examples
    --------
    >>> check_first_spender(3)
    Traceback (most recent call last):
    AssertionError: with 3 records every ε costs at least what it saves: the objective stays at 0.5000
    """
    grid = np.linspace(1e-3, 0.5, 2000)
    least = {n: min(_coin_objective(n, epsilon) for epsilon in grid) for n in range(1, answer + 1)}
    hint = f"with {answer} records every ε costs at least what it saves: the objective stays at 0.5000"
    _demand(least[answer] < 0.5, hint)
    fewer = [n for n in range(1, answer) if least[n] < 0.5]
    _demand(not fewer, f"already {fewer[:1]} records bring the objective below 1/2")


def check_more_records(answer: tuple[int, int, float]) -> None:
    """Check a case in which one record more makes the best learner worse.

    Parameters
    ----------
    answer : tuple
        (n_points, n_samples, epsilon): thresholds on n_points points, at most 4; from n_samples, at most 4,
        to one more.

    Raises
    ------
    AssertionError
        When the certified optimum does not rise.

    Examples
    --------
    >>> check_more_records((1, 1, 1.0))
    Traceback (most recent call last):
    AssertionError: from 1 records to 2 the optimum goes from 0.2689 to 0.1839
    """
    n_points, n_samples, epsilon = answer
    _demand(1 <= n_points <= 4 and 1 <= n_samples <= 4, "at most 4 points and 4 records, please")
    problem = _thresholds(n_points)
    few, more = (optimal_learner(problem, n, epsilon) for n in (n_samples, n_samples + 1))
    sizes = f"from {n_samples} records to {n_samples + 1}"
    hint = f"{sizes} the optimum goes from {few.value:.4f} to {more.value:.4f}"
    _demand(more.lower_bound > few.value + 1e-6, hint)


def small_learner(epsilon: float = 1.0) -> OptimalLearner:
    """The best learner for two points and three records, whose table the friend rounds.

    Examples
    --------
    >>> small_learner().probabilities.shape
    (20, 3)
    """
    return optimal_learner(_thresholds(2), 3, epsilon)


def rounded_law(counts: ArrayLike, decimals: int) -> NDArray[np.float64]:
    """Law of the small learner on data sets, rounded to some decimals and divided by its sum.

    Parameters
    ----------
    counts : array_like of int, shape (n_datasets, 4)
        How often each record occurs: points 0 and 1 labelled False, then both labelled True.
    decimals : int
        Digits kept.

    Returns
    -------
    ndarray of shape (n_datasets, 3)

    Examples
    --------
    >>> rounded_law([[3, 0, 0, 0]], 1).sum().round(9)
    np.float64(1.0)
    """
    table = small_learner().law(np.asarray(counts)).round(decimals)
    return table / table.sum(axis=1, keepdims=True)


def check_rounded(pair: ArrayLike, decimals: int = 1) -> None:
    """Check a pair of neighbours on which the rounded table breaks its promise of epsilon = 1.

    Parameters
    ----------
    pair : array_like of int, shape (2, 4)
        Two count vectors of three records.
    decimals : int
        Digits that the table keeps.

    Raises
    ------
    AssertionError
        When they are not neighbours or the loss is at most 1.

    Examples
    --------
    >>> check_rounded([[3, 0, 0, 0], [1, 2, 0, 0]])
    Traceback (most recent call last):
    AssertionError: neighbours differ in one record, these differ in 2
    """
    counts = np.asarray(pair)
    everything = count_vectors(4, 3).tolist()
    _demand(all(row in everything for row in counts.tolist()), "give two count vectors of three records")
    apart = int(np.abs(counts[0] - counts[1]).sum()) // 2
    _demand(apart == 1, f"neighbours differ in one record, these differ in {apart}")
    p, q = rounded_law(counts, decimals)
    with np.errstate(divide="ignore", invalid="ignore"):
        losses = np.where(p + q > 0, np.abs(np.log(p / q)), 0.0)
    _demand(losses.max() > 1 + 1e-6, f"the largest loss on this pair is {losses.max():.4f}")
