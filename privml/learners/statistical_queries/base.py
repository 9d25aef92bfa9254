"""What a statistical query is, who answers it, and who asks: the interfaces of the topic.

A *statistical query* is a function ``phi(x, y)`` of a labelled example with values in [0, 1].  Here it is a
callable ``query(X, y)`` that gives one value per record; it is public.  An *oracle* answers with an
estimate of the mean of phi over a population.  A learner that sees the population only through an oracle is
an *SQ learner*: whatever the oracle does about privacy, the learner inherits.

An oracle may limit the number of queries.  A query that is refused, because it is one too many or gives no
proper values, is not counted and costs nothing.

A query is code that runs on the records.  It is trusted to treat them one by one: to give each record a value
that depends on this record only, and to fail, if it does, whatever the records are.  Nothing here enforces
that.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check

StatisticalQuery = Callable[[NDArray, NDArray[np.bool_]], ArrayLike]


def query_values(query: StatisticalQuery, X: NDArray, y: NDArray[np.bool_], n_answers: int | None = None):
    """Values of one query, or of several asked as one, on labelled records.

    **Returns.** ndarray of float, shape (n_samples,) or (n_samples, n_answers): clipped to [0, 1], NaN to 0:
    no record raises by its value, and none counts for more than 1.
    **Source.** DR11-def-11.4.

    Parameters
    ----------
    query : callable
        From (X, y) to an array of shape (n_samples,), or (n_samples, n_answers).
    n_answers : int, optional
        Number of columns; None for one query.

    Raises
    ------
    ValueError
        If the query does not return numbers of that shape.

    Examples
    --------
    >>> X, y = np.array([[0.2], [3.0], [np.nan]]), np.array([True, False, True])
    >>> query_values(lambda X, y: X[:, 0], X, y).tolist()
    [0.2, 1.0, 0.0]
    """
    if not callable(query):
        raise ValueError(f"query must be a function of (X, y), got {query!r}")
    if np.ndim(y) != 1:
        raise ValueError(f"y must be a vector, got shape {np.shape(y)}")
    shape = (len(y),) if n_answers is None else (len(y), n_answers)
    try:
        values = np.asarray(query(X, y), dtype=float)
    except (TypeError, ValueError):  # what the query says of the records is not passed on
        raise ValueError(f"query must return an array of numbers of shape {shape}") from None
    if values.shape != shape:
        raise ValueError(f"query must return shape {shape}, got shape {values.shape}")
    clipped = np.fmax(values, 0.0)  # a new array; of NaN and 0 the 0
    return np.fmin(clipped, 1.0, out=clipped)


class SQOracle(ABC):
    """Base of all oracles: counts the queries and refuses those beyond the declared number.

    **Source.** DR11-def-11.4.

    Parameters
    ----------
    n_queries : int, optional
        How many queries will be answered; None for no limit.

    Raises
    ------
    ValueError
        If `n_queries` is not a positive integer.
    """

    def __init__(self, n_queries: int | None = None) -> None:
        if n_queries is not None:
            check.positive_integer(n_queries=n_queries)
        self.n_queries = n_queries
        self.n_answered = 0

    def __repr__(self) -> str:
        limit = "" if self.n_queries is None else f" of {self.n_queries}"
        return f"{type(self).__name__}({self.n_answered}{limit} answered)"

    @abstractmethod
    def _respond(self, query: StatisticalQuery, n_answers: int | None) -> NDArray[np.float64]:
        """Answers, as a vector; raises before anything is drawn if the query is no good."""

    def answer(self, query: StatisticalQuery) -> float:
        """Answer one query.

        Parameters
        ----------
        query : callable
            From (X, y) to values in [0, 1], shape (n_samples,); values outside are clipped.

        Raises
        ------
        ValueError
            If the limit is reached or the query does not return values; nothing is counted then.
        """
        self._refuse_beyond(1)
        [answer] = self._respond(query, None)
        self.n_answered += 1
        return float(answer)

    def answers(self, query: StatisticalQuery, n_answers: int) -> NDArray[np.float64]:
        """Answer several queries that are asked as one function, for instance the entries of a gradient.

        Parameters
        ----------
        query : callable
            From (X, y) to values of shape (n_samples, n_answers); each column is a query and counts as one.
        n_answers : int
            How many, at least 1.

        Returns
        -------
        ndarray of shape (n_answers,)

        Raises
        ------
        ValueError
            As :meth:`answer`.
        """
        check.positive_integer(n_answers=n_answers)
        self._refuse_beyond(n_answers)
        answers = self._respond(query, n_answers)
        self.n_answered += n_answers
        return answers

    def _refuse_beyond(self, n_answers: int) -> None:
        if self.n_queries is not None and self.n_answered + n_answers > self.n_queries:
            raise ValueError(
                f"n_queries must be at least {self.n_answered + n_answers} for this query, "
                f"got {self.n_queries} declared and {self.n_answered} answered"
            )


class DataOracle(SQOracle):
    """Base of the oracles that answer from records: all of them each time, or a fresh batch for each query.

    Attributes
    ----------
    n_records : int
        Number of records behind one answer.
    """

    def __init__(
        self, X: ArrayLike, y: ArrayLike, *, n_queries: int | None, mode: str, rng: np.random.Generator
    ) -> None:
        super().__init__(n_queries)
        check.one_of(("reuse", "split"), mode=mode)
        self.mode = mode
        self._X, self._y = np.asarray(X), np.asarray(y)
        n_samples = self._y.size
        if self._y.dtype != bool or self._y.shape != self._X.shape[:1] or not n_samples:
            rule = "a vector of bools, one for each row of X, at least 1"
            raise ValueError(f"y must be {rule}, got {self._y.dtype} of shape {self._y.shape}")
        self.n_records = n_samples
        if mode == "split":
            if n_queries is None or n_samples < n_queries:
                raise ValueError(f"n_queries must be at most {n_samples} with mode='split', got {n_queries}")
            self.n_records = n_samples // n_queries
            self._order = rng.permutation(n_samples)

    def _means(self, query: StatisticalQuery, n_answers: int | None) -> NDArray[np.float64]:
        """Means of the next queries over the records that stand behind them."""
        if self.mode == "reuse":
            return np.atleast_1d(query_values(query, self._X, self._y, n_answers).mean(axis=0))
        means = []
        for column in range(n_answers or 1):
            first = (self.n_answered + column) * self.n_records
            batch = self._order[first : first + self.n_records]
            values = query_values(query, self._X[batch], self._y[batch], n_answers)
            means.append(values.mean(axis=0) if n_answers is None else values[:, column].mean())
        return np.array(means)


class SQLearner(ABC):
    """A learner that asks statistical queries and sees nothing else.

    A subclass says how many queries it will ask, asks them, and can predict from what it found.  What it
    found is a function of the answers alone, so it is as private as they are.

    **Source.** DR11-def-11.5.
    """

    @property
    @abstractmethod
    def n_queries(self) -> int:
        """Number of queries that one run asks, fixed in advance."""

    @abstractmethod
    def accuracy(self, tolerance: float) -> float:
        """What a run promises if every answer is within `tolerance` of the truth."""

    @abstractmethod
    def run(self, oracle: SQOracle) -> Any:
        """Ask the oracle; return what `predict` needs."""

    @abstractmethod
    def predict(self, found: Any, X: ArrayLike) -> NDArray[np.bool_]:
        """Labels of instances, from what :meth:`run` returned."""
