r"""How private to be: the epsilon that minimises epsilon plus the worst-case excess, with a certificate.

Write V(epsilon) for the optimum at fixed epsilon.  V does not increase, since the constraints only weaken.
But ``epsilon + V(epsilon)`` need not be convex, not even quasi-convex, so a search that walks downhill can
miss the minimum.  The search here is global.

* Only [0, V(0)] matters: beyond it epsilon alone is larger than the objective at 0.
* The multipliers found at one epsilon give a function f with ``f <= V`` everywhere and equality there.  It
  is a minimum of sums of affine functions of ``x = exp(-epsilon)``, hence concave in x, hence above its
  chords.  On an interval [a, b] the chord ``A + B exp(-epsilon)`` of the f found at a or at b bounds the
  objective from below by the least value of ``epsilon + A + B exp(-epsilon)``, which is at ``epsilon = ln
  B`` or at an end.
* Monotony alone bounds it by ``a + V(b)``.

The interval with the smallest bound is divided until that bound is within the tolerance of the best
objective.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from privml import _check as check
from privml.learnability.base import LearningProblem
from privml.learnability.optimal.base import OptimalLearner
from privml.learnability.optimal.learner import SLACK, Setting

MOST_PROGRAMS = 200


class OptimalTradeoff(NamedTuple):
    """The best epsilon and its learner."""

    learner: OptimalLearner
    objective: float
    lower_bound: float
    epsilons: tuple[float, ...]
    values: tuple[float, ...]


class _Search:
    """Programs solved so far, by epsilon, and the bounds on the intervals between them."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.solved: dict = {}

    def solve(self, epsilon: float) -> OptimalLearner:
        self.solved[epsilon] = self.setting.optimum(epsilon)
        return self.solved[epsilon][0]

    def bound_from(self, solved: float, epsilon: float) -> float:
        learner, multipliers = self.solved[solved]
        if solved == epsilon:
            return learner.lower_bound
        return self.setting.program.lower_bound(multipliers, solved, epsilon)

    def chord(self, solved: float, a: float, b: float) -> tuple[float, float]:
        """Level and slope, in exp(-epsilon), of the chord over [a, b] of the bound found at one end."""
        low, high = self.bound_from(solved, a), self.bound_from(solved, b)
        slope = (low - high) / (np.exp(-a) - np.exp(-b))
        return high - slope * np.exp(-b), slope

    def interval(self, a: float, b: float) -> tuple[float, float]:
        """Lower bound on the objective between two solved points, and where to divide.

        The larger of two convex functions is least at a minimum of either, where they cross, or at an end.
        """
        (level, slope), (other, steeper) = self.chord(a, a, b), self.chord(b, a, b)
        crossing = (level - other) / (steeper - slope) if steeper != slope else 1.0
        candidates = np.log(np.maximum([slope, steeper, 1 / max(crossing, 1e-300)], 1e-300))
        points = np.clip(np.append(candidates, [a, b]), a, b)
        x = np.exp(-points)
        bounds = points + np.maximum(level + slope * x, other + steeper * x)
        best = int(np.argmin(bounds))
        margin = (b - a) / 8
        bound = max(float(bounds[best]), a + self.solved[b][0].lower_bound)
        return bound, float(np.clip(points[best], a + margin, b - margin))

    def objective(self) -> float:
        return min(epsilon + learner.value for epsilon, (learner, _) in self.solved.items())


def optimal_tradeoff(
    problem: LearningProblem,
    n_samples: int,
    *,
    tolerance: float = 1e-3,
    distributions: ArrayLike | None = None,
    symmetries: Sequence[ArrayLike] = (),
) -> OptimalTradeoff:
    r"""The private learner that minimises epsilon plus its worst-case excess empirical risk.

    **Returns.** OptimalTradeoff: the learner, the objective ``epsilon + value``, a certified lower bound on
    the infimum, and the epsilons tried with the values of their learners.
    **Privacy.** epsilon-DP under replace-one with the epsilon of the learner, which depends on the problem
    and on `n_samples` and not on the data.
    **Source.** WLF16-eq-6, WLF16-eq-7; WLF16-thm-18 for what the objective bounds.

    Parameters
    ----------
    tolerance : float
        How far the objective may be from the infimum, in (0, 1).
    distributions, symmetries
        As for :func:`~privml.learnability.optimal.optimal_learner`.

    Raises
    ------
    ValueError
        If a parameter is out of range, the universe is too large, or a permutation is no symmetry.
    RuntimeError
        If `MOST_PROGRAMS` programs do not reach the tolerance.

    Examples
    --------
    >>> coin = LearningProblem([[0.0, 1.0], [1.0, 0.0]])
    >>> best = optimal_tradeoff(coin, 20)
    >>> round(best.learner.epsilon, 2), round(best.objective, 3), best.objective - best.lower_bound < 1e-3
    (0.13, 0.271, True)
    """
    check.probability_open(tolerance=tolerance)
    if tolerance < SLACK:
        raise ValueError(f"tolerance must be at least {SLACK:g}, got {tolerance!r}")
    search = _Search(Setting.of(problem, n_samples, distributions, symmetries))
    at_zero = search.solve(0.0)
    if at_zero.value > tolerance:
        search.solve(at_zero.value)
    while len(search.solved) <= MOST_PROGRAMS:
        points = sorted(search.solved)
        bounds = [(*search.interval(a, b), b) for a, b in zip(points, points[1:], strict=False)]
        lower, divide, _ = min(bounds, default=(at_zero.lower_bound, 0.0, 0.0))
        if search.objective() - lower <= tolerance:
            return _result(search, lower)
        search.solve(divide)
    raise RuntimeError(f"the tolerance was not reached with {MOST_PROGRAMS} programs")


def _result(search: _Search, lower: float) -> OptimalTradeoff:
    points = sorted(search.solved)
    learners = [search.solved[epsilon][0] for epsilon in points]
    best = min(learners, key=lambda learner: learner.epsilon + learner.value)
    values = tuple(learner.value for learner in learners)
    return OptimalTradeoff(
        best, best.epsilon + best.value, min(lower, best.epsilon + best.value), tuple(points), values
    )
