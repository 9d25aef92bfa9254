"""Exact PAC quantities: the probability that learning fails, as a finite sum.

A learner *fails* on a sample when the true error of its output exceeds the best in the class by more than
alpha.  Here it is a *law on mistakes*, from ints of shape (n_datasets, n_hypotheses) to probabilities of that
shape.  Points on which the same hypotheses are wrong are merged, and all multinomial samples gone through.
"""

from collections.abc import Callable, Iterator
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from privml import _check as check
from privml.hypotheses import HypothesisClass
from privml.populations import FinitePopulation

MistakeLearner = Callable[[NDArray[np.int64]], NDArray[np.float64]]

SLACK = (
    1e-12  # by how much a float may exceed its limit before it counts as exceeding it
)
MOST_COUNT_VECTORS = 50_000_000  # that are gone through
_BLOCK_ENTRIES = 1 << 21  # of a table of samples: 16 MiB


class Kinds(NamedTuple):
    """The points of a population, merged by which hypotheses are wrong on them.

    Parameters
    ----------
    losses : ndarray
        Zeros and ones of shape (n_kinds, n_hypotheses).
    probabilities, errors : ndarray
        Of the kinds, positive; true errors of the hypotheses.
    """

    losses: NDArray[np.float64]  # (n_kinds, n_hypotheses), zeros and ones
    probabilities: NDArray[np.float64]  # (n_kinds,), positive
    errors: NDArray[np.float64]  # (n_hypotheses,)


def merged_points(hypotheses: HypothesisClass, population: FinitePopulation) -> Kinds:
    """Points that fool the same hypotheses become one kind; impossible points are left out.

    Parameters
    ----------
    hypotheses : HypothesisClass
        Candidates.
    population : FinitePopulation
        Where records come from.

    Returns
    -------
    Kinds
        Losses and probabilities of the kinds, and the true errors.

    Examples
    --------
    >>> from privml.hypotheses import Table
    >>> merged_points(Table([[False], [True]]), FinitePopulation([0, 0], [False, True], [0.25, 0.75])).errors
    array([0.75, 0.25])
    """
    check.instance(HypothesisClass, hypotheses=hypotheses)
    check.instance(FinitePopulation, population=population)
    possible = population.probabilities > 0
    distinct, kind = np.unique(
        population.losses(hypotheses)[:, possible], axis=1, return_inverse=True
    )
    masses = np.bincount(kind.ravel(), weights=population.probabilities[possible])
    probabilities: NDArray[np.float64] = masses.astype(float, copy=False)
    return Kinds(
        distinct.T.astype(float), probabilities, population.error_rates(hypotheses)
    )


