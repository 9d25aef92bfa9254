"""How much the output of a learner changes when one record is replaced, and what privacy promises of it.

Each constant is a maximum over finitely many pairs of neighbours, and comes with the pair that attains it.
The function that gives a learner's output distribution is called on count vectors, or with ``ordered=True`` on
rows of record indices, for a learner whose output depends on the order.  What privacy promises of the constants
stands below; proofs are in the chapter *Stability*.
"""

from collections.abc import Callable, Iterator
from math import tanh
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from privml import _check as check
from privml.adjacency import replacement_pairs, sequences
from privml.divergences import max_divergence
from privml.learnability.problem import (
    CountLearner,
    LearningProblem,
    OrderedLearner,
    count_vectors,
    neighbours,
)

_BLOCK_ENTRIES = 1 << 20  # of a block of pairs: 8 MiB for each side


class Neighbourhood(NamedTuple):
    """Data sets, which of them are neighbours, and the law of a learner on each."""

    datasets: (
        NDArray  # count vectors, or rows of record indices where the order matters
    )
    pairs: NDArray[np.intp]  # (n_pairs, 2)
    output_tables: NDArray[np.float64]  # (n_datasets, n_hypotheses)


class Stability(NamedTuple):
    """A stability constant, and the neighbouring data sets that attain it."""

    value: float
    first: NDArray  # count vectors, or rows of record indices where the order matters
    second: NDArray
    record: int | None = None  # whose mean loss changes most, where there is a loss


def probabilities_on(
    learner: CountLearner | OrderedLearner, datasets: NDArray
) -> NDArray[np.float64]:
    """The laws of a learner on data sets, after a check that they are laws."""
    check.function(learner=learner)
    table = learner(datasets)
    output_tables = check.numbers(learner=table)
    if output_tables.ndim != 2 or len(output_tables) != len(datasets):
        raise ValueError(
            f"learner must return one row for each of {len(datasets)} data sets, but got {output_tables.shape}."
        )
    return check.distributions(learner=table)


def check_hypotheses(
    output_tables: NDArray[np.float64], problem: LearningProblem
) -> NDArray[np.float64]:
    """The output table, after a check that its columns are the hypotheses of the problem."""
    if output_tables.shape[1] != problem.n_hypotheses:
        raise ValueError(
            f"learner must be on {problem.n_hypotheses} hypotheses, but got {output_tables.shape[1]}."
        )
    return output_tables


def neighbourhood(
    learner: CountLearner | OrderedLearner,
    n_records: int,
    n_samples: int,
    *,
    ordered: bool = False,
) -> Neighbourhood:
    """All data sets of one size, all neighbours under ``REPLACE_ONE``, and the laws of a learner."""
    check.positive_integer(n_records=n_records, n_samples=n_samples)
    check.flag(ordered=ordered)
    if n_records < 2:
        raise ValueError(
            f"n_records must be at least 2 for there to be neighbours, but got {n_records}."
        )
    if ordered:
        datasets = sequences(n_records, n_samples)
        pairs = replacement_pairs(datasets)
    else:
        datasets, pairs = (
            count_vectors(n_records, n_samples),
            neighbours(n_records, n_samples),
        )
    return Neighbourhood(datasets, pairs, probabilities_on(learner, datasets))


