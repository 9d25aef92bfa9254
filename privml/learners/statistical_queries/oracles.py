"""What a statistical query is, and who answers it: a population, an adversary, or a sample.

A *statistical query* is a public function of a labelled example with values in [0, 1], here a callable
``query(X, y)`` that gives one value per record.  An *oracle* answers with an estimate of its mean over a
population.  A query that is refused, as one too many or without proper values, costs nothing.

A query is code that runs on the records.  It is trusted to give each record a value that depends on this
record only, and to fail, if it does, whatever the records are.  Nothing here enforces that.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml.populations import FinitePopulation

StatisticalQuery = Callable[[NDArray, NDArray[np.bool_]], ArrayLike]


def query_values(
    query: StatisticalQuery,
    X: NDArray,
    y: NDArray[np.bool_],
    n_answers: int | None = None,
) -> NDArray:
    """Values of one query, or of several asked as one, on labelled records: clipped to [0, 1], NaN to 0.

    Parameters
    ----------
    query : callable
        From (X, y) to a value for each record.
    X : ndarray
        Records of shape (n_samples, ...).
    y : ndarray
        Their labels, bools of shape (n_samples,).
    n_answers : int, optional
        Number of columns that it returns, a positive integer; None is a vector.

    Returns
    -------
    ndarray
        Of shape (n_samples,) or (n_samples, n_answers): in [0, 1], no record counts for more than 1.

    Raises
    ------
    ValueError
        If `query` fails on the types or returns another shape: by no record's value.

    References
    ----------
    DR11-def-11.4.

    Examples
    --------
    >>> X, y = np.array([[0.2], [3.0], [np.nan]]), np.array([True, False, True])
    >>> query_values(lambda X, y: X[:, 0], X, y).tolist()
    [0.2, 1.0, 0.0]
    """
    if not callable(query):
        raise ValueError(f"query must be a function of (X, y), but got {query!r}.")
    if np.ndim(y) != 1:
        raise ValueError(f"y must be a vector, but got shape {np.shape(y)}.")
    shape = (len(y),) if n_answers is None else (len(y), n_answers)
    try:
        values = np.asarray(query(X, y), dtype=float)
    except (
        TypeError,
        ValueError,
    ):  # what the query says of the records is not passed on
        raise ValueError(
            f"query must return an array of numbers of shape {shape}, but got another object."
        ) from None
    if values.shape != shape:
        raise ValueError(
            f"query must return shape {shape}, but got shape {values.shape}."
        )
    clipped = np.fmax(values, 0.0)  # a new array; of NaN and 0 the 0
    return np.fmin(clipped, 1.0, out=clipped)


class SQOracle(ABC):
    """Base of all oracles: counts the queries and refuses those beyond the declared number.

    Parameters
    ----------
    n_queries : int, optional
        Number of queries that will be answered, a positive integer; None for no limit.

    References
    ----------
    DR11-def-11.4.
    """

    def __init__(self, n_queries: int | None = None) -> None:
        if n_queries is not None:
            check.positive_integer(n_queries=n_queries)
        self.n_queries: int | None = n_queries
        self.n_answered = 0

    def __repr__(self) -> str:
        limit = "" if self.n_queries is None else f" of {self.n_queries}"
        return f"{type(self).__name__}({self.n_answered}{limit} answered)"

    @abstractmethod
    def _respond(
        self, query: StatisticalQuery, n_answers: int | None
    ) -> NDArray[np.float64]:
        """Answers, as a vector; raises before anything is drawn if the query is no good."""

    def answer(self, query: StatisticalQuery) -> float:
        """Answer one query.

        Parameters
        ----------
        query : callable
            From instances and labels to a value in [0, 1] for each, public.
        """
        self._refuse_beyond(1)
        [answer] = self._respond(query, None)
        self.n_answered += 1
        return float(answer)

    def answers(self, query: StatisticalQuery, n_answers: int) -> NDArray[np.float64]:
        """Answer several queries that are asked as one function.

        Parameters
        ----------
        query, n_answers : callable, int
            From instances and labels to values (n_samples, n_answers); how many, a positive integer.
        """
        check.positive_integer(n_answers=n_answers)
        self._refuse_beyond(n_answers)
        answers = self._respond(query, n_answers)
        self.n_answered += n_answers
        return answers

    def _refuse_beyond(self, n_answers: int) -> None:
        total = self.n_answered + n_answers
        if self.n_queries is not None and total > self.n_queries:
            raise ValueError(
                f"n_queries must be at least {total} for this query, but got {self.n_queries} declared and "
                f"{self.n_answered} answered."
            )


class AdversarialOracle(SQOracle):
    """Oracle whose answers are wrong by at most a tolerance, in the way that a rule chooses.

    Parameters
    ----------
    population : FinitePopulation
        Where records come from: its means are the truth.
    tolerance : float
        Here the largest error tau of an answer, non-negative; with 0 all answers are exact.
    rule : callable, optional
        From (query, truth, tolerance) to an answer, moved to within the tolerance; None says 1/2.
    n_queries : int, optional
        Number of queries that will be answered, a positive integer; None for no limit.

    References
    ----------
    DR11-def-11.4.

    Examples
    --------
    >>> population = FinitePopulation([0.0, 1.0], [False, True], [0.25, 0.75])
    >>> [AdversarialOracle(population, tau).answer(lambda X, y: y) for tau in (0.0, 0.125)]
    [0.75, 0.625]
    >>> AdversarialOracle(population, 0.125, lambda query, truth, tolerance: 7.0).answer(lambda X, y: y)
    0.875
    """

    def __init__(
        self,
        population: FinitePopulation,
        tolerance: float,
        rule: Callable[[StatisticalQuery, float, float], float] | None = None,
        *,
        n_queries: int | None = None,
    ) -> None:
        super().__init__(n_queries)
        check.instance(FinitePopulation, population=population)
        check.non_negative(tolerance=tolerance)
        self.population, self.tolerance = population, tolerance
        self.rule = (lambda query, truth, tolerance: 0.5) if rule is None else rule

    def _respond(
        self, query: StatisticalQuery, n_answers: int | None
    ) -> NDArray[np.float64]:
        values = query_values(query, self.population.X, self.population.y, n_answers)
        columns = values.reshape(len(values), -1).T
        return np.array(
            [
                self._moved(query, float(self.population.probabilities @ c))
                for c in columns
            ]
        )

    def _moved(self, query: StatisticalQuery, truth: float) -> float:
        answer = float(self.rule(query, truth, self.tolerance))
        check.finite(answer=answer)
        return min(max(answer, truth - self.tolerance), truth + self.tolerance)


class SampleOracle(SQOracle):
    """Oracle that answers with empirical means; not private.

    Parameters
    ----------
    X : array_like
        Records of shape (n_samples, ...).
    y : array_like
        Labels of shape (n_samples,), bools.
    n_queries : int, optional
        Number of queries that will be answered, a positive integer; None is no limit, not for "split".
    mode : str
        One of "reuse" (all records each time) and "split" (a fresh batch of ``n_samples // n_queries``).
    rng : int or Generator, optional
        Seed or Generator; None draws fresh entropy.

    Attributes
    ----------
    n_records : int
        Number of records behind one answer.

    Raises
    ------
    ValueError
        If `y` are no bools, one a row, or records are fewer than queries of "split".

    Notes
    -----
    *Accuracy.* :func:`~privml.bounds.statistical_queries.sq_accuracy`, for queries that were fixed before
    the records were drawn; for others only with "split", where it is the adaptive form.

    References
    ----------
    DR11-thm-private-sq-sample-complexity, the part without privacy.

    Examples
    --------
    >>> SampleOracle([[0], [1], [2], [3]], [False, True, True, True]).answer(lambda X, y: y)
    0.75
    """

    def __init__(
        self,
        X: ArrayLike,
        y: ArrayLike,
        *,
        n_queries: int | None = None,
        mode: str = "reuse",
        rng: np.random.Generator | int | None = None,
    ) -> None:
        super().__init__(n_queries)
        check.one_of(("reuse", "split"), mode=mode)
        self.mode, self._rng = mode, np.random.default_rng(rng)
        self._X, self._y = np.asarray(X), np.asarray(y)
        n_samples = self._y.size
        if self._y.dtype != bool or self._y.shape != self._X.shape[:1] or not n_samples:
            rule = "a vector of bools, one for each row of X, at least 1"
            raise ValueError(
                f"y must be {rule}, but got {self._y.dtype} of shape {self._y.shape}."
            )
        self.n_records = n_samples
        if mode == "split":
            if n_queries is None or n_samples < n_queries:
                raise ValueError(
                    f"n_queries must be at most {n_samples} with mode='split', but got {n_queries}."
                )
            self.n_records = n_samples // n_queries
            self._order = self._rng.permutation(n_samples)

    def _means(
        self, query: StatisticalQuery, n_answers: int | None
    ) -> NDArray[np.float64]:
        """Means of the next queries over the records that stand behind them."""
        if self.mode == "reuse":
            return np.atleast_1d(
                query_values(query, self._X, self._y, n_answers).mean(axis=0)
            )
        means = []
        for column in range(n_answers or 1):
            first = (self.n_answered + column) * self.n_records
            batch = self._order[first : first + self.n_records]
            values = query_values(query, self._X[batch], self._y[batch], n_answers)
            means.append(
                values.mean(axis=0) if n_answers is None else values[:, column].mean()
            )
        return np.array(means)

    def _respond(
        self, query: StatisticalQuery, n_answers: int | None
    ) -> NDArray[np.float64]:
        return self._means(query, n_answers)


check.wrap_module(__name__)