def _count_vectors(
    n_kinds: int, size: int, ranks: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Count vectors with the given ranks, in the combinatorial number system.

    A count vector is n_kinds - 1 bars among size + n_kinds - 1 places; a set of places a_1 < a_2 < ...
    has rank C(a_1, 1) + C(a_2, 2) + ...  Ranks are below MOST_COUNT_VECTORS, so larger binomial
    coefficients need not be told apart.
    """
    n_places = size + n_kinds - 1
    bars = np.empty((len(ranks), n_kinds + 1), dtype=np.int64)
    bars[:, 0], bars[:, -1] = -1, n_places
    for bar in range(n_kinds - 1, 0, -1):
        table = np.array(
            [min(comb(place, bar), MOST_COUNT_VECTORS) for place in range(n_places)]
        )
        bars[:, bar] = np.searchsorted(table, ranks, side="right") - 1
        ranks = ranks - table[bars[:, bar]]
    return np.diff(bars, axis=1) - 1


def samples(
    kinds: Kinds, n_samples: int
) -> Iterator[tuple[NDArray[np.float64], NDArray[np.int64]]]:
    """Blocks of (probabilities, mistakes) over all samples up to order and merging.

    Parameters
    ----------
    kinds : Kinds
        As of :func:`merged_points`.
    n_samples : int
        Number of records, a non-negative integer.

    Returns
    -------
    Iterator[tuple
        Iterator: pairs of shape (n_block,) and (n_block, n_hypotheses).

    Raises
    ------
    ValueError
        If there are more than 50,000,000 samples up to order.

    Examples
    --------
    >>> kinds = Kinds(np.array([[0.0, 1.0], [1.0, 0.0]]), np.array([0.25, 0.75]), np.array([0.75, 0.25]))
    >>> [(chances.round(4).tolist(), mistakes.tolist()) for chances, mistakes in samples(kinds, 1)]
    [([0.75, 0.25], [[1, 0], [0, 1]])]
    """
    from scipy.special import gammaln

    check.instance(Kinds, kinds=kinds)
    check.non_negative_integer(n_samples=n_samples)
    n_kinds, n_hypotheses = kinds.losses.shape
    total = comb(n_samples + n_kinds - 1, n_kinds - 1)
    if total > MOST_COUNT_VECTORS:
        raise ValueError(
            f"n_samples must leave at most {MOST_COUNT_VECTORS} samples, up to order, to enumerate, but got {total} "
            f"for n_samples={n_samples} and {n_kinds} kinds of points. Use fewer records or fewer kinds of points."
        )
    log_factorial, log_probabilities = (
        gammaln(np.arange(n_samples + 1) + 1.0),
        np.log(kinds.probabilities),
    )
    step = max(1, _BLOCK_ENTRIES // (n_kinds + n_hypotheses))
    for start in range(0, total, step):
        counts = _count_vectors(
            n_kinds, n_samples, np.arange(start, min(start + step, total))
        )
        log_weights = (
            log_factorial[-1]
            - log_factorial[counts].sum(axis=1)
            + counts @ log_probabilities
        )
        yield np.exp(log_weights), (counts @ kinds.losses).astype(np.int64)


def mistake_count_distribution(
    error_rate: float, n_samples: int
) -> NDArray[np.float64]:
    """Binomial probabilities of 0, 1, ..., n_samples mistakes of one hypothesis on an i.i.d. sample.

    Parameters
    ----------
    error_rate : float
        True error of the hypothesis, in [0, 1].
    n_samples : int
        Number of records, a non-negative integer.

    Returns
    -------
    ndarray
        Of shape (n_samples + 1,): binomial probabilities.

    References
    ----------
    L4-lem-error-count-binomial.

    Examples
    --------
    >>> mistake_count_distribution(0.5, 2).round(12).tolist()
    [0.25, 0.5, 0.25]
    """
    from scipy.stats import binom

    check.unit_interval(error_rate=error_rate)
    check.non_negative_integer(n_samples=n_samples)
    return binom.pmf(np.arange(n_samples + 1), n_samples, error_rate)


def uniform_deviation_probability(
    hypotheses: HypothesisClass,
    population: FinitePopulation,
    n_samples: int,
    alpha: float,
) -> float:
    """Probability that some hypothesis has an empirical error further than alpha from its true error.

    Parameters
    ----------
    hypotheses : HypothesisClass
        Candidates.
    population : FinitePopulation
        Where records come from.
    n_samples : int
        Number of records, a positive integer.
    alpha : float
        Here the deviation that is allowed, non-negative.

    References
    ----------
    L4-thm-uniform-convergence and DR11-lem-sampling-bound bound this probability.

    Examples
    --------
    >>> from privml.hypotheses import Table
    >>> coin = FinitePopulation([0, 0], [False, True], [0.5, 0.5])
    >>> round(uniform_deviation_probability(Table([[False], [True]]), coin, 2, 0.4), 12)
    0.5
    """
    check.non_negative(alpha=alpha)
    check.positive_integer(n_samples=n_samples)
    kinds, total = merged_points(hypotheses, population), 0.0
    for weights, mistakes in samples(kinds, n_samples):
        deviations = np.abs(mistakes / n_samples - kinds.errors).max(axis=1)
        total += float(weights[deviations > alpha + SLACK].sum())
    return min(total, 1.0)  # rounding may carry a sum of all weights past 1


def _expectation(
    learner: MistakeLearner, kinds: Kinds, n_samples: int, gain: NDArray[np.float64]
) -> float:
    """Mean of ``gain[h]`` over the sample and over h from the law."""
    check.function(learner=learner)
    check.positive_integer(n_samples=n_samples)
    total = 0.0
    for weights, mistakes in samples(kinds, n_samples):
        probabilities = np.asarray(learner(mistakes), dtype=float)
        if probabilities.shape != mistakes.shape:
            raise ValueError(
                f"learner must return shape {mistakes.shape}, but got shape {probabilities.shape}."
            )
        total += float(weights @ (probabilities @ gain))
    return total


def _failing(kinds: Kinds, alpha: float) -> NDArray[np.float64]:
    check.non_negative(alpha=alpha)
    return (kinds.errors > kinds.errors.min() + alpha + SLACK).astype(float)


def failure_probability(
    learner: MistakeLearner,
    hypotheses: HypothesisClass,
    population: FinitePopulation,
    n_samples: int,
    alpha: float,
) -> float:
    """Probability over sample and coins that a learner's output is worse than the best by more than alpha.

    Parameters
    ----------
    learner : callable
        The learner: from mistakes (n_datasets, n_hypotheses) to probabilities of hypotheses.
    hypotheses : HypothesisClass
        Candidates.
    population : FinitePopulation
        Where records come from.
    n_samples : int
        Number of records, a positive integer.
    alpha : float
        Here the excess error that is allowed, non-negative.

    Returns
    -------
    float
        ``P(err(output) > min_h err(h) + alpha)``, exact up to rounding.

    References
    ----------
    L4-def-pac, DR11-def-11.3: PAC learning asks that this be at most beta.

    Examples
    --------
    >>> from privml.hypotheses import Table
    >>> population = FinitePopulation([0], [True], [1.0])
    >>> blind = lambda mistakes: np.full(mistakes.shape, 0.5)
    >>> failure_probability(blind, Table([[False], [True]]), population, 5, 0.1)
    0.5
    """
    kinds = merged_points(hypotheses, population)
    return min(_expectation(learner, kinds, n_samples, _failing(kinds, alpha)), 1.0)


def expected_excess_error(
    learner: MistakeLearner,
    hypotheses: HypothesisClass,
    population: FinitePopulation,
    n_samples: int,
) -> float:
    """Mean excess of the true error of a learner's output over the best in the class.

    Parameters
    ----------
    learner : callable
        The learner: from mistakes (n_datasets, n_hypotheses) to probabilities of hypotheses.
    hypotheses : HypothesisClass
        Candidates.
    population : FinitePopulation
        Where records come from.
    n_samples : int
        Number of records, a positive integer.

    Returns
    -------
    float
        ``E[err(output)] - min_h err(h)``, exact up to rounding.

    References
    ----------
    The mean of the quantity that L4-def-pac and DR11-def-11.3 bound with high probability.

    Examples
    --------
    >>> from privml.hypotheses import Table
    >>> blind = lambda mistakes: np.full(mistakes.shape, 0.5)
    >>> expected_excess_error(blind, Table([[False], [True]]), FinitePopulation([0], [True], [1.0]), 5)
    0.5
    """
    kinds = merged_points(hypotheses, population)
    return _expectation(learner, kinds, n_samples, kinds.errors - kinds.errors.min())


def smallest_sample_size(
    learner: MistakeLearner,
    hypotheses: HypothesisClass,
    population: FinitePopulation,
    alpha: float,
    *,
    beta: float,
    upper: int,
    run: int | None = None,
) -> int:
    """Least sample size from which on a learner fails with probability at most beta.

    Failure need not fall with every further record.  When `upper` is the size that a theorem promises,
    nothing is left out; `run` saves time.

    Parameters
    ----------
    learner : callable
        The learner: from mistakes (n_datasets, n_hypotheses) to probabilities of hypotheses.
    hypotheses : HypothesisClass
        Candidates.
    population : FinitePopulation
        Where records come from.
    alpha : float
        Here the excess error that is allowed, non-negative.
    beta : float
        Failure probability, in (0, 1).
    upper : int
        Here the largest size that is tried, a positive integer.
    run : int, optional
        How many sizes in a row must hold for the first to count, a positive integer; None takes all.

    Returns
    -------
    int
        Least n with ``failure_probability <= beta`` at n, n + 1, ..., `upper`.

    Raises
    ------
    ValueError
        If failure is more likely than `beta` at `upper`, or no such run is found.

    References
    ----------
    L4-def-pac: m(alpha, beta), for one population and one learner.

    Examples
    --------
    >>> from privml.hypotheses import Table
    >>> coin = FinitePopulation([0, 0], [False, True], [0.3, 0.7])
    >>> majority = lambda mistakes: np.eye(2)[mistakes.argmin(axis=1)]
    >>> smallest_sample_size(majority, Table([[False], [True]]), coin, 0.1, beta=0.25, upper=100)
    7
    """
    check.probability_open(beta=beta)
    check.positive_integer(upper=upper, **({} if run is None else {"run": run}))
    kinds = merged_points(hypotheses, population)
    gain, failing = _failing(kinds, alpha), 0
    for n_samples in range(upper, 0, -1) if run is None else range(1, upper + 1):
        if _expectation(learner, kinds, n_samples, gain) > beta + SLACK:
            failing = n_samples
            if (
                run is None
            ):  # from the promised size downwards, since the answer is often near
                break
        elif n_samples - failing == run:
            return failing + 1
    if failing == upper or run is not None:
        raise ValueError(
            f"upper must be a sample size at which failure is at most beta={beta}, but got {upper}."
        )
    return failing + 1


check.wrap_module(__name__)