def _blocks(
    table: NDArray, pairs: NDArray[np.intp]
) -> Iterator[tuple[int, NDArray, NDArray]]:
    """Position of the first pair, and rows of a table for both sides of the pairs, in bounded blocks."""
    step = max(1, _BLOCK_ENTRIES // table.shape[1])
    for start in range(0, len(pairs), step):
        block = pairs[start : start + step]
        yield start, table[block[:, 0]], table[block[:, 1]]


def stability_among(graph: Neighbourhood, problem: LearningProblem) -> Stability:
    """Largest change of the mean loss on a record, for laws that are known already."""
    losses = check_hypotheses(graph.output_tables, problem) @ problem.losses
    best, where = -1.0, (0, 0)
    for start, first_rows, second_rows in _blocks(losses, graph.pairs):
        change = np.abs(first_rows - second_rows)
        row, record = np.unravel_index(int(np.argmax(change)), change.shape)
        if change[row, record] > best:
            best, where = float(change[row, record]), (start + int(row), int(record))
    first, second = graph.datasets[graph.pairs[where[0]]]
    return Stability(best, first, second, where[1])


def _largest(graph: Neighbourhood, table: NDArray, distance: Callable) -> Stability:
    """Largest distance of the rows of a table over all neighbours, in both directions."""
    best, where = -1.0, (0, False)
    for start, first_rows, second_rows in _blocks(table, graph.pairs):
        for swapped, values in (
            (False, distance(first_rows, second_rows)),
            (True, distance(second_rows, first_rows)),
        ):
            row = int(np.argmax(values))
            if values[row] > best:
                best, where = float(values[row]), (start + row, swapped)
    pair = graph.datasets[graph.pairs[where[0]]]
    first, second = pair[::-1] if where[1] else pair
    return Stability(best, first, second)


def replace_one_stability(
    learner: CountLearner | OrderedLearner,
    problem: LearningProblem,
    n_samples: int,
    *,
    ordered: bool = False,
) -> Stability:
    """Strongly uniform replace-one stability: the largest change of the mean loss on any record.

    Parameters
    ----------
    learner : callable
        The learner: from counts (n_datasets, n_records) to probabilities of hypotheses.
    problem : LearningProblem
        What is to be learned.
    n_samples : int
        Number of records, a positive integer.
    ordered : bool
        Whether `learner` takes rows of record indices, for a learner that minds their order.

    Returns
    -------
    Stability
        The constant, with neighbours and record that attain it.

    References
    ----------
    WLF16-def-6, Definition 6.

    Examples
    --------
    >>> from privml.learnability import exponential_learner
    >>> problem = LearningProblem([[0.0, 1.0], [1.0, 0.0]])
    >>> worst = replace_one_stability(exponential_learner(problem, 1.0), problem, 3)
    >>> round(worst.value, 6), worst.first.tolist(), worst.second.tolist()
    (0.244919, [2, 1], [1, 2])
    """
    check.instance(LearningProblem, problem=problem)
    return stability_among(
        neighbourhood(learner, problem.n_records, n_samples, ordered=ordered), problem
    )


def total_variation_stability(
    learner: CountLearner | OrderedLearner,
    n_records: int,
    n_samples: int,
    *,
    ordered: bool = False,
) -> Stability:
    """Largest total variation distance between the laws of a learner on neighbouring data sets.

    It is the largest replace-one stability over all problems with losses in [0, 1], that of WLF16-lem-8.

    Parameters
    ----------
    learner : callable
        The learner: from counts (n_datasets, n_records) to probabilities of hypotheses.
    n_records, n_samples : int
        Numbers of possible records, at least 2, and of records in a data set, positive integers.
    ordered : bool
        Whether `learner` takes rows of record indices, for a learner that minds their order.

    Returns
    -------
    Stability
        The constant, with neighbours that attain it.

    Examples
    --------
    >>> total_variation_stability(lambda counts: np.eye(4)[counts[:, 0]], 2, 3).value
    1.0
    """
    graph = neighbourhood(learner, n_records, n_samples, ordered=ordered)
    return _largest(
        graph, graph.output_tables, lambda p, q: np.maximum(p - q, 0).sum(axis=1)
    )


def exact_privacy(
    learner: CountLearner | OrderedLearner,
    n_records: int,
    n_samples: int,
    *,
    ordered: bool = False,
) -> Stability:
    """Exact epsilon of a learner: the largest privacy loss over all neighbouring data sets.

    The same number as :func:`privml.audit.exact`, from one call of the law for all data sets.

    Parameters
    ----------
    learner : callable
        The learner: from counts (n_datasets, n_records) to probabilities of hypotheses.
    n_records, n_samples : int
        Numbers of possible records, at least 2, and of records in a data set, positive integers.
    ordered : bool
        Whether `learner` takes rows of record indices, for a learner that minds their order.

    Returns
    -------
    Stability
        The epsilon in nats, maybe infinite, with neighbours that attain it.

    References
    ----------
    WLF16-def-2, checked on every pair.

    Examples
    --------
    >>> from privml.learnability import exponential_learner
    >>> law = exponential_learner(LearningProblem([[0.0, 1.0], [1.0, 0.0]]), 1.0)
    >>> round(exact_privacy(law, 2, 6).value, 6)
    0.921659
    """
    graph = neighbourhood(learner, n_records, n_samples, ordered=ordered)
    return _largest(graph, graph.output_tables, max_divergence)


def stability_from_privacy(epsilon: float, delta: float = 0.0) -> float:
    """Stability of every private learner.

    The largest total variation between neighbours, hence the largest change of a mean loss in [0, 1].
    Attained, for all parameters, by telling the truth with probability delta and else by randomised response.

    Parameters
    ----------
    epsilon : float
        Privacy parameter in nats, non-negative.
    delta : float
        Additive slack, in [0, 1].

    Returns
    -------
    float
        ``delta + (1 - delta) tanh(epsilon / 2)``.

    References
    ----------
    WLF16-lem-8 and WLF16-lem-30 in their sharp form, ``(e^epsilon - 1 + 2 delta) / (e^epsilon + 1)``;
    printed: ``e^epsilon - 1 + delta``. Added to the expected AERM gap it bounds the excess risk,
    WLF16-cor-9; with any stability constant in its place this is WLF16-thm-35.

    Examples
    --------
    >>> round(stability_from_privacy(1.0), 5), round(stability_from_privacy(1.0, 0.1), 5)
    (0.46212, 0.51591)
    """
    check.non_negative(epsilon=epsilon)
    check.unit_interval(delta=delta)
    return delta + (1 - delta) * tanh(epsilon / 2)


def stability_from_bounded_range(epsilon: float) -> float:
    """Stability of every learner whose privacy losses have a range of epsilon.

    The epsilon is that of an exponential mechanism; on two constant rules it attains the bound, for every odd
    number of records.

    Parameters
    ----------
    epsilon : float
        Here the range of the privacy losses in nats, non-negative.

    Returns
    -------
    float
        ``tanh(epsilon / 4)``.

    References
    ----------
    Sharpens WLF16-lem-8 for the learners of L4-private-erm and S16-alg-3.

    Examples
    --------
    >>> round(stability_from_bounded_range(1.0), 6)
    0.244919
    """
    check.non_negative(epsilon=epsilon)
    return tanh(epsilon / 4)


check.wrap_module(__name__)
