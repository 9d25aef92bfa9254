"""Oracles without privacy: exact, adversarial within a tolerance, and sampled."""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml.learners.statistical_queries.base import DataOracle, SQOracle, StatisticalQuery, query_values
from privml.populations import FinitePopulation

Rule = Callable[[StatisticalQuery, float, float], float]


def expectation(query: StatisticalQuery, population: FinitePopulation) -> float:
    """Mean of a statistical query over a population, exactly.

    **Source.** DR11-def-11.4: the quantity that an oracle estimates.

    Parameters
    ----------
    query : callable
        From (X, y) to values in [0, 1].

    Raises
    ------
    ValueError
        If the query does not return one number per point.

    Examples
    --------
    >>> population = FinitePopulation([0.0, 1.0, 2.0], [False, True, True], [0.5, 0.25, 0.25])
    >>> expectation(lambda X, y: (X >= 1.5) & y, population)
    0.25
    """
    check.instance(FinitePopulation, population=population)
    return float(population.probabilities @ query_values(query, population.X, population.y))


def towards(value: float) -> Rule:
    """Adversary that moves every answer as far towards one value as its tolerance allows.

    **Returns.** Callable: A rule for :class:`AdversarialOracle`.
    **Source.** DR11-def-11.4: the tolerance is the adversary's to use.

    Parameters
    ----------
    value : float
        Where to, for instance 1/2, the answer that says least.

    Raises
    ------
    ValueError
        If `value` is not finite.

    Examples
    --------
    >>> round(towards(0.5)(None, 0.3, 0.1), 3), round(towards(0.5)(None, 0.55, 0.1), 3)
    (0.4, 0.5)
    """
    check.finite(value=value)
    return lambda query, truth, tolerance: min(max(value, truth - tolerance), truth + tolerance)


class AdversarialOracle(SQOracle):
    """Oracle whose answers are wrong by at most a tolerance, in the way that a rule chooses.

    **Source.** DR11-def-11.4.

    Parameters
    ----------
    tolerance : float
        Largest error tau of an answer, non-negative.
    rule : callable, optional
        ``rule(query, truth, tolerance)`` gives the answer; one that is too far from the truth is moved to
        within the tolerance.  None stands for ``towards(0.5)``.

    Examples
    --------
    >>> population = FinitePopulation([0.0, 1.0], [False, True], [0.25, 0.75])
    >>> AdversarialOracle(population, 0.125).answer(lambda X, y: y)
    0.625
    >>> AdversarialOracle(population, 0.125, lambda query, truth, tolerance: 7.0).answer(lambda X, y: y)
    0.875
    """

    def __init__(
        self,
        population: FinitePopulation,
        tolerance: float,
        rule: Rule | None = None,
        *,
        n_queries: int | None = None,
    ) -> None:
        super().__init__(n_queries)
        check.instance(FinitePopulation, population=population)
        check.non_negative(tolerance=tolerance)
        self.population = population
        self.tolerance = tolerance
        self.rule = towards(0.5) if rule is None else rule

    def _respond(self, query: StatisticalQuery, n_answers: int | None) -> NDArray[np.float64]:
        if n_answers is None:
            return np.array([self._single(query)])
        columns = [lambda X, y, j=j: np.asarray(query(X, y))[:, j] for j in range(n_answers)]
        query_values(query, self.population.X, self.population.y, n_answers)
        return np.array([self._single(column) for column in columns])

    def _single(self, query: StatisticalQuery) -> float:
        truth = expectation(query, self.population)
        answer = float(self.rule(query, truth, self.tolerance))
        check.finite(answer=answer)
        return min(max(answer, truth - self.tolerance), truth + self.tolerance)


class ExactOracle(AdversarialOracle):
    """Oracle that answers with the mean over the population: tolerance zero.

    **Source.** DR11-def-11.4.

    >>> population = FinitePopulation([0.0, 1.0], [False, True], [0.25, 0.75])
    >>> ExactOracle(population).answer(lambda X, y: y)
    0.75
    """

    def __init__(self, population: FinitePopulation, *, n_queries: int | None = None) -> None:
        super().__init__(population, 0.0, n_queries=n_queries)


class SampleOracle(DataOracle):
    """Oracle that answers with empirical means; not private.

    **Accuracy.** :func:`~privml.bounds.statistical_queries.sq_accuracy`, for queries that were fixed before
    the records were drawn; for others only with "split", where it is the adaptive form.
    **Source.** DR11-thm-private-sq-sample-complexity, the part without privacy.

    Parameters
    ----------
    n_queries : int, optional
        How many queries will be answered; needed for "split".
    mode : {"reuse", "split"}
        Answer from all records each time, or from a fresh batch of ``n_samples // n_queries`` records.
    rng : numpy.random.Generator or int, optional
        Deals the records into batches; "reuse" does not need it.

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
        super().__init__(X, y, n_queries=n_queries, mode=mode, rng=np.random.default_rng(rng))

    def _respond(self, query: StatisticalQuery, n_answers: int | None) -> NDArray[np.float64]:
        return self._means(query, n_answers)
