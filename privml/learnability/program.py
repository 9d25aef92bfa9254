"""The linear program of the best private learner, its solution, and the certificate that there is no better.

Unknowns are ``p(h | c)``, the probability of hypothesis h on the data set with counts c, the bound t, and
for every data set w of one record less a number u(w, h), ``u(w, h) <= p(h | w + z) <= e^epsilon u(w, h)``:
two rows for each (w, z, h) in place of one for each pair of neighbours and h.  Minimised is t with
``sum_h p(h | c) gap(c, h) <= t`` for every c, or the same averaged over the samples of each distribution.
All (data set, hypothesis) pairs of one orbit of the symmetries share one unknown.  The proofs, and that of
the certificate, are in the chapter *Optimal private learning*.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml.adjacency import n_multisets
from privml.divergences.finite import stick_of_logs
from privml.learnability.problem import (
    LearningProblem,
    count_vector_rows,
    count_vectors,
    neighbour_cliques,
    sample_probabilities,
)

SOLVERS = (
    "highs-ipm",
    "highs-ds",
)  # of HiGHS, in the order of trials; interior points are faster here
LARGEST_PROGRAM = (
    600_000  # most rows of privacy, before symmetries are used; that size takes minutes
)
DIGITS = 12  # decimals to which losses must agree to count as equal


class Symmetry(NamedTuple):
    """A symmetry: the images of the records and of the hypotheses."""

    records: NDArray[np.intp]
    hypotheses: NDArray[np.intp]


def symmetry(problem: LearningProblem, records: ArrayLike) -> Symmetry:
    """Complete a permutation of the records to a symmetry of the problem.

    Parameters
    ----------
    problem : LearningProblem
        What is to be learned.
    records : array_like
        A permutation, integers of shape (n_records,), ``records[z]`` the image of z.

    Returns
    -------
    Symmetry
        With the images of records and of hypotheses.

    Raises
    ------
    ValueError
        If it is no permutation, or does not map the hypotheses to each other.

    References
    ----------
    WLF16-eq-6, for the averaging argument in the module's text.

    Examples
    --------
    >>> from privml.hypotheses import Thresholds
    >>> problem = LearningProblem.of_class(Thresholds([0.0, 1.0, 2.0]), [0.0, 1.0])
    >>> symmetry(problem, [3, 2, 1, 0]).hypotheses.tolist()
    [2, 1, 0]
    """
    check.instance(LearningProblem, problem=problem)
    images = np.asarray(records)
    if images.ndim != 1 or not np.array_equal(
        np.sort(images), np.arange(problem.n_records)
    ):
        raise ValueError(
            f"symmetries must be permutations of the records, but got {records!r}."
        )
    table = problem.losses.round(DIGITS) + 0.0
    moved = table[:, np.argsort(images)]
    order, moved_order = (np.lexsort(rows.T[::-1]) for rows in (table, moved))
    if not np.array_equal(table[order], moved[moved_order]):
        raise ValueError(
            f"symmetries must map the hypotheses to each other, but got {images.tolist()}."
        )
    hypotheses = np.empty(problem.n_hypotheses, dtype=np.intp)
    hypotheses[moved_order] = order
    return Symmetry(images.astype(np.intp), hypotheses)


def moved_rows(
    counts: NDArray[np.int64], symmetries: Sequence[Symmetry]
) -> list[NDArray[np.intp]]:
    """For each symmetry, the rows of the images of all count vectors of one size."""
    return [
        count_vector_rows(counts[:, np.argsort(each.records)]) for each in symmetries
    ]


def components(size: int, images: Sequence[NDArray[np.intp]]) -> NDArray[np.intp]:
    """Label 0, ..., size - 1 by their orbits under the group that some permutations generate."""
    if not images:
        return np.arange(size)
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    places = np.tile(np.arange(size), len(images)), np.concatenate(images)
    graph = coo_array(
        (np.ones(len(places[0]), dtype=np.int8), places), shape=(size, size)
    )
    return connected_components(graph, directed=False)[1].astype(np.intp)


def orbits(
    images: Sequence[NDArray[np.intp]],
    symmetries: Sequence[Symmetry],
    shape: tuple[int, int],
) -> NDArray[np.intp]:
    """Label the (data set, hypothesis) pairs, a table of the given shape, by their orbits."""
    cells = np.arange(shape[0] * shape[1]).reshape(shape)
    targets = [
        cells[rows][:, each.hypotheses]
        for each, rows in zip(symmetries, images, strict=True)
    ]
    return components(cells.size, [target.ravel() for target in targets]).reshape(shape)


class Solution(NamedTuple):
    """What the solver returned: the law, not yet exactly private, and multipliers at most 0."""

    output_table: NDArray[np.float64]
    multipliers: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Program:
    """The program of one problem and one sample size, for every epsilon."""

    columns: NDArray[
        np.intp
    ]  # (n_datasets, n_hypotheses): the unknown that holds each probability
    privacy: NDArray[
        np.intp
    ]  # (n_rows, 2): for each pair of rows of privacy the columns of p and of u
    objective: (
        Any  # sparse rows ``sum p gap - t <= 0``, one for each data set or distribution
    )
    normalisation: Any  # sparse rows ``sum p = 1``

    def inequalities(self, epsilon: float) -> Any:
        """Matrix of the inequalities: upper rows, lower rows, objective; all right sides are 0."""
        from scipy.sparse import csr_array, vstack

        count = len(self.privacy)
        places = np.arange(count).repeat(2), self.privacy.ravel()
        shape = count, self.objective.shape[1]
        upper = csr_array(
            (np.tile([1.0, -np.exp(epsilon)], count), places), shape=shape
        )
        lower = csr_array((np.tile([-1.0, 1.0], count), places), shape=shape)
        return vstack([upper, lower, self.objective], format="csr")

    def solve(self, epsilon: float, method: str) -> Solution:
        """Law and multipliers at the optimum for one epsilon."""
        matrix = self.inequalities(epsilon)
        x, multipliers = solution(
            matrix, np.zeros(matrix.shape[0]), self.normalisation, method
        )
        return Solution(x[self.columns], multipliers)

    def lower_bound(self, multipliers: NDArray, solved: float, epsilon: float) -> float:
        """What multipliers found at one epsilon prove about the optimum at another."""
        weights = multipliers.copy()
        weights[: len(self.privacy)] *= np.exp(solved - epsilon)
        matrix = self.inequalities(epsilon)
        right = np.zeros(matrix.shape[0])
        return certificate(
            matrix, right, self.normalisation, weights, self.objective.shape[0]
        )


def solution(
    matrix: Any, right: NDArray, normalisation: Any, method: str
) -> tuple[NDArray, NDArray]:
    """Minimise the last unknown; return all of them and the multipliers of the inequalities."""
    from scipy.optimize import linprog

    cost = np.zeros(matrix.shape[1])
    cost[-1] = 1.0
    ones = np.ones(normalisation.shape[0])
    options = {f"{kind}_feasibility_tolerance": 1e-9 for kind in ("primal", "dual")}
    result = linprog(
        cost,
        matrix,
        right,
        normalisation,
        ones,
        (0, None),
        method=method,
        options=options,
    )
    if result.status != 0:
        raise ValueError(
            f"The solver must find the optimum of the linear program, but it reported {result.message!r}. Use a "
            "smaller problem or a less extreme epsilon."
        )
    return result.x, np.minimum(result.ineqlin.marginals, 0.0)


def certificate(
    matrix: Any, right: NDArray, normalisation: Any, weights: NDArray, n_objective: int
) -> float:
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
        terms, homes = abs(matrix).T @ -weights, normalisation.tocoo()
        smallest = np.full(normalisation.shape[0], np.inf)
        np.minimum.at(smallest, homes.row, reduced[homes.col] / homes.data)
        others = np.ones(matrix.shape[1], dtype=bool)
        others[homes.col] = False
        others[-1] = False
        bound = smallest.sum() + reduced[others].clip(max=0).sum() + weights @ right
        rounding = np.finfo(float).eps * (terms.sum() + abs(bound))
    return float(bound - rounding) if np.isfinite(bound - rounding) else -np.inf


def _rows(columns: NDArray, values: NDArray, n_columns: int) -> Any:
    """Sparse array with the given values in the given columns of each row; equal places add up."""
    from scipy.sparse import coo_array

    rows = np.arange(len(columns)).repeat(columns.shape[1])
    return coo_array(
        (values.ravel(), (rows, columns.ravel())), shape=(len(columns), n_columns)
    ).tocsr()


def privacy_program(
    problem: LearningProblem,
    n_samples: int,
    symmetries: Sequence[Symmetry] = (),
    distributions: NDArray[np.float64] | None = None,
) -> Program:
    """Put the program together."""
    n_records, n_hypotheses = problem.n_records, problem.n_hypotheses
    rows = 2 * n_multisets(n_records, n_samples - 1) * n_records * n_hypotheses
    if rows > LARGEST_PROGRAM:
        raise ValueError(
            f"n_samples must leave at most {LARGEST_PROGRAM} privacy constraints in the linear program, but got "
            f"{rows} for {n_multisets(n_records, n_samples)} data sets. Use fewer records or hypotheses, or a "
            "smaller n_samples."
        )
    counts, completed = (
        count_vectors(n_records, n_samples),
        neighbour_cliques(n_records, n_samples),
    )
    rests = (
        count_vectors(n_records, n_samples - 1) if n_samples > 1 else counts[:1] * 0
    )  # or the empty one
    images, rest_images = moved_rows(counts, symmetries), moved_rows(rests, symmetries)
    columns = orbits(images, symmetries, (len(counts), n_hypotheses))
    bounds = (
        columns.max()
        + 1
        + orbits(rest_images, symmetries, (len(completed), n_hypotheses))
    )
    n_columns = int(bounds.max()) + 2
    kept = np.unique(components(len(counts), images), return_index=True)[
        1
    ]  # one data set of every orbit
    kept_rests = np.unique(components(len(rests), rest_images), return_index=True)[1]
    unknowns = columns[completed[kept_rests]]
    lows = np.broadcast_to(bounds[kept_rests][:, None], unknowns.shape)
    privacy = np.unique(np.stack([unknowns, lows], axis=-1).reshape(-1, 2), axis=0)
    objective = _objective(problem, counts, columns, kept, n_columns, distributions)
    normalisation = _rows(columns[kept], np.ones((len(kept), n_hypotheses)), n_columns)
    return Program(columns, privacy, objective, normalisation)


def _objective(
    problem: LearningProblem,
    counts: NDArray,
    columns: NDArray,
    kept: NDArray,
    n_columns: int,
    distributions: NDArray | None,
) -> Any:
    """Rows of the excess: of one data set of each orbit, or expected under each distribution; less t."""
    gaps = problem.excess_empirical_risk(counts)
    places, values = columns[kept], gaps[kept]
    if distributions is not None:
        weights = sample_probabilities(counts, distributions)
        values = (weights[:, :, None] * gaps).reshape(len(weights), -1)
        places = np.broadcast_to(columns.ravel(), values.shape)
    bound = np.full((len(values), 1), n_columns - 1)
    return _rows(
        np.hstack([places, bound]),
        np.hstack([values, -np.ones(bound.shape)]),
        n_columns,
    )


def on_the_simplex(output_table: NDArray) -> NDArray[np.float64]:
    """A table without negative entries, each row with sum 1."""
    return np.maximum(output_table, 0.0) / np.maximum(output_table, 0.0).sum(
        axis=1, keepdims=True
    )


def mean_output_table(output_table: NDArray) -> NDArray[np.float64]:
    """The mean over the data sets, on all of them: private for every epsilon, and best for the smallest."""
    return np.broadcast_to(
        on_the_simplex(output_table).mean(axis=0), output_table.shape
    ).copy()


def less_rounding(epsilon: float) -> float:
    """An epsilon that leaves room for what the logarithm and the quotient of two floats are off by."""
    return max(0.0, epsilon - 4 * np.finfo(float).eps * (1 + epsilon))


def largest_divergence(
    output_table: NDArray[np.float64], pairs: NDArray[np.intp], epsilon: float
) -> float:
    """Largest hockey-stick divergence of a law on count vectors over ordered pairs of them."""
    with np.errstate(divide="ignore"):
        logs = np.log(output_table)
    return float(
        np.max(
            stick_of_logs(logs[pairs[:, 0]], logs[pairs[:, 1]], epsilon), initial=0.0
        )
    )


def largest_ratio(
    output_table: NDArray[np.float64], completed: NDArray[np.intp]
) -> float:
    """Exact epsilon of a law on count vectors: the largest log ratio within a clique of neighbours.

    Parameters
    ----------
    output_table : ndarray
        Probabilities of shape (n_datasets, n_hypotheses), in the order of `count_vectors`.
    completed : ndarray
        The table of :func:`~privml.learnability.problem.neighbour_cliques`.

    Returns
    -------
    float
        In nats, maybe infinite.

    Raises
    ------
    ValueError
        If they are no tables.

    References
    ----------
    WLF16-def-2.

    Examples
    --------
    >>> law = np.array([[0.8, 0.2], [0.5, 0.5], [0.2, 0.8]])
    >>> bool(np.isclose(largest_ratio(law, neighbour_cliques(2, 2)), np.log(2.5)))
    True
    """
    output_table, completed = (
        check.numbers(output_table=output_table),
        np.asarray(completed),
    )
    if (
        output_table.ndim != 2
        or completed.ndim != 2
        or completed.dtype.kind not in "iu"
    ):
        raise ValueError(
            f"output_table and completed must be tables, but got shapes {output_table.shape} and {completed.shape}."
        )
    worst = 0.0
    for block in np.array_split(
        completed, max(1, completed.size * output_table.shape[1] // (1 << 22))
    ):
        high, low = output_table[block].max(axis=1), output_table[block].min(axis=1)
        possible = high > 0
        with np.errstate(divide="ignore"):
            worst = max(
                worst, float(np.log(high[possible] / low[possible]).max(initial=0.0))
            )
    return worst


check.wrap_module(__name__)
