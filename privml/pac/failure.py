"""How often, and by how much, a learner's output is worse than the best hypothesis of the class."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from privml import _check as check
from privml.hypotheses import HypothesisClass
from privml.pac.base import SLACK, Kinds, MistakeLaw, merged_points, samples
from privml.populations import FinitePopulation


def _expectation(law: MistakeLaw, kinds: Kinds, n_samples: int, gain: NDArray[np.float64]) -> float:
    """Mean of ``gain[h]`` over the sample and over h from the law."""
    total = 0.0
    for weights, mistakes in samples(kinds, n_samples):
        probabilities = np.asarray(law(mistakes), dtype=float)
        if probabilities.shape != mistakes.shape:
            raise ValueError(f"law must return shape {mistakes.shape}, got shape {probabilities.shape}")
        total += float(weights @ (probabilities @ gain))
    return total


def failure_probability(
    law: MistakeLaw, hypotheses: HypothesisClass, population: FinitePopulation, n_samples: int, alpha: float
) -> float:
    """Probability that a learner's output is worse than the best hypothesis by more than alpha.

    **Returns.** ``P(err(output) > min_h err(h) + alpha)`` over the sample and the coins, exact up to
    rounding.
    **Accuracy.** True errors are compared with ``min_h err(h) + alpha + SLACK``.
    **Source.** L4-def-pac, DR11-def-11.3: PAC learning asks that this be at most beta.

    Parameters
    ----------
    law : callable
        From mistakes, ints of shape (n_datasets, n_hypotheses), to the probabilities with which the
        learner outputs each hypothesis, of the same shape.

    Examples
    --------
    A fair learner that ignores the sample and picks one of two constants:

    >>> from privml.hypotheses import Table
    >>> population = FinitePopulation([0], [True], [1.0])
    >>> blind = lambda mistakes: np.full(mistakes.shape, 0.5)
    >>> failure_probability(blind, Table([[False], [True]]), population, 5, 0.1)
    0.5
    """
    check.function(law=law)
    check.instance(HypothesisClass, hypotheses=hypotheses)
    check.instance(FinitePopulation, population=population)
    check.positive_integer(n_samples=n_samples)
    check.non_negative(alpha=alpha)
    kinds = merged_points(hypotheses, population)
    return min(_expectation(law, kinds, n_samples, _failing(kinds, alpha)), 1.0)


def _failing(kinds: Kinds, alpha: float) -> NDArray[np.float64]:
    return (kinds.errors > kinds.errors.min() + alpha + SLACK).astype(float)


def expected_excess_error(
    law: MistakeLaw, hypotheses: HypothesisClass, population: FinitePopulation, n_samples: int
) -> float:
    """Mean excess of the true error of a learner's output over the best in the class.

    **Returns.** ``E[err(output)] - min_h err(h)``, exact up to rounding.
    **Source.** The mean of the quantity that L4-def-pac and DR11-def-11.3 bound with high probability.

    Parameters
    ----------
    law : callable
        As in `failure_probability`.

    Raises
    ------
    ValueError
        As `failure_probability`.

    Examples
    --------
    >>> from privml.hypotheses import Table
    >>> population = FinitePopulation([0], [True], [1.0])
    >>> blind = lambda mistakes: np.full(mistakes.shape, 0.5)
    >>> expected_excess_error(blind, Table([[False], [True]]), population, 5)
    0.5
    """
    check.function(law=law)
    check.instance(HypothesisClass, hypotheses=hypotheses)
    check.instance(FinitePopulation, population=population)
    check.positive_integer(n_samples=n_samples)
    kinds = merged_points(hypotheses, population)
    return _expectation(law, kinds, n_samples, kinds.errors - kinds.errors.min())


def smallest_sample_size(
    law: MistakeLaw,
    hypotheses: HypothesisClass,
    population: FinitePopulation,
    alpha: float,
    beta: float,
    *,
    upper: int,
    run: int | None = None,
) -> int:
    """Least sample size from which on a learner fails with probability at most beta.

    The failure probability need not fall with every further record (ties come and go with the parity of
    n), and PAC learning asks for *all* sizes from m(alpha, beta) on.  So the answer is the least n with
    ``failure_probability <= beta`` at n, n + 1, ..., `upper`.  When `upper` is the sample size that a
    theorem promises, this is m(alpha, beta) for the population, with nothing left out.

    **Accuracy.** Probabilities are compared with ``beta + SLACK``, errors as in `failure_probability`.
    **Source.** L4-def-pac: m(alpha, beta), for one population and one learner.

    Parameters
    ----------
    law, hypotheses, population, alpha
        As in `failure_probability`.
    upper : int
        Largest sample size to look at, at least 1.
    run : int, optional
        To save time: look upwards from 1 and stop at the first n that holds together with its `run - 1`
        successors.  The answer is then at most the full one.

    Examples
    --------
    Learning the likelier label of a coin by the majority of n labels; a tie goes to the wrong one, so
    even n fail more often:

    >>> from privml.hypotheses import Table
    >>> coin = FinitePopulation([0, 0], [False, True], [0.3, 0.7])
    >>> majority = lambda mistakes: np.eye(2)[mistakes.argmin(axis=1)]
    >>> smallest_sample_size(majority, Table([[False], [True]]), coin, 0.1, 0.25, upper=100)
    7
    >>> smallest_sample_size(majority, Table([[False], [True]]), coin, 0.1, 0.25, upper=100, run=1)
    3
    """
    check.function(law=law)
    check.instance(HypothesisClass, hypotheses=hypotheses)
    check.instance(FinitePopulation, population=population)
    check.non_negative(alpha=alpha)
    check.probability_open(beta=beta)
    check.positive_integer(upper=upper, **({} if run is None else {"run": run}))
    kinds = merged_points(hypotheses, population)
    gain = _failing(kinds, alpha)

    def holds(n_samples: int) -> bool:
        return _expectation(law, kinds, n_samples, gain) <= beta + SLACK

    if run is None:
        found = next((n + 1 for n in range(upper, 0, -1) if not holds(n)), 1)
    else:
        found = _first_run(holds, upper, run)
    if found > upper:
        raise ValueError(
            f"upper must be a sample size at which failure is at most beta={beta!r}, got {upper!r}"
        )
    return found


def _first_run(holds: Callable[[int], bool], upper: int, run: int) -> int:
    """First of `run` consecutive sizes up to `upper` that hold, or upper + 1."""
    length = 0
    for n_samples in range(1, upper + 1):
        length = length + 1 if holds(n_samples) else 0
        if length == run:
            return n_samples - run + 1
    return upper + 1
