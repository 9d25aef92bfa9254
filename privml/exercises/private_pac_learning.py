"""Checkers for the exercises of the chapter on what can be learned privately.

Each recomputes what it asks for in another way than the chapter's solution, or tests what defines it.
"""

import math
from collections.abc import Callable
from itertools import product

import numpy as np
from numpy.typing import ArrayLike

from privml.distributions import Categorical
from privml.divergences import privacy_loss
from privml.hypotheses import Table, Thresholds
from privml.learners.exponential import ExponentialPACLearner

__all__ = [
    "N_READINGS",
    "check_free_epsilon",
    "check_label_probabilities",
    "check_no_class_size",
    "check_one_sided",
    "check_own_cuts",
    "own_cuts_law",
]

N_READINGS = 10
FREE_EPSILONS = tuple(round(0.05 * step, 2) for step in range(1, 41))


def _demand(condition: bool, hint: str) -> None:
    if not condition:
        raise AssertionError(hint)


def check_one_sided(sample_size: Callable[[int, float, float, float], int]) -> None:
    """Check a sample size that pays for one-sided deviations only.

    Parameters
    ----------
    sample_size : callable
        From (n_hypotheses, epsilon, alpha, beta) to the smallest m for which two radii and the gap of the
        mechanism are at most alpha, with |H| + 1 one-sided tails in the radius.

    Raises
    ------
    AssertionError
        When a sample size is not enough, or more than enough.

    Examples
    --------
    >>> check_one_sided(lambda n_hypotheses, epsilon, alpha, beta: 1)
    Traceback (most recent call last):
    AssertionError: |H| = 1, ε = 0.5, α = 0.2, β = 0.1: m = 1 is not enough, the bound is 14.6991
    """

    def excess(n_hypotheses: int, m: int, epsilon: float, beta: float) -> float:
        radius = math.sqrt(math.log(2 * (n_hypotheses + 1) / beta) / (2 * m))
        return 2 * radius + 2 * math.log(2 * n_hypotheses / beta) / (epsilon * m)

    for n_hypotheses, epsilon, alpha, beta in product((1, 2, 960), (0.5, 5.0), (0.2, 0.05), (0.1, 1e-6)):
        m = sample_size(n_hypotheses, epsilon, alpha, beta)
        case = f"|H| = {n_hypotheses}, ε = {epsilon}, α = {alpha}, β = {beta}: m = {m}"
        bound = excess(n_hypotheses, m, epsilon, beta)
        _demand(bound <= alpha + 1e-12, f"{case} is not enough, the bound is {bound:.4f}")
        fewer = m == 1 or excess(n_hypotheses, m - 1, epsilon, beta) > alpha - 1e-12
        _demand(fewer, f"{case} is too many, {m - 1} would do")


def check_label_probabilities(answer: Callable[[ArrayLike, ArrayLike, float], ArrayLike]) -> None:
    """Check the label probabilities of the private learner over all labellings of k points.

    Parameters
    ----------
    answer : callable
        From (n_true, n_false, epsilon), the numbers of records with each label at each point, to the
        probability that the output labels each point True; the labels must be independent of each other.

    Raises
    ------
    AssertionError
        When the product law differs from the exact law over all labellings, or large k is too slow to try.

    Examples
    --------
    >>> check_label_probabilities(lambda n_true, n_false, epsilon: np.full(len(n_true), 0.5))
    Traceback (most recent call last):
    AssertionError: counts [3 0 1] and [1 2 1], ε = 0.5: probabilities [0.5 0.5 0.5] give a wrong law
    """
    labellings = np.array(list(product([False, True], repeat=3)))
    for n_true, n_false in (([3, 0, 1], [1, 2, 1]), ([0, 0, 0], [5, 0, 1])):
        n_true, n_false = np.array(n_true), np.array(n_false)
        X = np.repeat(np.tile(np.arange(3), 2), np.concatenate([n_true, n_false]))
        y = np.arange(len(X)) < n_true.sum()
        for epsilon in (0.5, 3.0):
            learner = ExponentialPACLearner(epsilon, Table(labellings), classes=[False, True])
            exact = learner.output_distribution(X[:, None], y).pmf()
            given = np.asarray(answer(n_true, n_false, epsilon), dtype=float)
            law = np.where(labellings, given, 1 - given).prod(axis=1)
            hint = f"counts {n_true} and {n_false}, ε = {epsilon}: probabilities {given} give a wrong law"
            _demand(np.abs(law - exact).max() < 1e-12, hint)
    many = np.asarray(answer(np.full(10_000, 4), np.zeros(10_000, dtype=int), 1.0))
    _demand(many.shape == (10_000,), "for 10,000 points give 10,000 probabilities")


def _binomial(n_samples: int, probability: float) -> np.ndarray:
    from scipy.stats import binom

    return binom.pmf(np.arange(n_samples + 1), n_samples, probability)


def _needed(epsilon: float, alpha: float = 0.2, beta: float = 0.05, n_rivals: int = 15) -> int:
    """Exact sample size with equal rivals; infinity is empirical risk minimisation with fair ties."""
    fails = []
    for m in range(1, 2000):
        behind = (
            2 * np.arange(m + 1) - m
        )  # records on which the best is wrong, less those on which it is right
        with np.errstate(invalid="ignore", over="ignore"):
            odds = n_rivals * np.exp(epsilon * behind / 2)
        odds[behind == 0] = n_rivals
        chance = np.where(np.isinf(odds), 1.0, odds / (1 + np.where(np.isinf(odds), 0.0, odds)))
        fails.append(float(_binomial(m, (1 - alpha) / 2) @ chance) > beta)
        if m > 40 and not any(fails[-40:]):
            break
    return len(fails) - fails[::-1].index(True) + 1


