"""Problems that are known exactly: thresholds on a line, a hostile case, and votes."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from privml import _check as check
from privml.hypotheses import Table, Thresholds
from privml.populations.base import FinitePopulation, regression_population


@dataclass(frozen=True, kw_only=True)
class TsybakovLine:
    r"""Equally likely points of [0, 1], labelled by the threshold at 1/2 with noise of a known exponent.

    The N points are the midpoints of N cells of equal length.  With v the distance of the outer edge of a
    point's cell from 1/2, in units of 1/2, the noise margin at the point is
    ``scale * v**((1 - tau) / tau) / 2``.

    The number of points within t of 1/2 is such that ``Pr[|r - 1/2| <= t] <= C t**(tau / (1 - tau))``
    with ``C = (2 / scale)**(tau / (1 - tau))``, and with equality at every margin: no smaller C will do.
    At tau = 1 the noise is bounded, of rate ``(1 - scale) / 2``, which is none at all for ``scale = 1``.

    Parameters
    ----------
    tau : float
        Exponent of the noise condition, in (0, 1]; at 1 all margins are ``scale / 2``.
    n_points : int
        Number N of points, a positive integer, even.
    scale : float
        Here the largest margin in units of 1/2, in (0, 1].

    Raises
    ------
    ValueError
        If `n_points` is odd.

    References
    ----------
    LZCW21-def-8; for tau = 1 LZCW21-rem-massart.

    Examples
    --------
    >>> line = TsybakovLine(tau=0.5, n_points=4)
    >>> line.regression.tolist()
    [0.0, 0.25, 0.75, 1.0]
    >>> line.population.best(line.hypotheses)
    BestHypothesis(index=2, error=0.125)
    """

    tau: float
    n_points: int
    scale: float = 1.0

    def __post_init__(self) -> None:
        check.share(tau=self.tau, scale=self.scale)
        check.positive_integer(n_points=self.n_points)
        if self.n_points % 2:
            raise ValueError(f"n_points must be even, but got {self.n_points!r}.")

    @property
    def points(self) -> NDArray[np.float64]:
        """Midpoints of the cells."""
        return (np.arange(self.n_points) + 0.5) / self.n_points

    @property
    def regression(self) -> NDArray[np.float64]:
        """``Pr[y = 1 | x]`` at every point."""
        half = self.n_points // 2
        outer = (np.arange(half) + 1) / half
        margins = self.scale * outer ** ((1 - self.tau) / self.tau) / 2
        return np.concatenate([0.5 - margins[::-1], 0.5 + margins])

    @property
    def hypotheses(self) -> Thresholds:
        """Thresholds at the N + 1 ends of cells; the best one has index N / 2."""
        return Thresholds(np.arange(self.n_points + 1) / self.n_points)

    @property
    def population(self) -> FinitePopulation:
        """The law of a labelled point."""
        masses = np.full(self.n_points, 1 / self.n_points)
        return regression_population(self.points, masses, self.regression)

    @property
    def tail_constant(self) -> float:
        """The least C of the noise condition; infinite for tau = 1, where margins are bounded instead."""
        if self.tau == 1:
            return np.inf
        return float((2 / self.scale) ** (self.tau / (1 - self.tau)))

    @property
    def excess(self) -> NDArray[np.float64]:
        """True error of every threshold minus the least."""
        costs = 2 * np.abs(self.regression - 0.5) / self.n_points
        half = self.n_points // 2
        left, right = np.cumsum(costs[:half][::-1])[::-1], np.cumsum(costs[half:])
        return np.concatenate([left, [0.0], right])


def agnostic_line(n_points: int, gap: float) -> FinitePopulation:
    """Points of [0, 1] whose labels no threshold fits, and for which two far thresholds nearly tie.

    The best classifier is an interval.  Among thresholds the cut at 1/3 has error ``(1 - gap) / 3``, and the
    cut at 1 an excess of ``2 gap / 3`` only, at distance 2/3: no noise condition for the class holds with a
    constant that does not grow as the gap closes.

    Parameters
    ----------
    n_points : int
        Number of points, a positive integer, a multiple of 3: equally likely midpoints of cells.
    gap : float
        Probability of the label True in the last third, non-negative, at most 1/2.

    Returns
    -------
    FinitePopulation
        Labels are False in the first third and True in the second.

    References
    ----------
    LZCW21-rem-agnostic-vacuous; LZCW21-lem-9 is the condition that fails.

    Examples
    --------
    >>> cuts = Thresholds([0.0, 1 / 3, 2 / 3, 1.0])
    >>> agnostic_line(3, 0.0).error_rates(cuts).round(4).tolist()
    [0.6667, 0.3333, 0.6667, 0.3333]
    """
    check.positive_integer(n_points=n_points)
    check.non_negative(gap=gap)
    if n_points % 3 or gap > 0.5:
        raise ValueError(
            f"n_points must be a multiple of 3 and gap at most 1/2, but got {n_points!r}, {gap!r}."
        )
    points = (np.arange(n_points) + 0.5) / n_points
    regression = np.repeat([0.0, 1.0, gap], n_points // 3)
    return regression_population(points, np.full(n_points, 1 / n_points), regression)


class VotingProblem(NamedTuple):
    """A class on a finite domain, and a population whose labels are all True on it.

    Parameters
    ----------
    hypotheses : Table
        Candidates, on a finite domain.
    population : FinitePopulation
        Where records come from; all labels are True.
    """

    hypotheses: Table
    population: FinitePopulation

    @property
    def masses(self) -> NDArray[np.float64]:
        """Probability of each point of the domain."""
        return self.population.probabilities


def _problem(rows: list[list[int]], masses: list[float]) -> VotingProblem:
    table = Table(np.array(rows, dtype=bool))
    labels = np.ones(table.n_points, dtype=bool)
    return VotingProblem(
        table, FinitePopulation(np.arange(table.n_points), labels, masses)
    )


def voting_fails_example(
    with_centre: bool = False, best_error: float = 0.5
) -> VotingProblem:
    """Four equally likely points and three hypotheses, each right on two; their majority is right on one.

    All labels are True.  The first three hypotheses have error e, the fourth and the majority ``3 e / 2``.

    Parameters
    ----------
    with_centre : bool
        Whether to add the majority of the three, ``(1, 0, 0, 0)``, as a fourth hypothesis.
    best_error : float
        Here the least error in the class e, positive, at most 1/2: a fifth point has mass ``1 - 2 e``.

    Returns
    -------
    VotingProblem
        With five points, the last of mass 0 for ``best_error = 1/2``.

    References
    ----------
    LZCW21-ex-1; with the fourth hypothesis LZCW21-rem-inconsistency.

    Examples
    --------
    >>> hypotheses, population = voting_fails_example(with_centre=True, best_error=0.25)
    >>> population.error_rates(hypotheses).tolist()
    [0.25, 0.25, 0.25, 0.375]
    """
    check.flag(with_centre=with_centre)
    check.positive(best_error=best_error)
    if best_error > 0.5:
        raise ValueError(f"best_error must be at most 1/2, but got {best_error!r}.")
    rows = [[1, 1, 0, 0, 1], [1, 0, 1, 0, 1], [1, 0, 0, 1, 1]] + [
        [1, 0, 0, 0, 1]
    ] * with_centre
    return _problem(rows, [best_error / 2] * 4 + [1 - 2 * best_error])


def voting_wins_example() -> VotingProblem:
    """Three equally likely points and three hypotheses, each wrong on one point; their majority is right.

    References
    ----------
    A case of LZCW21-ex-2 with ``xi = 1/6`` for a teacher that draws uniformly from the class.

    Examples
    --------
    >>> hypotheses, population = voting_wins_example()
    >>> population.error_rates(hypotheses).round(3).tolist()
    [0.333, 0.333, 0.333]
    """
    return _problem([[0, 1, 1], [1, 0, 1], [1, 1, 0]], [1 / 3] * 3)


check.wrap_module(__name__)
