"""Checkers for the exercises of the chapter on learning without privacy.

Each recomputes what it asks for in another way than the chapter's solution, or tests what defines it.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from math import comb, exp

import numpy as np
from numpy.typing import ArrayLike

from privml import audit, pac
from privml.adjacency import multisets
from privml.hypotheses import HypothesisClass, Table, Thresholds
from privml.learners.erm import erm_law
from privml.populations import FinitePopulation

__all__ = [
    "check_blurred_erm",
    "check_deviation",
    "check_growing_class",
    "check_memoriser",
    "check_realizable",
]

_CLOSE = 1e-9


def _demand(condition: bool, hint: str) -> None:
    if not condition:
        raise AssertionError(hint)


def check_realizable(answer: Callable[[int, float, float], int]) -> None:
    """Check a sample size for realizable learning of a finite class.

    Parameters
    ----------
    answer : callable
        From (n_hypotheses, alpha, beta) to the smallest m with ``n_hypotheses * exp(-alpha * m) <= beta``.

    Raises
    ------
    AssertionError
        If a sample size is not enough, or more than enough.
    """
    for n_hypotheses, alpha, beta in ((1, 0.5, 0.5), (3, 0.2, 0.05), (1000, 0.01, 0.001), (2**40, 0.3, 0.2)):
        m = answer(n_hypotheses, alpha, beta)
        case = f"for n_hypotheses={n_hypotheses}, alpha={alpha}, beta={beta} you found m={m}"
        _demand(m == int(m) and m >= 1, f"{case}: a sample size is a positive whole number")
        _demand(
            n_hypotheses * exp(-alpha * m) <= beta * (1 + _CLOSE), f"{case}: the bound is still above beta"
        )
        enough = m == 1 or n_hypotheses * exp(-alpha * (m - 1)) > beta * (1 - _CLOSE)
        _demand(enough, f"{case}: one sample fewer would do (is alpha squared in your formula?)")


def check_deviation(answer: Callable[[float, int, float], float]) -> None:
    """Check an exact deviation probability of one empirical error.

    Parameters
    ----------
    answer : callable
        From (error_rate, n_samples, deviation) to ``P(|empirical error - error_rate| > deviation)``.

    Raises
    ------
    AssertionError
        If a value is off, with a hint where the reason is known.
    """
    cases = (
        ("1/2", 10, "1/5"),
        ("7/10", 10, "1/10"),
        ("3/10", 10, "2/10"),
        ("0", 5, "1/4"),
        ("2/5", 31, "1/7"),
    )
    for texts in cases:
        error, m, deviation = Fraction(texts[0]), texts[1], Fraction(texts[2])
        law = [comb(m, k) * error**k * (1 - error) ** (m - k) for k in range(m + 1)]
        gaps = [abs(Fraction(k, m) - error) for k in range(m + 1)]
        right = float(sum(p for p, gap in zip(law, gaps, strict=True) if gap > deviation))
        weak = float(sum(p for p, gap in zip(law, gaps, strict=True) if gap >= deviation))
        found = float(answer(float(error), m, float(deviation)))
        case = f"error_rate={texts[0]}, n_samples={m}, deviation={texts[2]}: you found {found:.6g}"
        on_the_edge = right + _CLOSE < found <= weak + _CLOSE
        _demand(not on_the_edge, f"{case}; a deviation of just {texts[2]} must not count (mind the rounding)")
        _demand(abs(found - right) < _CLOSE, f"{case}, which is off by {found - right:.3g}")


def check_growing_class(answer: Mapping[int, float]) -> None:
    """Check failure probabilities of ERM for realizable thresholds.

    There are K cut points between K + 1 equally likely instances; the truth is the middle cut (number
    K // 2, counted from 0), m = 10, alpha = 0.2, and ERM takes the first rule without mistakes.

    Parameters
    ----------
    answer : mapping
        From K = 3, 5, 9 to the exact failure probability.

    Raises
    ------
    AssertionError
        If an entry is missing or off.
    """
    _demand(set(answer) == {3, 5, 9}, f"give an entry for each of K = 3, 5, 9, not for {sorted(answer)}")
    for n_cuts, found in answer.items():
        empty = next(t for t in range(n_cuts) if t / (n_cuts + 1) > 0.2 + 1e-12)
        right = (1 - empty / (n_cuts + 1)) ** 10
        hint = f"K = {n_cuts}: you found {found!r}, but failing means that {empty} instances next to the cut"
        _demand(abs(found - right) < _CLOSE, f"{hint} are missing in the sample")


def check_memoriser(answer: tuple[HypothesisClass, FinitePopulation, int]) -> None:
    """Check a class and a population on which a small training error means nothing.

    Parameters
    ----------
    answer : tuple
        (hypotheses, population, n_samples) with n_samples at least 2: ERM, with the first minimiser, must
        reach an empirical error of at most the best true error on every sample, and have a true error
        more than 1/2 above the best on every sample.

    Raises
    ------
    AssertionError
        If either fails, with its exact probability.
    """
    hypotheses, population, n_samples = answer
    _demand(n_samples >= 2, f"take at least 2 samples, not {n_samples}")
    losses = population.losses(hypotheses)[:, population.probabilities > 0].astype(int)
    best = population.best(hypotheses).error
    mistakes = losses[:, multisets(losses.shape[1], n_samples)].sum(axis=2)
    worst = mistakes.min(axis=0).max() / n_samples
    _demand(
        worst <= best + _CLOSE,
        f"on some sample the training error is {worst:.3f}, the best true error {best:.3f}",
    )
    fails = pac.failure_probability(erm_law("first"), hypotheses, population, n_samples, 0.5)
    _demand(fails > 1 - _CLOSE, f"with probability {1 - fails:.4f} the true error is within 1/2 of the best")


def check_blurred_erm(answer: Callable[[float, int], float]) -> None:
    """Check how much blur makes ERM private.

    Blurred ERM outputs, with probability gamma, a hypothesis chosen uniformly from all K, and otherwise
    the first minimiser.

    Parameters
    ----------
    answer : callable
        From (epsilon, K) to the smallest gamma for which it is epsilon-DP under replace-one.

    Raises
    ------
    AssertionError
        If the exact audit finds another epsilon.
    """
    wide = Thresholds([0.5, 1.5, 2.5])
    cases = ((Table([[False], [True]]), [0], 3), (wide, [0, 1, 2, 3], 2))
    for hypotheses, points, n_samples in cases:
        universe = np.repeat(np.array(points), 2), np.tile([False, True], len(points))
        for epsilon in (0.1, 1.0, 3.0):
            gamma = answer(epsilon, hypotheses.n_hypotheses)
            _demand(0 < gamma <= 1, f"gamma must be a probability and not 0, you found {gamma!r}")
            law = _blurred(hypotheses, gamma)
            found = audit.exact(law, universe, n_samples).epsilon
            case = f"K={hypotheses.n_hypotheses}, gamma={gamma:.4f}: the exact epsilon is {found:.4f}"
            _demand(found <= epsilon + _CLOSE, f"{case}, more than {epsilon}")
            _demand(found >= epsilon - _CLOSE, f"{case}, less than {epsilon}: a smaller gamma would do")


def _blurred(hypotheses: HypothesisClass, gamma: float) -> Callable[[tuple], ArrayLike]:
    law = erm_law("first")
    return lambda data: (1 - gamma) * law(hypotheses.mistakes(*data)) + gamma / hypotheses.n_hypotheses
