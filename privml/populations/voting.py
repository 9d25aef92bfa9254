"""Problems in which a vote is better, or worse, than every voter."""

from typing import NamedTuple

import numpy as np

from privml import _check as check
from privml.hypotheses import Table
from privml.populations.base import FinitePopulation


class VotingProblem(NamedTuple):
    """A class on a finite domain, and a population whose labels are all True on it."""

    hypotheses: Table
    population: FinitePopulation

    @property
    def masses(self) -> np.ndarray:
        """Probability of each point of the domain."""
        return self.population.probabilities


def _problem(rows: list[list[int]], masses: list[float]) -> VotingProblem:
    table = Table(np.array(rows, dtype=bool))
    labels = np.ones(table.n_points, dtype=bool)
    return VotingProblem(table, FinitePopulation(np.arange(table.n_points), labels, masses))


def voting_fails_example(with_centre: bool = False, best_error: float = 0.5) -> VotingProblem:
    """Four equally likely points and three hypotheses, each right on two; their majority is right on one.

    All labels are True.  The first three hypotheses have error e, the fourth and the majority ``3 e / 2``.
    **Returns.** VotingProblem: with five points, the last of mass 0 for ``best_error = 1/2``.
    **Source.** LZCW21-ex-1; with the fourth hypothesis LZCW21-rem-inconsistency.

    Parameters
    ----------
    with_centre : bool, default False
        Add the majority of the three, ``(1, 0, 0, 0)``, as a fourth hypothesis.
    best_error : float, default 1/2
        Least true error e, in (0, 1/2]: a fifth point, where all hypotheses are right, has mass ``1 - 2 e``.

    Raises
    ------
    ValueError
        If `best_error` is out of range.

    Examples
    --------
    >>> hypotheses, population = voting_fails_example(with_centre=True, best_error=0.25)
    >>> population.error_rates(hypotheses).tolist()
    [0.25, 0.25, 0.25, 0.375]
    """
    check.flag(with_centre=with_centre)
    check.positive(best_error=best_error)
    if best_error > 0.5:
        raise ValueError(f"best_error must be at most 1/2, got {best_error!r}")
    rows = [[1, 1, 0, 0, 1], [1, 0, 1, 0, 1], [1, 0, 0, 1, 1]] + [[1, 0, 0, 0, 1]] * with_centre
    return _problem(rows, [best_error / 2] * 4 + [1 - 2 * best_error])


def voting_wins_example() -> VotingProblem:
    """Three equally likely points and three hypotheses, each wrong on one point; their majority is right.

    **Source.** A case of LZCW21-ex-2 with ``xi = 1/6`` for a teacher that draws uniformly from the class.

    Returns
    -------
    VotingProblem

    Examples
    --------
    >>> hypotheses, population = voting_wins_example()
    >>> population.error_rates(hypotheses).round(3).tolist()
    [0.333, 0.333, 0.333]
    """
    return _problem([[0, 1, 1], [1, 0, 1], [1, 1, 0]], [1 / 3] * 3)
