"""Tables on several releases about small data sets, audited together."""

from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from privml import audit
from privml.adjacency import Adjacency
from privml.composition import optimal_delta, parallel_composition
from privml.distributions import DiscreteLaplace
from privml.guarantee import Guarantee
from privml.mechanisms import ExponentialMechanism, RandomisedResponse

REPLACE, ADD = Adjacency.REPLACE_ONE, Adjacency.ADD_OR_REMOVE_ONE
FOUR_KINDS = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])


def _majority_of(records: NDArray, question: tuple[int, int], epsilon: float) -> NDArray[np.float64]:
    """Law of a private majority: 1 if most records have an odd number of the properties asked about."""
    odd = records @ np.array(question) % 2
    mechanism = ExponentialMechanism(epsilon=epsilon, sensitivity=1.0)
    return mechanism.output_distribution([(1 - odd).sum(), odd.sum()]).pmf()


def _adaptive_law(k: int, epsilon: float) -> Callable[[NDArray], NDArray[np.float64]]:
    """Law of k private majorities, each question depending on the answers before it."""
    questions = ((1, 0), (0, 1), (1, 1))

    def law(records: NDArray) -> NDArray[np.float64]:
        histories, weights = [()], np.ones(1)
        for _ in range(k):
            asked = [questions[sum((i + 1) * bit for i, bit in enumerate(past)) % 3] for past in histories]
            answers = np.array([_majority_of(records, question, epsilon) for question in asked])
            weights = (weights[:, None] * answers).ravel()
            histories = [(*past, bit) for past in histories for bit in (0, 1)]
        return weights

    return law


def adaptive_audits(step_epsilon: float, n_samples: int, counts: ArrayLike) -> pd.DataFrame:
    """Exact parameters, under ``REPLACE_ONE``, of private majorities asked one after the other.

    Records are pairs of bits.  The first question is about the first bit; the following ones are about the
    first bit, the second, or their parity, depending on all answers so far.

    Parameters
    ----------
    step_epsilon : float
        Epsilon of each answer in nats.
    n_samples : int
        Number of records.
    counts : array_like of int
        Numbers of questions.

    Returns
    -------
    DataFrame
        Columns ``k``, ``n_pairs`` (of neighbours compared), ``sum`` (basic composition), ``exact_epsilon``,
        and at half the sum the smallest ``exact_delta`` and the ``optimal_delta`` of the theorem.

    Examples
    --------
    >>> adaptive_audits(1.0, 3, [1, 2]).round(4)
       k  n_pairs  sum  exact_epsilon  exact_delta  optimal_delta
    0  1       60  1.0         0.7273       0.0768         0.2876
    1  2       60  2.0         1.4547       0.0521         0.3378
    """
    rows = []
    for k in np.asarray(counts, dtype=int).tolist():
        found = audit.exact(_adaptive_law(k, step_epsilon), FOUR_KINDS, n_samples)
        half = k * step_epsilon / 2
        deltas = float(found.delta(half)), optimal_delta(step_epsilon, k, half)
        rows.append((k, found.n_pairs, k * step_epsilon, found.epsilon, *deltas))
    columns = ["k", "n_pairs", "sum", "exact_epsilon", "exact_delta", "optimal_delta"]
    return pd.DataFrame(rows, columns=columns)


def _noisy_count(count: int, epsilon: float, largest: int) -> NDArray[np.float64]:
    """Law of a count with discrete Laplace noise of parameter epsilon, clamped to [0, largest]."""
    law, points = DiscreteLaplace(int(count), scale=1 / Fraction(epsilon)), np.arange(largest + 1)
    return np.concatenate([[law.cdf(0)], np.exp(law.logpmf(points[1:-1])), [law.sf(largest - 1)]])


def _two_counts(first: NDArray, second: NDArray, epsilon: float, largest: int) -> NDArray[np.float64]:
    counts = [_noisy_count(part.sum(), epsilon, largest) for part in (first, second)]
    return np.multiply.outer(*counts).ravel()


def _by_record(epsilon: float, largest: int) -> Callable[[NDArray], NDArray[np.float64]]:
    """Noisy numbers of yes (second bit) in the two parts that the first bit names."""
    return lambda z: _two_counts(z[z[:, 0] == 0, 1], z[z[:, 0] == 1, 1], epsilon, largest)


def _by_position(epsilon: float, largest: int) -> Callable[[NDArray], NDArray[np.float64]]:
    """Noisy numbers of yes in odd and in even positions."""
    return lambda z: _two_counts(z[::2], z[1::2], epsilon, largest)


def _with_sizes(epsilon: float, largest: int) -> Callable[[NDArray], NDArray[np.float64]]:
    """Randomised response of the majority of each part, and the exact sizes of the parts."""

    def part(bits: NDArray) -> NDArray[np.float64]:
        answer = RandomisedResponse(epsilon).output_distribution(int(2 * bits.sum() > len(bits))).pmf()
        law = np.zeros((largest + 1, 2))
        law[len(bits)] = answer
        return law.ravel()

    return lambda z: np.multiply.outer(part(z[z[:, 0] == 0, 1]), part(z[z[:, 0] == 1, 1])).ravel()


def _promised(step_epsilon: float, partition: str, relation: Adjacency) -> str:
    """What the library says about two parts, or that it refuses."""
    part = Guarantee(step_epsilon, adjacency=relation)
    try:
        return f"{parallel_composition(part, part, partition=partition).epsilon:g}"
    except ValueError:
        return "refused"


def parallel_audits(step_epsilon: float, n_samples: int) -> pd.DataFrame:
    """Exact epsilon of one release for each of two disjoint parts, by partition and relation.

    Parameters
    ----------
    step_epsilon : float
        Epsilon in nats of the release for each part, under the relation of its row.
    n_samples : int
        Number of records, of the larger data set under ``ADD_OR_REMOVE_ONE``.

    Returns
    -------
    DataFrame
        Columns ``release``, ``part_by`` (record or position), ``relation``, ``promised`` by the theorem
        (text) and ``exact_epsilon``.

    Examples
    --------
    >>> parallel_audits(0.5, 3).round(4)["exact_epsilon"].tolist()
    [0.5, 1.0, 0.5, 1.5, inf]
    """
    bits = np.array([0, 1])
    record, position = _by_record(step_epsilon, n_samples), _by_position(step_epsilon, n_samples)
    cases = [
        ("noisy counts", "record", ADD, record, FOUR_KINDS, False),
        ("noisy counts", "record", REPLACE, record, FOUR_KINDS, False),
        ("noisy counts", "position", REPLACE, position, bits, True),
        ("noisy counts", "position", ADD, position, bits, True),
        ("majority and size", "record", REPLACE, _with_sizes(step_epsilon, n_samples), FOUR_KINDS, False),
    ]
    rows = []
    for release, part_by, relation, law, universe, ordered in cases:
        found = audit.exact(law, universe, n_samples, adjacency=relation, ordered=ordered)
        promised = _promised(step_epsilon, {"record": "record", "position": "index"}[part_by], relation)
        rows.append((release, part_by, str(relation), promised, found.epsilon))
    return pd.DataFrame(rows, columns=["release", "part_by", "relation", "promised", "exact_epsilon"])
