"""Checkers for the exercises of the chapter on generalisation.

Each compares an answer with the library's exact computations, or tests what defines it, and raises
AssertionError with a hint when it is not right.
"""

from collections.abc import Callable
from math import inf, log

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml.learnability import (
    CountLaw,
    LearningProblem,
    exact_generalisation_tail,
    exact_privacy,
    generalisation_gap,
    majority_errors,
    monitor_sample_size,
    remembered_risks,
    total_variation_stability,
)

__all__ = [
    "check_choose_runs",
    "check_memory",
    "check_noisy_analyst",
    "check_response_gap",
    "check_stable_overfitter",
]


def _demand(condition: bool, hint: str) -> None:
    if not condition:
        raise AssertionError(hint)


def _table_law(laws: NDArray) -> CountLaw:
    return lambda counts: laws[np.asarray(counts)[:, 1]]


def check_response_gap(formula: Callable[[int, float], float]) -> None:
    """Check the expected gap of randomised response among K kinds.

    Parameters
    ----------
    formula : callable
        From K and epsilon to the gap under the uniform population.

    Raises
    ------
    AssertionError
        When it differs from the exact gap.

    Examples
    --------
    >>> check_response_gap(lambda K, epsilon: np.tanh(epsilon / 4))
    Traceback (most recent call last):
    AssertionError: for K = 2 and ε = 0.5 the exact gap is 0.122459, not 0.124353
    """
    for K in (2, 3, 7):
        for epsilon in (0.5, 1.0, 3.0):
            table = np.exp(epsilon * np.eye(K))
            law = lambda counts, table=table: np.asarray(counts) @ (table / table[0].sum())  # noqa: E731
            exact = generalisation_gap(law, LearningProblem(1 - np.eye(K)), np.full(K, 1 / K), 1)
            given = float(formula(K, epsilon))
            hint = f"for K = {K} and ε = {epsilon} the exact gap is {exact:.6f}, not {given:.6f}"
            _demand(abs(given - exact) < 1e-9, hint)


def check_memory(memory: Callable[[NDArray, NDArray, ArrayLike], NDArray]) -> None:
    """Check a function from a learner to the empirical risks that its outputs tell of.

    Parameters
    ----------
    memory : callable
        From the laws, one row for each number c = 0, ..., m of records of the second kind, the losses of
        shape (n_hypotheses, 2), and the probability p of the second kind, to one number for each hypothesis.

    Raises
    ------
    AssertionError
        When it differs from the exact conditional means.

    Examples
    --------
    >>> check_memory(lambda laws, losses, p: losses @ [1 - p, p])
    Traceback (most recent call last):
    AssertionError: with 1 records, hypothesis 0 tells of 0.375544, not 0.343149
    """
    rng = np.random.default_rng(3)
    for m, n_hypotheses in ((1, 2), (4, 3), (9, 4)):
        laws = rng.dirichlet(np.ones(n_hypotheses), size=m + 1)
        problem, p = LearningProblem(rng.random((n_hypotheses, 2))), float(rng.random())
        exact = remembered_risks(_table_law(laws), problem, [1 - p, p], m).empirical_risk
        given = np.asarray(memory(laws, problem.losses, p), dtype=float)
        _demand(given.shape == exact.shape, f"there are {len(exact)} hypotheses, got shape {given.shape}")
        worst = int(np.abs(given - exact).argmax())
        told = f"hypothesis {worst} tells of {exact[worst]:.6f}, not {given[worst]:.6f}"
        _demand(abs(given[worst] - exact[worst]) < 1e-9, f"with {m} records, {told}")


def check_choose_runs(m: int, runs: int) -> None:
    """Check how many records, and runs, the monitor needs for tau = 1/5, epsilon = 1/20, beta = 1/100.

    Parameters
    ----------
    m : int
        Smallest number of records for delta = 0 and one side.
    runs : int
        A number of runs at which the contradiction works with that many records, for some eta.

    Raises
    ------
    AssertionError
        When m is not the smallest number that the library finds, or the runs do not serve.

    Examples
    --------
    >>> check_choose_runs(100, 50)
    Traceback (most recent call last):
    AssertionError: 100 records are not the smallest number
    """
    tau, epsilon, beta = 0.2, 0.05, 0.01
    smallest = monitor_sample_size(tau, epsilon, beta, two_sided=False)
    _demand(m == smallest, f"{m} records are not the smallest number")
    _demand(runs >= 1, f"the number of runs must be positive, got {runs}")
    etas = np.geomspace(1e-3, 3, 2000)
    most = np.tanh((epsilon + etas) / 4) + log(runs + 1) / (etas * m)
    least = tau * (1 - (1 - beta) ** runs)
    _demand(most.min() <= 1.001 * least, f"with {runs} runs the lower bound does not exceed the upper one")


def check_noisy_analyst(play: Callable[[int, int, float, int], float]) -> None:
    """Check a simulation of the analyst who is answered with Gaussian noise.

    Parameters
    ----------
    play : callable
        From the number of features, of records, the standard deviation of the noise and a seed to the error
        of the last answer.

    Raises
    ------
    AssertionError
        When the mean over 200 seeds is not that of the library's simulation.

    Examples
    --------
    >>> check_noisy_analyst(lambda k, m, sigma, seed: 0.0)
    Traceback (most recent call last):
    AssertionError: with noise of 0.001 the mean error is near 0.215, not 0.000
    """
    for sigma in (0.001, 0.1):
        errors = majority_errors(51, 100, answers="gaussian", noise=sigma, repetitions=400, rng=0)
        found = np.array([play(51, 100, sigma, seed) for seed in range(200)], dtype=float)
        spread = np.sqrt(errors.var(ddof=1) / 400 + max(found.var(ddof=1), errors.var(ddof=1)) / 200)
        hint = f"with noise of {sigma} the mean error is near {errors.mean():.3f}, not {found.mean():.3f}"
        _demand(abs(found.mean() - errors.mean()) <= 4 * spread, hint)


def check_stable_overfitter(law: CountLaw) -> None:
    """Check a learner that is stable in total variation and overfits badly with some probability.

    Parameters
    ----------
    law : callable
        From count vectors of ten records of two kinds to probabilities of the hypotheses "first kind",
        "second kind" and "neither is wrong", whose losses are (1, 0), (0, 1) and (0, 0).

    Raises
    ------
    AssertionError
        When the total variation exceeds 1/10, the learner is private, or overfits too rarely on fair coins.

    Examples
    --------
    >>> check_stable_overfitter(lambda counts: np.tile([0.0, 0.0, 1.0], (len(counts), 1)))
    Traceback (most recent call last):
    AssertionError: on fair coins yours overfits by 1/4 with probability 0.0000, below 1/100
    """
    problem = LearningProblem([[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]])
    variation = total_variation_stability(law, 2, 10).value
    _demand(variation <= 0.1 + 1e-12, f"the total variation is {variation:.4f}, above 1/10")
    tail = exact_generalisation_tail(law, problem, [0.5, 0.5], 10, 0.25, two_sided=False)
    found = f"on fair coins yours overfits by 1/4 with probability {tail:.4f}"
    _demand(tail >= 0.01, f"{found}, below 1/100")
    epsilon = exact_privacy(law, 2, 10).value
    _demand(epsilon == inf, f"the exact ε of yours is {epsilon:.4f}; it must be infinite")
