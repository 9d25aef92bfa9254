"""How private to be: the epsilon that minimises epsilon plus the worst-case excess, with a certificate.

With V(epsilon) for the optimum at fixed epsilon, ``epsilon + V(epsilon)`` need not be quasi-convex, so the
search is global, on [0, V(0)].  The multipliers found at one epsilon bound V from below by a function that is
concave in ``x = exp(-epsilon)``, hence above its chords; monotony bounds the objective on [a, b] by ``a +
V(b)``.  The interval with the smallest bound is divided until that bound is close to the best objective.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from privml import _check as check
from privml.learnability.optimal import LARGEST_GAP, LearningSetting, OptimalLearner
from privml.learnability.problem import LearningProblem

MOST_PROGRAMS = 200  # that are solved before the search gives up


class OptimalTradeoff(NamedTuple):
    """The best learner, and all programs that were solved.

    Parameters
    ----------
    learner, objective : OptimalLearner, float
        The best learner, and its ``epsilon + value``.
    lower_bound : float
        On the infimum, certified.
    epsilons, values : tuple of float
        Of all programs that were solved.
    """

    learner: OptimalLearner
    objective: float
    lower_bound: float  # on the infimum, certified
    epsilons: tuple[float, ...]
    values: tuple[float, ...]


def _chord(
    setting: LearningSetting, solved: dict, at: float, a: float, b: float
) -> tuple[float, float]:
    """Level and slope, in exp(-epsilon), of the chord over [a, b] of the bound found at one end."""
    learner, multipliers = solved[at]
    bound = lambda end: setting.program.lower_bound(multipliers, at, end)  # noqa: E731
    low, high = (learner.lower_bound if end == at else bound(end) for end in (a, b))
    slope = (low - high) / (np.exp(-a) - np.exp(-b))
    return high - slope * np.exp(-b), slope


def _interval(
    setting: LearningSetting, solved: dict, a: float, b: float
) -> tuple[float, float]:
    """Lower bound on the objective between two solved points, and where to divide.

    The larger of two convex functions is least at a minimum of either, where they cross, or at an end.
    """
    (level, slope), (other, steeper) = (
        _chord(setting, solved, at, a, b) for at in (a, b)
    )
    crossing = (level - other) / (steeper - slope) if steeper != slope else 1.0
    candidates = np.log(np.maximum([slope, steeper, 1 / max(crossing, 1e-300)], 1e-300))
    points = np.clip(np.append(candidates, [a, b]), a, b)
    x = np.exp(-points)
    bounds = points + np.maximum(level + slope * x, other + steeper * x)
    best, margin = int(np.argmin(bounds)), (b - a) / 8
    bound = max(float(bounds[best]), a + solved[b][0].lower_bound)
    return bound, float(np.clip(points[best], a + margin, b - margin))


def optimal_tradeoff(
    problem: LearningProblem,
    n_samples: int,
    *,
    tolerance: float = 1e-3,
    distributions: ArrayLike | None = None,
    symmetries: Sequence[ArrayLike] = (),
) -> OptimalTradeoff:
    """The private learner that minimises epsilon plus its worst-case excess, up to a tolerance.

    Parameters
    ----------
    problem : LearningProblem
        What is to be learned.
    n_samples : int
        Number of records, a positive integer.
    tolerance : float
        Here the largest distance from the infimum, in (0, 1), at least 1e-6.
    distributions : array_like, optional
        As of :func:`~privml.learnability.optimal_learner`; None is over data sets.
    symmetries : sequence
        As there: permutations of the records that leave the problem as it is.

    Raises
    ------
    ValueError
        If the program is too large.
    RuntimeError
        After 200 programs.

    Notes
    -----
    *Privacy.* The output is epsilon-differentially private under replace-one with the epsilon of the learner, which depends on the problem
    and on `n_samples` and not on the data.

    References
    ----------
    WLF16-eq-6, WLF16-eq-7; WLF16-thm-18 for what the objective bounds.

    Examples
    --------
    >>> best = optimal_tradeoff(LearningProblem([[0.0, 1.0], [1.0, 0.0]]), 20)
    >>> best.learner.epsilon < 0.134, round(best.objective, 3), best.objective - best.lower_bound < 1e-3
    (True, 0.271, True)
    """
    check.probability_open(tolerance=tolerance)
    if tolerance < LARGEST_GAP:
        raise ValueError(
            f"tolerance must be at least {LARGEST_GAP:g}, but got {tolerance!r}."
        )
    setting = LearningSetting.of(problem, n_samples, distributions, symmetries)
    solved = {0.0: setting.optimum(0.0)}
    end = solved[0.0][0].value
    if end > tolerance:
        solved[end] = setting.optimum(end)
    while len(solved) <= MOST_PROGRAMS:
        points = sorted(solved)
        learners = [solved[epsilon][0] for epsilon in points]
        best = min(learners, key=lambda learner: learner.epsilon + learner.value)
        objective = best.epsilon + best.value
        bounds = [
            _interval(setting, solved, a, b)
            for a, b in zip(points, points[1:], strict=False)
        ]
        lower, divide = min(bounds, default=(learners[0].lower_bound, 0.0))
        if objective - lower <= tolerance:
            values = tuple(learner.value for learner in learners)
            return OptimalTradeoff(
                best, objective, min(lower, objective), tuple(points), values
            )
        solved[divide] = setting.optimum(divide)
    raise RuntimeError(
        f"tolerance must be reached with {MOST_PROGRAMS} linear programs, but was not. Use a larger tolerance."
    )


check.wrap_module(__name__)
