r"""What many teachers agree on: the law of a teacher, its mean, and the majority of infinitely many.

A teacher is an empirical risk minimiser on its own records.  On a finite population its law on the class can
be computed from all samples, once it is said how ties are broken: that is part of the learner.  The mean
prediction :math:`p(x) = E[h_1(x)]` then tells what any number of independent teachers vote at x.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml.adjacency import multisets
from privml.hypotheses import HypothesisClass
from privml.populations import FinitePopulation

LARGEST_DRAWS = 10**8
TIES = ("uniform", "first")
_ROUNDING = 1e-12  # sums of the same probabilities may differ by rounding
_BLOCK = 1 << 22


def _minimisers(counts: NDArray, losses: NDArray, ties: str) -> NDArray[np.float64]:
    """One row a sample: the law of its empirical risk minimiser."""
    mistakes = counts.astype(float) @ losses.T.astype(float)  # whole numbers: exact
    best = mistakes == mistakes.min(axis=1, keepdims=True)
    if ties == "first":
        return (best & (np.cumsum(best, axis=1) == 1)).astype(float)
    return best / best.sum(axis=1, keepdims=True)


def _all_counts(probabilities: NDArray, n_samples: int) -> tuple[NDArray, NDArray]:
    """How often each point occurs, for all samples up to order, and the probability of each."""
    from scipy.special import gammaln

    samples = multisets(len(probabilities), n_samples)
    counts = (samples[:, :, None] == np.arange(len(probabilities))).sum(axis=1)
    log_law = gammaln(n_samples + 1) + (counts * np.log(probabilities) - gammaln(counts + 1)).sum(axis=1)
    return counts, np.exp(log_law)


def erm_law(
    hypotheses: HypothesisClass,
    population: FinitePopulation,
    n_samples: int,
    *,
    ties: str = "uniform",
    n_draws: int | None = None,
    rng: int | np.random.Generator | None = None,
) -> NDArray[np.float64]:
    """Law of the hypothesis that an empirical risk minimiser returns on i.i.d. records.

    Exact up to rounding, without `n_draws`.

    **Source.** LZCW21-ex-1 and LZCW21-def-infinite-ensemble: the teacher, ties included.

    Parameters
    ----------
    ties : {"uniform", "first"}
        Draw uniformly among the minimisers, or take the first.

    Examples
    --------
    >>> from privml.populations import voting_fails_example
    >>> erm_law(*voting_fails_example(), 1).round(4).tolist()
    [0.3333, 0.3333, 0.3333]
    >>> erm_law(*voting_fails_example(), 1, ties="first").tolist()
    [0.5, 0.25, 0.25]
    """
    rng = np.random.default_rng(rng)
    check.non_negative_integer(n_samples=n_samples)
    check.one_of(TIES, ties=ties)
    check.instance(HypothesisClass, hypotheses=hypotheses)
    check.instance(FinitePopulation, population=population)
    possible = population.probabilities > 0
    law, losses = population.probabilities[possible], population.losses(hypotheses)[:, possible]
    if n_draws is not None:
        check.positive_integer(n_draws=n_draws)
        if n_draws * population.probabilities.size > LARGEST_DRAWS:
            raise ValueError(f"n_draws must be small enough for memory, got {n_draws!r}")
        counts = rng.multinomial(n_samples, law / law.sum(), size=n_draws)
        weights = np.full(n_draws, 1 / n_draws)
    else:
        counts, weights = _all_counts(law, n_samples)
    total, step = np.zeros(hypotheses.n_hypotheses), max(1, _BLOCK // hypotheses.n_hypotheses)
    for start in range(0, len(counts), step):
        rows = slice(start, start + step)
        total += weights[rows] @ _minimisers(counts[rows], losses, ties)
    return total / total.sum()


class InfiniteEnsemble(NamedTuple):
    """What infinitely many independent teachers vote at each point.

    Attributes
    ----------
    means : ndarray of float
        Mean prediction ``E[h_1(x)]``, the share of votes for 1.
    labels : ndarray of bool
        Whether it is at least 1/2.
    margins : ndarray of float
        Expected margin, ``|E[h_1(x)] - 1/2|``.
    """

    means: NDArray[np.float64]
    labels: NDArray[np.bool_]
    margins: NDArray[np.float64]


def _checked_law(law: ArrayLike, predictions: ArrayLike) -> tuple[NDArray, NDArray]:
    law, predictions = check.finite_vector(law=law), np.asarray(predictions)
    if predictions.ndim != 2 or predictions.dtype != bool or len(predictions) != law.size:
        raise ValueError(f"predictions must be a bool matrix of {law.size} rows, got {predictions.shape}")
    if law.min() < 0 or abs(law.sum() - 1) > 1e-9:
        raise ValueError("law must be non-negative numbers with sum 1")
    return law, predictions


def expected_margin(law: ArrayLike, predictions: ArrayLike) -> NDArray[np.float64]:
    """Distance of a teacher's mean prediction from 1/2, at each point.

    ``|E[h_1(x)] - 1/2|``, from 0 to 1/2.

    **Source.** LZCW21-eq-4.

    >>> expected_margin([0.5, 0.5], [[True, True], [True, False]]).tolist()
    [0.5, 0.0]
    """
    law, predictions = _checked_law(law, predictions)
    return np.abs(law @ predictions - 0.5)


def infinite_ensemble(law: ArrayLike, predictions: ArrayLike) -> InfiniteEnsemble:
    """Majority of infinitely many independent teachers of one law.

    A mean prediction within 1e-12 of 1/2 counts as a tie, and ties go to 1.

    **Source.** LZCW21-def-infinite-ensemble.

    >>> from privml.populations import voting_fails_example
    >>> problem = voting_fails_example()
    >>> ensemble = infinite_ensemble(erm_law(*problem, 12), problem.hypotheses.predictions)
    >>> ensemble.labels.astype(int).tolist(), ensemble.margins.round(3).tolist()
    ([1, 0, 0, 0, 1], [0.5, 0.167, 0.167, 0.167, 0.5])
    """
    margins = expected_margin(law, predictions)
    means = np.asarray(law, dtype=float) @ np.asarray(predictions)
    return InfiniteEnsemble(means, means >= 0.5 - _ROUNDING, margins)


def high_margin_mass(margins: ArrayLike, masses: ArrayLike, xi: ArrayLike) -> NDArray[np.float64]:
    """Mass of the points whose expected margin is at most xi: the least nu of the high-margin condition.

    ``Pr[Delta(x) <= xi]``, non-decreasing in xi.

    **Source.** LZCW21-def-17 with its inequality the right way round, and LZCW21-rem-21.

    Parameters
    ----------
    margins : array_like of float, shape (n_points,)
        Expected margins.

    Examples
    --------
    >>> high_margin_mass([0.5, 0.1], [0.75, 0.25], [0.05, 0.1, 0.5]).tolist()
    [0.0, 0.25, 1.0]
    """
    margins, masses = check.finite_vector(margins=margins), check.finite_vector(masses=masses)
    if margins.size != masses.size:
        raise ValueError(f"masses must be {margins.size} numbers, got {masses.size}")
    xi = check.numbers(xi=xi)
    return np.where(margins <= xi[..., None] + _ROUNDING, masses, 0.0).sum(axis=-1)
