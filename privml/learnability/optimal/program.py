r"""The linear program of the best private learner, its solution, and the certificate that there is no better.

**Unknowns.**  ``p(h | c)``, the probability of hypothesis h on the data set with counts c; the bound t; and
for every data set w of one record less a number ``u(w, h)``.

**Privacy.**  The data sets ``w + z`` that complete w are neighbours of each other, and all neighbours arise
in this way.  So ``p(h | c) <= e^epsilon p(h | c')`` for all neighbours says that the largest of the numbers
``p(h | w + z)`` is at most ``e^epsilon`` times the smallest, that is

.. math:: u(w, h) \le p(h \mid w + z) \le e^{\varepsilon}\, u(w, h) \qquad \text{for some } u(w, h):

two rows for each (w, z, h) in place of one for each pair of neighbours and h, and two entries a row.

**Objective.**  Minimise t with ``sum_h p(h | c) gap(c, h) <= t`` for every c, or with the same averaged over
the samples of each distribution.

**Certificate.**  Let y be multipliers of the constraints, of the right sign.  Adding the constraints with
these weights to the objective shows that t is at least the sum, over data sets, of the smallest reduced cost
of its hypotheses, plus the negative reduced costs of the u (which may be taken in [0, 1]).  This holds for
*any* y; the solver's y makes it sharp.  Dividing the multipliers of the upper rows by ``e^(epsilon' -
epsilon)`` leaves the costs of u as they are and gives a bound for every other epsilon'.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from privml.adjacency import n_multisets
from privml.learnability.base import LearningProblem
from privml.learnability.counts import cliques, count_vectors, sample_probabilities
from privml.learnability.optimal.symmetry import Symmetry, components, moved_rows, orbits

METHODS = ("highs-ipm", "highs-ds")
"""Solvers of HiGHS in the order in which they are tried: interior points are the faster ones here."""

LARGEST_PROGRAM = 600_000
"""Most rows of privacy, before symmetries are used; a program of that size takes minutes."""


class Solution(NamedTuple):
    """What the solver returned: the law, not yet exactly private, and multipliers at most 0."""

    law: NDArray[np.float64]
    multipliers: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Program:
    """The program of one problem and one sample size, for every epsilon.

    Attributes
    ----------
    columns : ndarray of int, shape (n_datasets, n_hypotheses)
        The unknown that holds each probability; the symmetries make some of them one.
    privacy : ndarray of int, shape (n_rows, 2)
        For each pair of rows of privacy the columns of p and of u.
    objective : sparse array
        Rows ``sum p gap - t <= 0``, one for each data set or distribution.
    normalisation : sparse array
        Rows ``sum p = 1``.
    """

    columns: NDArray[np.intp]
    privacy: NDArray[np.intp]
    objective: object
    normalisation: object

    def inequalities(self, epsilon: float):
        """Matrix of the inequalities: upper rows, lower rows, objective; all right sides are 0."""
        from scipy.sparse import csr_array, vstack

        count = len(self.privacy)
        places = np.arange(count).repeat(2), self.privacy.ravel()
        shape = count, self.objective.shape[1]
        upper = csr_array((np.tile([1.0, -np.exp(epsilon)], count), places), shape=shape)
        lower = csr_array((np.tile([-1.0, 1.0], count), places), shape=shape)
        return vstack([upper, lower, self.objective], format="csr")

    def solve(self, epsilon: float, method: str) -> Solution:
        """Law and multipliers at the optimum for one epsilon."""
        matrix = self.inequalities(epsilon)
        x, multipliers = solution(matrix, np.zeros(matrix.shape[0]), self.normalisation, method)
        return Solution(x[self.columns], multipliers)

    def lower_bound(self, multipliers: NDArray, solved: float, epsilon: float) -> float:
        """What multipliers found at one epsilon prove about the optimum at another."""
        weights = multipliers.copy()
        weights[: len(self.privacy)] *= np.exp(solved - epsilon)
        matrix = self.inequalities(epsilon)
        right = np.zeros(matrix.shape[0])
        return certificate(matrix, right, self.normalisation, weights, self.objective.shape[0])


def solution(matrix, right: NDArray, normalisation, method: str) -> tuple[NDArray, NDArray]:
    """Minimise the last unknown; return all of them and the multipliers of the inequalities.

    Raises
    ------
    ValueError
        If no learner satisfies the constraints or the solver gives up.
    """
    from scipy.optimize import linprog

    cost = np.zeros(matrix.shape[1])
    cost[-1] = 1.0
    ones = np.ones(normalisation.shape[0])
    options = {"primal_feasibility_tolerance": 1e-9, "dual_feasibility_tolerance": 1e-9}
    found = linprog(
        cost, matrix, right, normalisation, ones, bounds=(0, None), method=method, options=options
    )
    if found.status == 2:
        raise ValueError("constraints must allow a learner, got an infeasible program")
    if found.status != 0:
        raise ValueError(f"the program must be one that the solver can carry, got: {found.message}")
    return found.x, np.minimum(found.ineqlin.marginals, 0.0)


def certificate(matrix, right: NDArray, normalisation, weights: NDArray, n_objective: int) -> float:
    """Lower bound on the optimum that multipliers of the inequalities prove, whatever they are.

    The unknowns other than p may be taken in [0, 1], so that a negative reduced cost costs no more than
    itself; each p stands in one row of the normalisation, whose multiplier is chosen best.  What sums of
    floats may be off by is taken away.  Without weight on the objective it is 0: no excess is negative.
    """
    weights = np.minimum(weights, 0.0)
    objective = slice(matrix.shape[0] - n_objective, None)
    total = -weights[objective].sum()
    if total == 0:
        return 0.0
    with np.errstate(all="ignore"):
        weights = weights / total
        reduced = -(matrix.T @ weights)
        terms = abs(matrix).T @ -weights
        homes = normalisation.tocoo()
        smallest = np.full(normalisation.shape[0], np.inf)
        np.minimum.at(smallest, homes.row, reduced[homes.col] / homes.data)
        others = np.ones(matrix.shape[1], dtype=bool)
        others[homes.col] = False
        others[-1] = False
        bound = smallest.sum() + np.minimum(reduced[others], 0.0).sum() + weights @ right
        rounding = np.finfo(float).eps * (terms.sum() + abs(bound))
    return float(bound - rounding) if np.isfinite(bound - rounding) else -np.inf


def _refuse_large(n_records: int, n_samples: int, n_hypotheses: int) -> None:
    rests = n_multisets(n_records, n_samples - 1)
    rows = 2 * rests * n_records * n_hypotheses
    if rows > LARGEST_PROGRAM:
        raise ValueError(
            f"the program must have at most {LARGEST_PROGRAM} rows of privacy, got {rows} for "
            f"{n_multisets(n_records, n_samples)} data sets; take fewer records, hypotheses or n_samples"
        )


def _rows(columns: NDArray, values: NDArray, n_columns: int):
    """Sparse array with the given values in the given columns of each row; equal places add up."""
    from scipy.sparse import coo_array

    rows = np.arange(len(columns)).repeat(columns.shape[1])
    return coo_array((values.ravel(), (rows, columns.ravel())), shape=(len(columns), n_columns)).tocsr()


def _first_of_orbits(images: Sequence[NDArray], count: int) -> NDArray[np.intp]:
    """One data set of every orbit."""
    return np.unique(components(count, images), return_index=True)[1]


def privacy_program(
    problem: LearningProblem,
    n_samples: int,
    symmetries: Sequence[Symmetry] = (),
    distributions: NDArray[np.float64] | None = None,
) -> Program:
    """Put the program together.

    Raises
    ------
    ValueError
        If the universe is too large; the message says the count and the limit.
    """
    n_records, n_hypotheses = problem.n_records, problem.n_hypotheses
    _refuse_large(n_records, n_samples, n_hypotheses)
    counts, completed = count_vectors(n_records, n_samples), cliques(n_records, n_samples)
    images, rest_images = moved_rows(counts, symmetries), _rest_images(n_records, n_samples, symmetries)
    columns = orbits(images, symmetries, (len(counts), n_hypotheses))
    bounds = columns.max() + 1 + orbits(rest_images, symmetries, (len(completed), n_hypotheses))
    n_columns = int(bounds.max()) + 2
    kept, kept_rests = _first_of_orbits(images, len(counts)), _first_of_orbits(rest_images, len(completed))
    laws = columns[completed[kept_rests]]
    lows = np.broadcast_to(bounds[kept_rests][:, None], laws.shape)
    return Program(
        columns=columns,
        privacy=np.unique(np.stack([laws, lows], axis=-1).reshape(-1, 2), axis=0),
        objective=_objective(problem, counts, columns, kept, n_columns, distributions),
        normalisation=_rows(columns[kept], np.ones((len(kept), n_hypotheses)), n_columns),
    )


def _objective(problem, counts, columns, kept, n_columns: int, distributions: NDArray | None):
    """Rows of the excess: of one data set of each orbit, or expected under each distribution; less t."""
    gaps = problem.excess_empirical_risk(counts)
    places, values = columns[kept], gaps[kept]
    if distributions is not None:
        weights = sample_probabilities(counts, distributions)
        values = (weights[:, :, None] * gaps).reshape(len(weights), -1)
        places = np.broadcast_to(columns.ravel(), values.shape)
    bound = np.full((len(values), 1), n_columns - 1)
    return _rows(np.hstack([places, bound]), np.hstack([values, -np.ones(bound.shape)]), n_columns)


def _rest_images(n_records: int, n_samples: int, symmetries: Sequence[Symmetry]) -> list[NDArray]:
    """Images of the data sets of one record less; there is one empty data set."""
    if n_samples == 1:
        return [np.zeros(1, dtype=np.intp) for _ in symmetries]
    return moved_rows(count_vectors(n_records, n_samples - 1), symmetries)
