"""Independent teachers as a law on the hypotheses of a class: what one returns, and infinitely many vote."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml.hypotheses import HypothesisClass
from privml.pac import merged_points, samples
from privml.populations import FinitePopulation

LARGEST_DRAWS = 10**8  # counts of samples that are drawn: 800 MB
TIES = ("uniform", "first")
_ROUNDING = 1e-12  # sums of the same probabilities may differ by rounding
_BLOCK = 1 << 22  # mistakes that are held at once: 32 MiB


def _drawn(
    losses: NDArray,
    distribution: NDArray,
    n_samples: int,
    n_draws: int,
    rng: np.random.Generator,
) -> Iterator[tuple[NDArray, NDArray]]:
    """Blocks of (probabilities, mistakes) of samples that are drawn."""
    counts = rng.multinomial(n_samples, distribution / distribution.sum(), size=n_draws)
    for block in np.array_split(counts, -(-n_draws * len(losses) // _BLOCK)):
        yield (
            np.full(len(block), 1 / n_draws),
            block.astype(float) @ losses.T.astype(float),
        )


def teacher_distribution(
    hypotheses: HypothesisClass,
    population: FinitePopulation,
    n_samples: int,
    *,
    ties: str = "uniform",
    n_draws: int | None = None,
    rng: int | np.random.Generator | None = None,
) -> NDArray[np.float64]:
    """Law of the hypothesis that an empirical risk minimiser returns on i.i.d. records.

    Parameters
    ----------
    hypotheses : HypothesisClass
        Candidates.
    population : FinitePopulation
        Where records come from.
    n_samples : int
        Number of records, a non-negative integer.
    ties : str
        One of "uniform" (among minimisers) and "first".
    n_draws : int, optional
        Number of draws of a sample, a positive integer; None is exact.
    rng : int or Generator, optional
        Seed or Generator; None draws fresh entropy.

    Returns
    -------
    ndarray
        Of shape (n_hypotheses,): probabilities, exact up to rounding without `n_draws`.

    Raises
    ------
    ValueError
        If `n_draws` are too many for memory.

    References
    ----------
    LZCW21-ex-1 and LZCW21-def-infinite-ensemble: the teacher, ties included.

    Examples
    --------
    >>> from privml.populations import voting_fails_example
    >>> teacher_distribution(*voting_fails_example(), 1).round(4).tolist()
    [0.3333, 0.3333, 0.3333]
    """
    rng = np.random.default_rng(rng)
    check.non_negative_integer(n_samples=n_samples)
    check.one_of(TIES, ties=ties)
    check.instance(HypothesisClass, hypotheses=hypotheses)
    check.instance(FinitePopulation, population=population)
    possible = population.probabilities > 0
    distribution, losses = (
        population.probabilities[possible],
        population.losses(hypotheses)[:, possible],
    )
    if n_draws is None:
        blocks = samples(merged_points(hypotheses, population), n_samples)
    else:
        check.positive_integer(n_draws=n_draws)
        if n_draws * population.probabilities.size > LARGEST_DRAWS:
            raise ValueError(
                f"n_draws must be small enough for memory, but got {n_draws!r}."
            )
        blocks = _drawn(losses, distribution, n_samples, n_draws, rng)
    total = np.zeros(hypotheses.n_hypotheses)
    for weights, mistakes in blocks:
        best = mistakes == mistakes.min(axis=1, keepdims=True)
        if ties == "first":
            best &= np.cumsum(best, axis=1) == 1
        total += weights @ (best / best.sum(axis=1, keepdims=True))
    return total / total.sum()


class InfiniteEnsemble(NamedTuple):
    """What infinitely many independent teachers vote at each point.

    Parameters
    ----------
    means : ndarray
        Share of votes for 1, E[h_1(x)], at each point.
    labels, margins : ndarray
        Whether it is at least 1/2, bools of shape (n_points,); its distance from 1/2, of shape (n_points,).
    """

    means: NDArray[np.float64]
    labels: NDArray[np.bool_]
    margins: NDArray[np.float64]


def _means(distribution: ArrayLike, predictions: ArrayLike) -> NDArray[np.float64]:
    n_members = check.finite_vector(distribution=distribution).size
    predictions = np.asarray(predictions)
    if (
        predictions.ndim != 2
        or predictions.dtype != bool
        or len(predictions) != n_members
    ):
        raise ValueError(
            f"predictions must be a bool matrix of {n_members} rows, but got {predictions.shape}."
        )
    return check.distributions(distribution=distribution) @ predictions


def expected_margin(
    distribution: ArrayLike, predictions: ArrayLike
) -> NDArray[np.float64]:
    """Distance of a teacher's mean prediction from 1/2 at each point.

    Parameters
    ----------
    distribution : array_like
        Law of a teacher's hypothesis, of shape (n_hypotheses,).
    predictions : array_like
        Bools of shape (n_hypotheses, n_points).

    Returns
    -------
    ndarray
        Of shape (n_points,): ``|E[h_1(x)] - 1/2|``.

    References
    ----------
    LZCW21-eq-4.

    Examples
    --------
    >>> expected_margin([0.5, 0.5], [[True, True], [True, False]]).tolist()
    [0.5, 0.0]
    """
    return np.abs(_means(distribution, predictions) - 0.5)


def infinite_ensemble(
    distribution: ArrayLike, predictions: ArrayLike
) -> InfiniteEnsemble:
    """Majority of infinitely many independent teachers of one law.

    A mean prediction within 1e-12 of 1/2 counts as a tie, and ties go to 1.

    Parameters
    ----------
    distribution : array_like
        Law of a teacher's hypothesis, of shape (n_hypotheses,).
    predictions : array_like
        Bools of shape (n_hypotheses, n_points).

    References
    ----------
    LZCW21-def-infinite-ensemble.

    Examples
    --------
    >>> from privml.populations import voting_fails_example
    >>> problem = voting_fails_example()
    >>> ensemble = infinite_ensemble(teacher_distribution(*problem, 12), problem.hypotheses.predictions)
    >>> ensemble.labels.astype(int).tolist(), ensemble.margins.round(3).tolist()
    ([1, 0, 0, 0, 1], [0.5, 0.167, 0.167, 0.167, 0.5])
    """
    means = _means(distribution, predictions)
    return InfiniteEnsemble(means, means >= 0.5 - _ROUNDING, np.abs(means - 0.5))


def high_margin_mass(
    margins: ArrayLike, masses: ArrayLike, xi: ArrayLike
) -> NDArray[np.float64]:
    """Mass of the points whose expected margin is at most xi: the least nu of the high-margin condition.

    Parameters
    ----------
    margins, masses : array_like
        Expected margin and mass of each point, of shape (n_points,).
    xi : array_like
        Here margins up to which points are counted, numbers.

    Returns
    -------
    ndarray
        Of the shape of `xi`: the least nu at each.

    Raises
    ------
    ValueError
        If masses are not as many as margins.

    References
    ----------
    LZCW21-def-17 with its inequality the right way round, and LZCW21-rem-21.

    Examples
    --------
    >>> high_margin_mass([0.5, 0.1], [0.75, 0.25], [0.05, 0.1, 0.5]).tolist()
    [0.0, 0.25, 1.0]
    """
    margins, masses = (
        check.finite_vector(margins=margins),
        check.finite_vector(masses=masses),
    )
    if margins.size != masses.size:
        raise ValueError(
            f"masses must be {margins.size} numbers, but got {masses.size}."
        )
    xi = check.numbers(xi=xi)
    return np.where(margins <= xi[..., None] + _ROUNDING, masses, 0.0).sum(axis=-1)


check.wrap_module(__name__)
