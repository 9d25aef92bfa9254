r"""Private multiplicative weights: one small table of weights answers many counting queries at once.

The domain is finite, a data set is its *histogram*: how many records each of the n_points points has.  A
query is a row of zeros and ones over the points, and its answer the share of records on its ones.  The table
begins uniform; round by round the query that it answers worst is chosen, measured with integer noise, and the
weights of its points are raised or lowered.  What is released is a function of the choices and measurements.

Measurements are clipped to what is possible, so there are finitely many transcripts, and their law is exact.
The number of records is public.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations, product
from math import prod
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml._display import html_card
from privml._rounding import float_at_most
from privml.adjacency import Adjacency
from privml.distributions import Categorical, DiscreteLaplace
from privml.guarantee import Guarantee
from privml.mechanisms.base import Mechanism
from privml.mechanisms.discrete import DiscreteLaplaceMechanism
from privml.mechanisms.selection import ExponentialMechanism

LARGEST_RATE = 1e50  # so that weights of any records are floats
LARGEST_TRANSCRIPTS = 200_000  # transcripts
LARGEST_MATRIX = 1 << 28  # entries of a matrix of queries
Transcript = list[tuple[int, int]]


def marginals(shape: tuple[int, ...], order: int) -> NDArray[np.bool_]:
    """Indicators of the cells of all marginal tables of some number of attributes.

    Parameters
    ----------
    shape : tuple of int
        Number of values of each attribute.
    order : int
        Number of attributes of each table, a positive integer up to all.

    Returns
    -------
    ndarray
        One row for each set of `order` attributes and each combination of their values, one column for each
        point of the product domain, the last attribute running fastest (as ``np.ravel_multi_index``).

    Raises
    ------
    ValueError
        If the matrix would have more than 2^28 entries.

    References
    ----------
    Hardt, Ligett and McSherry (2012); queries for DR11-rem-11.1.

    Examples
    --------
    >>> marginals((2, 2), 1).astype(int).tolist()
    [[1, 1, 0, 0], [0, 0, 1, 1], [1, 0, 1, 0], [0, 1, 0, 1]]
    """
    if type(shape) is not tuple or len(shape) == 0:
        raise ValueError(
            f"shape must be a tuple of positive integers, but got {shape!r}."
        )
    for size in shape:
        check.positive_integer(shape=size)
    check.positive_integer(order=order)
    check.at_most(len(shape), order=order)
    subsets = list(combinations(range(len(shape)), order))
    n_cells = sum(prod(shape[i] for i in kept) for kept in subsets)
    check.at_most(LARGEST_MATRIX, n_entries=n_cells * prod(shape))
    points = np.indices(shape).reshape(len(shape), -1)
    cells = (
        (list(kept), cell)
        for kept in subsets
        for cell in product(*(range(shape[i]) for i in kept))
    )
    return np.array(
        [(points[kept] == np.array(cell)[:, None]).all(axis=0) for kept, cell in cells]
    )


class SyntheticTable(NamedTuple):
    """What one run of :class:`MWEM` releases.

    Parameters
    ----------
    weights : ndarray of shape (n_points,)
        Mean of the tables that were asked: the one of the theorem.
    last : ndarray of shape (n_points,)
        The table after the last update, often better.
    chosen : ndarray of shape (n_rounds,)
        Row of the query of each round.
    measured : ndarray of shape (n_rounds,)
        Its noisy number of records, clipped.
    guarantee : Guarantee
        What all of it promises together.
    """

    weights: NDArray[np.float64]
    last: NDArray[np.float64]
    chosen: NDArray[np.intp]
    measured: NDArray[np.int64]
    guarantee: Guarantee

    def records(
        self, size: int, *, rng: np.random.Generator | int | None = None
    ) -> NDArray[np.intp]:
        """Synthetic records, independent draws from the weights, as indices of points; they cost nothing.

        ``Categorical.from_probabilities(table.last).rvs(size)`` draws them from the last table.

        Parameters
        ----------
        size : int
            Number of records, a positive integer.
        rng : int or Generator, optional
            Seed or Generator; None draws fresh entropy.
        """
        return Categorical.from_probabilities(self.weights).rvs(size, rng=rng)

    def _repr_html_(self) -> str:
        asked = [("points", self.weights.size), ("rounds", self.chosen.size)]
        return html_card("Synthetic table", asked, str(self.guarantee))


MOST_COUNTED = 2**53  # whose shares are computed without rounding a record away


@dataclass(frozen=True, kw_only=True, eq=False)
class MWEM(Mechanism):
    r"""Answer many counting queries by one table: multiplicative weights with the exponential mechanism.

    In each of T rounds the exponential mechanism chooses the query whose count the table p misses most; its
    count gets discrete Laplace noise of scale :math:`2 T / \varepsilon`; with the measured gap :math:`\hat g`
    the weights p(x) of the query's points are multiplied by :math:`e^{4 \hat g}` and normalised.

    Parameters
    ----------
    epsilon : float
        Privacy parameter in nats, positive.
    queries : array_like of bool, shape (n_queries, n_points)
        The queries, public: which points each of them counts.
    n_rounds : int
        Number T of rounds, a positive integer, chosen by the bound or on made-up records, not by errors here.
    rate : float, default 4
        Positive multiple of the measured gap by which logarithms of weights move; 1/2 is that of the source.
    adjacency : Adjacency
        Neighbouring relation, only replace-one.

    Notes
    -----
    *Privacy.* The table is epsilon-differentially private under ``REPLACE_ONE``, since each choice and each
    measurement costs :math:`\varepsilon / (2 T)`.  Measurements are exact draws; choices use scores in floats.

    *Accuracy.* With N points, k queries, m records and the rate 4, the mean of the largest error is at most
    ``sqrt(ln N / (2 T) + 8 (T / (epsilon m))^2) + 4 T ln(k) / (epsilon m)``.

    References
    ----------
    Hardt, Ligett and McSherry (2012); Hardt and Rothblum (2010); DR11-rem-11.1.

    Examples
    --------
    >>> from privml.mechanisms import marginals
    >>> mechanism = MWEM(epsilon=2.0, queries=marginals((2, 2, 2), 2), n_rounds=4)
    >>> table = mechanism.release([300, 0, 0, 100, 0, 100, 0, 500], rng=0)
    >>> table.weights.round(2).tolist(), table.records(5, rng=0).tolist()
    ([0.1, 0.07, 0.08, 0.17, 0.1, 0.1, 0.08, 0.3], [6, 3, 0, 0, 7])
    """

    epsilon: float
    queries: NDArray[np.bool_]
    n_rounds: int
    rate: float = 4.0
    adjacency: Adjacency = Adjacency.REPLACE_ONE

    def __post_init__(self) -> None:
        check.positive(epsilon=self.epsilon, rate=self.rate)
        check.at_most(LARGEST_RATE, rate=self.rate)
        check.positive_integer(n_rounds=self.n_rounds)
        queries = check.bool_matrix(queries=self.queries).copy()
        queries.flags.writeable = False
        object.__setattr__(self, "queries", queries)
        if self.adjacency is not Adjacency.REPLACE_ONE:
            raise ValueError(
                f"adjacency must be replace-one, but got {self.adjacency}."
            )
        self._steps  # noqa: B018  # refuses an epsilon that is too small or too large to be divided

    @cached_property
    def _steps(self) -> tuple[ExponentialMechanism, DiscreteLaplaceMechanism]:
        """The choice and the measurement of one round, each for epsilon / (2 T), on counts."""
        share = Fraction(self.epsilon) / (2 * int(self.n_rounds))
        choice = ExponentialMechanism(epsilon=float_at_most(share), sensitivity=1.0)
        return choice, DiscreteLaplaceMechanism(epsilon=share, sensitivity=1)

    def _answers(self, counts: ArrayLike) -> tuple[NDArray[np.int64], int]:
        """The true count of each query, and the number of records."""
        n_points = self.queries.shape[1]
        if getattr(counts, "ndim", 1) == 2:
            raise ValueError(
                f"counts must be a vector with one entry per point ({n_points}), but got a table. To count the "
                "records in a table of rows, use np.bincount(np.ravel_multi_index(rows.T, shape), "
                f"minlength={n_points})."
            )
        counts = check.integers(counts=counts)
        if counts.size != n_points:
            raise ValueError(
                f"counts must have one entry per point ({n_points}), but got {counts.size}."
            )
        n_samples = sum(map(int, counts.tolist()))
        if n_samples > MOST_COUNTED:
            raise ValueError(
                "counts must add up to at most 2^53, but their sum is larger."
            )
        check.positive_integer(n_samples=n_samples)
        return self.queries.astype(np.int64) @ counts.astype(np.int64), n_samples

    @cached_property
    def _rows(self) -> NDArray[np.float64]:
        """The queries as numbers."""
        return self.queries.astype(float)

    def _step(
        self, log_weights: NDArray, query: int, gap: float
    ) -> NDArray[np.float64]:
        """Logarithms of the weights after one update, normalised."""
        moved = log_weights + self.rate * gap * self._rows[query]
        return moved - np.logaddexp.reduce(moved)

    def _start(self) -> NDArray[np.float64]:
        return np.full(self.queries.shape[1], -np.log(self.queries.shape[1]))

    def tables(self, transcript: Transcript, n_samples: int) -> NDArray[np.float64]:
        """Tables before each round and after the last, from the `transcript` and `n_samples` alone."""
        check.positive_integer(n_samples=n_samples)
        try:
            pairs = [(int(query), int(measured)) for query, measured in transcript]
        except (TypeError, ValueError, OverflowError):
            raise ValueError(
                f"transcript must hold pairs (query, measured), but got {transcript!r}."
            ) from None
        if not all(
            0 <= q < len(self.queries) and 0 <= c <= n_samples for q, c in pairs
        ):
            raise ValueError(
                f"transcript must hold queries and counts in range, but got {transcript!r}."
            )
        log_weights = [self._start()]
        for query, measured in pairs:
            gap = measured / n_samples - self._rows[query] @ np.exp(log_weights[-1])
            log_weights.append(self._step(log_weights[-1], query, gap))
        return np.exp(log_weights)

    def release(
        self, value: ArrayLike, *, rng: np.random.Generator | int | None = None
    ) -> SyntheticTable:
        """One run on the histogram of the records: a :class:`SyntheticTable`, all of it public.

        Parameters
        ----------
        value : array_like
            Counts of the records at each point, private: integers (n_points,); a refusal tells of them.
        rng : int or Generator, optional
            Generator for all calls, or None: fresh entropy.  A seed gives noise away; used twice, the data.
        """
        rng = np.random.default_rng(rng)
        answers, n_samples = self._answers(value)
        choice, measurement = self._steps
        log_weights, transcript = self._start(), []
        for _ in range(self.n_rounds):
            shares = self._rows @ np.exp(log_weights)
            query = choice.release(np.abs(answers - n_samples * shares), rng=rng)
            measured = min(
                max(measurement.release(int(answers[query]), rng=rng), 0), n_samples
            )
            transcript.append((query, measured))
            log_weights = self._step(
                log_weights, query, measured / n_samples - shares[query]
            )
        tables = self.tables(transcript, n_samples)
        chosen, noisy = np.array(transcript).T
        return SyntheticTable(
            tables[:-1].mean(axis=0), tables[-1], chosen, noisy, self.guarantee
        )

    def transcripts(self, n_samples: int) -> Iterator[tuple[tuple[int, int], ...]]:
        """Pairs (query, measured) of all rounds on `n_samples`, in order of :meth:`output_distribution`."""
        check.positive_integer(n_samples=n_samples)
        return product(
            product(range(len(self.queries)), range(n_samples + 1)),
            repeat=self.n_rounds,
        )

    def output_distribution(self, value: ArrayLike) -> Categorical:
        """Exact law over :meth:`transcripts`, at most 200,000; `value` as :meth:`release` takes it."""
        answers, n_samples = self._answers(value)
        n_steps = len(answers) * (n_samples + 1)
        check.at_most(
            LARGEST_TRANSCRIPTS, n_transcripts=n_steps ** min(int(self.n_rounds), 64)
        )
        distribution = DiscreteLaplace(answers[:, None], scale=self._steps[1].scale)
        noisy = distribution.logpmf(np.arange(n_samples + 1))
        noisy[:, 0], noisy[:, -1] = (
            distribution.logcdf(0)[:, 0],
            distribution.logsf(n_samples - 1)[:, 0],
        )
        return Categorical(
            self._log_distribution(self._start(), int(self.n_rounds), answers, noisy)
        )

    def _log_distribution(
        self, log_weights: NDArray, left: int, answers: NDArray, noisy: NDArray
    ) -> NDArray:
        """Log-probabilities of what the remaining rounds can give, from a table on."""
        n_samples, shares = noisy.shape[1] - 1, self._rows @ np.exp(log_weights)
        chosen = (
            self._steps[0]
            .output_distribution(np.abs(answers - n_samples * shares))
            .logpmf()
        )
        first = chosen[:, None] + noisy
        if left == 1:
            return first.ravel()
        parts = []
        for query, measured in np.ndindex(*first.shape):
            moved = self._step(log_weights, query, measured / n_samples - shares[query])
            parts.append(
                first[query, measured]
                + self._log_distribution(moved, left - 1, answers, noisy)
            )
        return np.concatenate(parts)


check.wrap_module(__name__)
