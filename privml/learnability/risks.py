"""Expected risks of a learner from n records, and what stability says of them, exactly.

Sums over data sets with multinomial weights; the identities are proved in the chapter *Stability*.
For a learner that minds the order of its records take the law of the learner that shuffles first: i.i.d.
samples come in random order anyway.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml.learnability.problem import (
    CountLearner,
    LearningProblem,
    count_vectors,
    sample_probabilities,
    simplex_grid,
)
from privml.learnability.stability import (
    Neighbourhood,
    check_hypotheses,
    neighbourhood,
    probabilities_on,
)

_BLOCK_ENTRIES = 1 << 22  # of a table of distributions by data sets: 32 MiB


class Expectations(NamedTuple):
    """Expected risks of one learner from n records, of shape (n_distributions,)."""

    risk: NDArray | float  # of the output
    empirical_risk: NDArray | float  # of the output, on its own sample
    best_risk: NDArray | float
    best_empirical_risk: NDArray | float  # its mean


class WorstDataset(NamedTuple):
    """A largest gap, and the count vector of the data set that attains it."""

    value: float
    counts: NDArray[np.int64]


class WorstDistribution(NamedTuple):
    """A largest expectation, and the distribution on the records that attains it."""

    value: float
    probabilities: NDArray[np.float64]


def excess_empirical_risks(
    learner: CountLearner, problem: LearningProblem, counts: ArrayLike
) -> NDArray[np.float64]:
    """Expected excess empirical risk of a learner on given data sets.

    Parameters
    ----------
    learner : callable
        The learner: from counts (n_datasets, n_records) to probabilities of hypotheses.
    problem : LearningProblem
        What is to be learned.
    counts : array_like
        Here data sets, integers of shape (n_datasets, n_records).

    Returns
    -------
    ndarray
        Of shape (n_datasets,): not negative.

    References
    ----------
    WLF16-def-5, the bracket in Definition 5.

    Examples
    --------
    >>> from privml.learnability import exponential_learner
    >>> problem = LearningProblem([[0.0, 1.0], [1.0, 0.0]])
    >>> excess_empirical_risks(exponential_learner(problem, 1.0), problem, [[3, 0], [2, 1]]).round(6).tolist()
    [0.182426, 0.125847]
    """
    check.instance(LearningProblem, problem=problem)
    counts = np.asarray(counts)
    excess = problem.excess_empirical_risk(counts)
    return (check_hypotheses(probabilities_on(learner, counts), problem) * excess).sum(
        axis=1
    )


def worst_excess_empirical_risk(
    learner: CountLearner, problem: LearningProblem, n_samples: int
) -> WorstDataset:
    """Largest expected excess empirical risk over all data sets of one size.

    Parameters
    ----------
    learner : callable
        The learner: from counts (n_datasets, n_records) to probabilities of hypotheses.
    problem : LearningProblem
        What is to be learned.
    n_samples : int
        Number of records, a positive integer.

    Returns
    -------
    WorstDataset
        The gap, and the data set that attains it.

    References
    ----------
    WLF16-def-5: the supremum that an always AERM learner sends to 0.

    Examples
    --------
    >>> from privml.learnability import exponential_learner
    >>> problem = LearningProblem([[0.0, 1.0], [1.0, 0.0]])
    >>> worst = worst_excess_empirical_risk(exponential_learner(problem, 1.0), problem, 3)
    >>> round(worst.value, 6), worst.counts.tolist()
    (0.182426, [3, 0])
    """
    check.instance(LearningProblem, problem=problem)
    counts = count_vectors(problem.n_records, n_samples)
    gaps = excess_empirical_risks(learner, problem, counts)
    worst = int(np.argmax(gaps))
    return WorstDataset(float(gaps[worst]), counts[worst])


def expected_risks(
    learner: CountLearner,
    problem: LearningProblem,
    probabilities: ArrayLike,
    n_samples: int,
) -> Expectations:
    """All expectations at once.

    Parameters
    ----------
    learner : callable
        The learner: from counts (n_datasets, n_records) to probabilities of hypotheses.
    problem : LearningProblem
        What is to be learned.
    probabilities : array_like
        One distribution on the records, or one a row.
    n_samples : int
        Number of records, a positive integer.

    Returns
    -------
    Expectations
        Of the output, on its sample, and of the best; one entry for each distribution.

    References
    ----------
    WLF16-def-consistency, the expectations in (1) and (2).

    Examples
    --------
    >>> from privml.learnability import erm_learner
    >>> problem = LearningProblem([[0.0, 1.0], [1.0, 0.0]])
    >>> [round(float(value), 6) for value in expected_risks(erm_learner(problem), problem, [0.6, 0.4], 3)]
    [0.4704, 0.24, 0.4, 0.24]
    """
    check.instance(LearningProblem, problem=problem)
    counts, many = (
        count_vectors(problem.n_records, n_samples),
        np.atleast_2d(probabilities),
    )
    output_tables, risk = (
        check_hypotheses(probabilities_on(learner, counts), problem),
        problem.risk(many),
    )
    empirical = problem.empirical_risk(counts)
    columns = np.column_stack(
        [(output_tables * empirical).sum(axis=1), empirical.min(axis=1), output_tables]
    )
    step = max(1, _BLOCK_ENTRIES // counts.size)
    blocks = (many[start : start + step] for start in range(0, len(many), step))
    means = np.vstack(
        [sample_probabilities(counts, block) @ columns for block in blocks]
    )
    expectations = (
        (means[:, 2:] * risk).sum(axis=1),
        means[:, 0],
        risk.min(axis=1),
        means[:, 1],
    )
    if np.ndim(probabilities) > 1:
        return Expectations(*expectations)
    return Expectations(*(float(value[0]) for value in expectations))


def mean_excess_empirical_risk(
    learner: CountLearner,
    problem: LearningProblem,
    probabilities: ArrayLike,
    n_samples: int,
) -> NDArray[np.float64] | float:
    """Expected excess empirical risk from n records: never above :func:`worst_excess_empirical_risk`.

    Parameters
    ----------
    learner : callable
        The learner: from counts (n_datasets, n_records) to probabilities of hypotheses.
    problem : LearningProblem
        What is to be learned.
    probabilities : array_like
        One distribution on the records, or one a row.
    n_samples : int
        Number of records, a positive integer.

    Returns
    -------
    ndarray or float
        One number, or of shape (n_distributions,): not negative.

    References
    ----------
    WLF16-def-5: what a universally AERM learner sends to 0 for every distribution.

    Examples
    --------
    >>> problem = LearningProblem([[0.0, 1.0], [1.0, 0.0]])
    >>> round(float(mean_excess_empirical_risk(lambda c: c / c.sum(axis=1, keepdims=True), problem, [0.6, 0.4], 3)), 6)
    0.08
    """
    expected = expected_risks(learner, problem, probabilities, n_samples)
    return expected.empirical_risk - expected.best_empirical_risk


def expected_excess_risk(
    learner: CountLearner,
    problem: LearningProblem,
    probabilities: ArrayLike,
    n_samples: int,
) -> NDArray[np.float64] | float:
    """Expected excess risk of a learner from n records: what consistency sends to 0.

    Parameters
    ----------
    learner : callable
        The learner: from counts (n_datasets, n_records) to probabilities of hypotheses.
    problem : LearningProblem
        What is to be learned.
    probabilities : array_like
        One distribution on the records, or one a row.
    n_samples : int
        Number of records, a positive integer.

    Returns
    -------
    ndarray or float
        One number, or of shape (n_distributions,): not negative.

    References
    ----------
    WLF16-def-consistency, equations (1) and (2).

    Examples
    --------
    >>> from privml.learnability import erm_learner
    >>> problem = LearningProblem([[0.0, 1.0], [1.0, 0.0]])
    >>> round(float(expected_excess_risk(erm_learner(problem), problem, [0.6, 0.4], 3)), 6)
    0.0704
    """
    expected = expected_risks(learner, problem, probabilities, n_samples)
    return expected.risk - expected.best_risk


def generalisation_gap(
    learner: CountLearner,
    problem: LearningProblem,
    probabilities: ArrayLike,
    n_samples: int,
) -> NDArray[np.float64] | float:
    """Expected risk of the output minus its expected empirical risk: in size at most the stability.

    Parameters
    ----------
    learner : callable
        The learner: from counts (n_datasets, n_records) to probabilities of hypotheses.
    problem : LearningProblem
        What is to be learned.
    probabilities : array_like
        One distribution on the records, or one a row.
    n_samples : int
        Number of records, a positive integer.

    Returns
    -------
    ndarray or float
        One number, or of shape (n_distributions,): of either sign.

    References
    ----------
    WLF16-thm-35, the left side of its key identity; WLF16-rem-lem-10-alternative.

    Examples
    --------
    >>> problem = LearningProblem([[0.0, 1.0], [1.0, 0.0]])
    >>> gap = generalisation_gap(lambda c: c / c.sum(axis=1, keepdims=True), problem, [0.6, 0.4], 3)
    >>> round(float(gap), 6)
    0.16
    """
    expected = expected_risks(learner, problem, probabilities, n_samples)
    return expected.risk - expected.empirical_risk


def worst_distribution(
    expectation: Callable,
    learner: CountLearner,
    problem: LearningProblem,
    n_samples: int,
    *,
    steps: int,
) -> WorstDistribution:
    """Largest value of one of the expectations above over a simplex grid: a lower bound on the supremum.

    Parameters
    ----------
    expectation : callable
        As :func:`expected_excess_risk`: its arguments and one value for each distribution.
    learner : callable
        The learner: from counts (n_datasets, n_records) to probabilities of hypotheses.
    problem : LearningProblem
        What is to be learned.
    n_samples : int
        Number of records, a positive integer.
    steps : int
        One over the distance of the grid, a positive integer.

    Returns
    -------
    WorstDistribution
        The value, and the distribution that attains it.

    References
    ----------
    WLF16-def-1 and WLF16-def-5, the supremum over distributions.

    Examples
    --------
    >>> from privml.learnability import erm_learner
    >>> problem = LearningProblem([[0.0, 1.0], [1.0, 0.0]])
    >>> worst = worst_distribution(expected_excess_risk, erm_learner(problem), problem, 3, steps=10)
    >>> round(worst.value, 6), worst.probabilities.tolist()
    (0.0864, [0.7, 0.3])
    """
    check.instance(LearningProblem, problem=problem)
    check.function(expectation=expectation, learner=learner)
    grid = simplex_grid(problem.n_records, steps)
    values = expectation(learner, problem, grid, n_samples)
    worst = int(np.argmax(values))
    return WorstDistribution(float(values[worst]), grid[worst])


def loss_changes(
    graph: Neighbourhood, problem: LearningProblem, probabilities: ArrayLike
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Weights and changes of the loss for all (sample, replaced record, new record), two for each pair.

    The pair is w + a, w + b: the sample w + a loses a to a new record b, or the other way round.
    """
    distribution = check.numbers(probabilities=probabilities)
    if distribution.ndim != 1:
        raise ValueError(
            f"probabilities must be one distribution, but got shape {distribution.shape}."
        )
    problem.risk(distribution)  # refuses what is no distribution on the records
    losses = check_hypotheses(graph.output_tables, problem) @ problem.losses
    first, second = graph.pairs.T
    difference = graph.datasets[first] - graph.datasets[second]
    a, b = difference.argmax(axis=1), difference.argmin(axis=1)
    weights = sample_probabilities(graph.datasets, distribution)
    n = graph.datasets[0].sum()
    to_second = weights[first] * graph.datasets[first, a] / n * distribution[b]
    to_first = weights[second] * graph.datasets[second, b] / n * distribution[a]
    changes = losses[first, b] - losses[second, b], losses[second, a] - losses[first, a]
    return np.concatenate([to_second, to_first]), np.concatenate(changes)


def on_average_stability(
    learner: CountLearner,
    problem: LearningProblem,
    probabilities: ArrayLike,
    n_samples: int,
) -> float:
    """``E l(A(Z), z') - l(A(Z^i), z')``, from a sum over neighbours: equal to the generalisation gap.

    Parameters
    ----------
    learner : callable
        The learner: from counts (n_datasets, n_records) to probabilities of hypotheses.
    problem : LearningProblem
        What is to be learned.
    probabilities : array_like
        One distribution on the records, of shape (n_records,).
    n_samples : int
        Number of records, a positive integer.

    References
    ----------
    WLF16-thm-35, the right side of its key identity.

    Examples
    --------
    >>> from privml.learnability import erm_learner
    >>> problem = LearningProblem([[0.0, 1.0], [1.0, 0.0]])
    >>> round(on_average_stability(erm_learner(problem), problem, [0.6, 0.4], 3), 6)
    0.2304
    """
    check.instance(LearningProblem, problem=problem)
    graph = neighbourhood(learner, problem.n_records, n_samples)
    weights, changes = loss_changes(graph, problem, probabilities)
    return float(weights @ changes)


check.wrap_module(__name__)
