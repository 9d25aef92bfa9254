r"""The best (epsilon, delta) learner, with one slack for each pair of neighbours and each hypothesis.

The hockey-stick divergence ``sum_h (p(h | c) - e^epsilon p(h | c'))_+`` is at most delta exactly when there
are ``d(h) >= 0`` with ``p(h | c) - e^epsilon p(h | c') <= d(h)`` for all h and ``sum_h d(h) <= delta``.  The
slacks belong to a pair, so that the short form of the pure program (one bound for all data sets that share a
rest) is not available: the program grows with the number of pairs.
"""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

import privml.learnability.optimal as optimal
import privml.learnability.program as program
from privml import _check as check
from privml.learnability.problem import LearningProblem, count_vectors, neighbours

FLOOR = 1e-6  # part of delta below which the optimum counts as 0, which some of these learners reach
LARGEST_SLACKS = (
    60_000  # most slack unknowns: ordered pairs of neighbours times hypotheses
)


def _matrices(
    problem: LearningProblem, n_samples: int, epsilon: float, pairs: NDArray
) -> Any:
    """Inequalities (privacy, slacks, objective) and normalisation; columns p, then slacks, then the bound."""
    from scipy.sparse import block_array, csr_array, eye_array, kron

    n_hypotheses = problem.n_hypotheses
    gaps = problem.excess_empirical_risk(count_vectors(problem.n_records, n_samples))
    rows = np.arange(len(pairs)).repeat(2)
    signs = np.tile([1.0, -np.exp(epsilon)], len(pairs))
    compared = csr_array((signs, (rows, pairs.ravel())), shape=(len(pairs), len(gaps)))
    hypotheses = eye_array(n_hypotheses)
    totals = kron(eye_array(len(pairs)), np.ones((1, n_hypotheses)))
    of_data = np.arange(len(gaps)).repeat(n_hypotheses), np.arange(gaps.size)
    excess, one = (
        csr_array((gaps.ravel(), of_data)),
        csr_array((np.ones(gaps.size), of_data)),
    )
    bound = csr_array(-np.ones((len(gaps), 1)))
    privacy = [kron(compared, hypotheses), -eye_array(len(pairs) * n_hypotheses), None]
    inequalities = block_array(
        [privacy, [None, totals, None], [excess, None, bound]], format="csr"
    )
    one.resize(len(gaps), inequalities.shape[1])
    return inequalities, one


def exactly_approximate(
    output_table: NDArray, pairs: NDArray, epsilon: float, delta: float
) -> NDArray[np.float64]:
    """Mix with the uniform law until no divergence exceeds delta; the divergence is convex and 0 there."""
    output_table = program.on_the_simplex(output_table)
    uniform, mixture = np.full_like(output_table, 1 / output_table.shape[1]), 0.0
    mixed = output_table
    while (
        program.largest_divergence(mixed, pairs, program.less_rounding(epsilon)) > delta
    ):
        mixture = min(1.0, max(2 * mixture, 1e-15))
        mixed = (1 - mixture) * output_table + mixture * uniform
    return mixed


def optimal_approximate_learner(
    problem: LearningProblem, n_samples: int, epsilon: float, delta: float
) -> optimal.OptimalLearner:
    """The (epsilon, delta)-DP learner with the smallest worst-case excess empirical risk.

    Parameters
    ----------
    problem : LearningProblem
        What is to be learned.
    n_samples : int
        Number of records, a positive integer.
    epsilon : float
        Privacy parameter in nats, non-negative.
    delta : float
        Additive slack, in [0, 1).

    Raises
    ------
    ValueError
        If the program is too large, or floats cannot carry it.

    Notes
    -----
    *Privacy.* The output is (epsilon, delta)-differentially private under replace-one.

    References
    ----------
    WLF16-eq-6 with WLF16-def-27 in place of pure privacy.

    Examples
    --------
    >>> coin = LearningProblem([[0.0, 1.0], [1.0, 0.0]])
    >>> values = [optimal_approximate_learner(coin, 1, 1.0, delta).value for delta in (0.0, 0.1)]
    >>> round(values[0], 4), round(values[1], 4), round((1 - 0.1) / (1 + float(np.exp(1))), 4)
    (0.2689, 0.242, 0.242)
    """
    check.probability_half_open(delta=delta)
    check.non_negative(epsilon=epsilon)
    if delta == 0:
        return optimal.optimal_learner(problem, n_samples, epsilon)
    check.instance(LearningProblem, problem=problem)
    pairs = neighbours(problem.n_records, n_samples)
    pairs = np.concatenate([pairs, pairs[:, ::-1]])
    slacks = len(pairs) * problem.n_hypotheses
    if slacks > LARGEST_SLACKS:
        raise ValueError(
            f"n_samples must leave at most {LARGEST_SLACKS} slack variables in the linear program, but got {slacks}. "
            "Use fewer records or hypotheses, or a smaller n_samples."
        )
    reached = np.inf
    for method in (
        program.SOLVERS if slacks and epsilon <= optimal.LARGEST_PROGRAM_EPSILON else ()
    ):
        try:
            learner = _solved(problem, n_samples, epsilon, delta, pairs, method)
        except ValueError:  # constant laws are feasible: the solver is out of its depth
            continue
        reached = min(reached, learner.slack / max(learner.value, FLOOR * delta))
        if reached <= optimal.LARGEST_GAP:
            return learner
    learner = optimal.optimal_learner(problem, n_samples, epsilon)
    if learner.value == 0:
        return replace(learner, delta=float(delta))
    raise ValueError(
        f"epsilon and delta must be within the reach of floats and the solver, but got {epsilon!r} and {delta!r}, for which the "
        f"optimum has a relative error of up to {reached:.0e}, above {optimal.LARGEST_GAP:.0e}."
    )


def _solved(
    problem: LearningProblem,
    n_samples: int,
    epsilon: float,
    delta: float,
    pairs: NDArray,
    method: str,
) -> optimal.OptimalLearner:
    """The learner that one solver finds, with what its multipliers prove."""
    inequalities, normalisation = _matrices(problem, n_samples, epsilon, pairs)
    n_datasets = normalisation.shape[0]
    n_slacks = inequalities.shape[0] - len(pairs) - n_datasets
    right = np.concatenate(
        [np.zeros(n_slacks), np.full(len(pairs), delta), np.zeros(n_datasets)]
    )
    x, multipliers = program.solution(inequalities, right, normalisation, method)
    output_table = x[: n_datasets * problem.n_hypotheses].reshape(n_datasets, -1)
    output_tables = (
        exactly_approximate(output_table, pairs, epsilon, delta),
        program.mean_output_table(output_table),
    )
    bound = max(
        0.0,
        program.certificate(
            inequalities, right, normalisation, multipliers, n_datasets
        ),
    )
    learners = [
        optimal.certified(problem, n_samples, epsilon, each, bound, delta=delta)
        for each in output_tables
    ]
    return min(learners, key=lambda learner: learner.value)


check.wrap_module(__name__)