def check_free_epsilon(answer: float) -> None:
    """Check the smallest epsilon at which privacy at most doubles the exact sample size.

    Parameters
    ----------
    answer : float
        A multiple of 0.05, for 16 hypotheses, alpha = 0.2, beta = 0.05 and equal rivals.

    Raises
    ------
    AssertionError
        When it is not on the grid, not enough or not the smallest.

    Examples
    --------
    >>> check_free_epsilon(0.2)
    Traceback (most recent call last):
    AssertionError: at ε = 0.2 the private learner needs 347 records, more than twice 75
    """
    on_grid = [epsilon for epsilon in FREE_EPSILONS if abs(epsilon - answer) < 1e-9]
    _demand(on_grid, f"give a multiple of 0.05 up to {FREE_EPSILONS[-1]}, not {answer}")
    enough, at = 2 * _needed(math.inf), _needed(on_grid[0])
    hint = f"at ε = {answer} the private learner needs {at} records, more than twice {enough // 2}"
    _demand(at <= enough, hint)
    less = on_grid[0] - 0.05
    _demand(less <= 0 or _needed(less) > enough, f"already ε = {less:.2f} is enough")


def own_cuts_law(x: ArrayLike, y: ArrayLike, epsilon: float) -> Categorical:
    """The private learner of thresholds, with the readings that occur in the data as cut points: not private.

    Parameters
    ----------
    x : array_like of int, shape (n_samples,)
        Readings, from 0 to 9.
    y : array_like of bool, shape (n_samples,)
        Labels.
    epsilon : float
        Privacy parameter that the author claims, in nats.

    Returns
    -------
    Categorical
        Over the ten readings: the cut point that is announced.

    Examples
    --------
    >>> own_cuts_law([2, 7], [False, True], 1.0).pmf().round(3).tolist()
    [0.0, 0.0, 0.378, 0.0, 0.0, 0.0, 0.0, 0.622, 0.0, 0.0]
    """
    cuts, scores = np.unique(np.asarray(x, dtype=int)), np.full(N_READINGS, -np.inf)
    mistakes = Thresholds(cuts.astype(float)).mistakes(np.asarray(x, dtype=float), np.asarray(y, dtype=bool))
    scores[cuts] = -epsilon * mistakes / 2
    return Categorical(scores)


def check_own_cuts(pair: tuple[tuple[ArrayLike, ArrayLike], tuple[ArrayLike, ArrayLike]]) -> None:
    """Check a witness against `own_cuts_law`.

    Parameters
    ----------
    pair : tuple of two data sets
        Each a tuple (x, y) of readings from 0 to 9 and labels; neighbours under ``REPLACE_ONE``, the first
        with an announcement that the second excludes.

    Raises
    ------
    AssertionError
        When the data sets are not neighbours or no announcement gives them away.

    Examples
    --------
    >>> check_own_cuts((([2, 7], [False, True]), ([2, 6], [False, True])))
    """
    records = [sorted(zip(np.asarray(x).tolist(), np.asarray(y).tolist(), strict=True)) for x, y in pair]
    _demand(len(records[0]) == len(records[1]), "under replace-one both data sets have the same size")
    rest = list(records[1])
    for record in records[0]:
        if record in rest:
            rest.remove(record)
    _demand(len(rest) == 1, f"neighbours differ in one record, these differ in {len(rest)}")
    loss = privacy_loss(*(own_cuts_law(x, y, 1.0) for x, y in pair)).max()
    hint = f"the largest privacy loss from the first to the second is {loss:.4f}: still finite"
    _demand(loss == np.inf, hint)


def check_no_class_size(
    answer: int, n_samples: int, epsilon: float, alpha: float, failure: float = 0.99
) -> None:
    """Check how large a class has to be for learning to fail at a given sample size.

    Parameters
    ----------
    answer : int
        Smallest k such that with 2**k rivals the exact failure probability is at least `failure`.
    n_samples : int
        Size of the sample.
    epsilon : float
        Privacy parameter, in nats.
    alpha : float
        Error that is still allowed.
    failure : float, default 0.99
        Failure probability to reach.

    Raises
    ------
    AssertionError
        When k is too small or not the smallest.

    Examples
    --------
    >>> check_no_class_size(5, 47, 1.0, 0.25)
    Traceback (most recent call last):
    AssertionError: with 2**5 rivals the failure probability is 0.1447 only
    """
    counts = np.arange(n_samples + 1)  # records on which the rivals are wrong
    reached = []
    for k in (answer, answer - 1):
        log_odds = k * math.log(2) - epsilon * counts / 2
        chance = np.exp(-np.logaddexp(0.0, -log_odds))
        reached.append(float(_binomial(n_samples, alpha) @ chance))
    _demand(
        reached[0] >= failure, f"with 2**{answer} rivals the failure probability is {reached[0]:.4f} only"
    )
    _demand(reached[1] < failure, f"already 2**{answer - 1} rivals give {reached[1]:.4f}")
