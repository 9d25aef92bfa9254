"""Votes of teachers: counts, margins, and what few or infinitely many teachers agree on.

Votes are class indices, one row a teacher and one column a point; neighbouring data sets give votes that
differ in one row only.  A law is one on the hypotheses of a class, that of one teacher.
"""

from collections.abc import Iterator
from itertools import combinations_with_replacement, islice
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import bdtrc

from privml import _check as check
from privml.hypotheses import HypothesisClass
from privml.pac import merged_points, samples
from privml.populations import FinitePopulation

LARGEST_CLOSURE = 10**6  # ways to vote that are gone through
CLOSURE_BLOCK = 1 << 16  # of them at a time
LARGEST_DRAWS = 10**8  # counts of samples that are drawn: 800 MB
TIES = ("uniform", "first")
_ROUNDING = 1e-12  # sums of the same probabilities may differ by rounding
_BLOCK = 1 << 22  # mistakes that are held at once: 32 MiB


def _checked_votes(votes: ArrayLike, n_classes: int) -> NDArray:
    votes = np.asarray(votes)
    if votes.ndim != 2 or votes.dtype.kind not in "iub" or votes.shape[0] == 0:
        raise ValueError(
            f"votes must be integers of shape (n_teachers, n_points), got {votes.dtype} {votes.shape}"
        )
    if votes.size and not (votes.min() >= 0 and votes.max() < n_classes):
        raise ValueError(f"votes must be class indices below {n_classes}, got others")
    return votes


def vote_counts(votes: ArrayLike, n_classes: int = 2) -> NDArray[np.int64]:
    """How many teachers vote for each class: one of them moves one count down and another up by 1.

    **Returns.** Integers of shape (n_points, n_classes): votes for each class.
    **Source.** LZCW21-alg-pate-framework, step 3.

    >>> vote_counts([[0, 1], [1, 1], [0, 1]]).tolist()
    [[2, 1], [0, 3]]

    Parameters
    ----------
    votes : array_like
        Class indices of shape (n_teachers, n_points), private.
    n_classes : int
        Number of classes, a positive integer from 2 to 256.
    """
    check.positive_integer(n_classes=n_classes)
    if not 2 <= n_classes <= 256:
        raise ValueError(f"n_classes must be 2 to 256, got {n_classes!r}")
    votes = _checked_votes(votes, n_classes)
    return np.stack([(votes == label).sum(axis=0) for label in range(n_classes)], axis=1)


def realised_margin(votes: ArrayLike) -> NDArray[np.int64]:
    """Absolute difference of the two vote counts: one teacher moves it by 0 or 2.

    **Returns.** Integers of shape (n_points,): ``|2 (votes for 1) - K|``.
    **Source.** LZCW21-eq-1.

    >>> realised_margin([[0, 1], [1, 1], [0, 1]]).tolist()
    [1, 3]

    Parameters
    ----------
    votes : array_like
        Class indices of shape (n_teachers, n_points), private.
    """
    counts = vote_counts(votes)
    return np.abs(counts[:, 1] - counts[:, 0])


def vote_distance(votes: ArrayLike) -> NDArray[np.int64]:
    """How many teachers may change, less one, before the majority can.

    Changes by at most 1 when one teacher changes, and is 0 on both sides of a changed majority; ties go to 1.
    **Returns.** Integers of shape (n_points,): ``max(0, ceil(margin / 2) - 1)``.
    **Source.** LZCW21-alg-2, with the margin of LZCW21-eq-1.

    >>> vote_distance([[0, 1], [1, 1], [0, 1]]).tolist()
    [0, 1]

    Parameters
    ----------
    votes : array_like
        Class indices of shape (n_teachers, n_points), private.
    """
    return np.maximum((realised_margin(votes) + 1) // 2 - 1, 0)


def weakly_supported(votes: ArrayLike, labels: ArrayLike, share: float = 1 / 3) -> NDArray[np.bool_]:
    """Which points at least a share of the teachers get wrong: at most B / share, if each errs B times.

    All others have a margin above ``(1 - 2 share)`` of the teachers, with the right majority up to 1/2.
    **Returns.** Bools of shape (n_points,): true where so many are wrong.
    **Raises.** ValueError if `labels` are not one 0 or 1 for each point.
    **Source.** LZCW21-lem-4.

    >>> weakly_supported([[0, 1, 1], [0, 1, 0], [0, 1, 0], [1, 1, 0]], [0, 1, 0]).tolist()
    [False, False, False]

    Parameters
    ----------
    votes, labels : array_like
        Class indices of shape (n_teachers, n_points), private; right labels, 0 or 1, of shape (n_points,).
    share : float
        Share of the teachers, in (0, 1).
    """
    check.probability_open(share=share)
    votes, labels = _checked_votes(votes, 2), np.asarray(labels)
    if labels.shape != votes.shape[1:] or not np.isin(labels, [0, 1]).all():
        raise ValueError(f"labels must be zeros and ones of shape {votes.shape[1:]}, got {labels.shape}")
    return (votes != labels).sum(axis=0) >= share * len(votes)


def majority_probability(vote_probability: ArrayLike, n_teachers: ArrayLike) -> NDArray[np.float64]:
    """Probability that at least half of independent teachers vote for 1.

    **Returns.** ``Pr[2 Bin(K, p) >= K]``, of the shape to which both broadcast.
    **Source.** LZCW21-ex-1 and LZCW21-ex-2: the exact law of a vote.

    >>> majority_probability(0.25, [1, 2, 3]).round(6).tolist()
    [0.25, 0.4375, 0.15625]

    Parameters
    ----------
    vote_probability, n_teachers : array_like
        Chance p of a vote for 1, in [0, 1]; number K of teachers, positive integers up to 10^9.
    """
    p, teachers = check.numbers(vote_probability=vote_probability), np.asarray(n_teachers)
    if not ((p >= 0) & (p <= 1)).all():
        raise ValueError(f"vote_probability must be in [0, 1], got {vote_probability!r}")
    if teachers.dtype.kind not in "iu" or not ((teachers >= 1) & (teachers <= 10**9)).all():
        raise ValueError(f"n_teachers must be integers from 1 to 10^9, got {n_teachers!r}")
    return bdtrc((teachers + 1) // 2 - 1, teachers, p)


def vote_closure(predictions: ArrayLike, n_voters: int) -> NDArray[np.bool_]:
    """All majority votes of so many members of a class.

    **Returns.** Bools of shape (n_votes, n_points): sorted distinct rows; ties go to 1.
    **Raises.** ValueError if there are more than 10^6 ways to vote.
    **Source.** LZCW21-def-vote-class.

    >>> three = [[True, False, False], [False, True, False], [False, False, True]]
    >>> vote_closure(three, 3).astype(int).tolist()
    [[0, 0, 0], [0, 0, 1], [0, 1, 0], [1, 0, 0]]

    Parameters
    ----------
    predictions : array_like
        Bools of shape (n_hypotheses, n_points).
    n_voters : int
        Number of members in a vote, a positive integer; repetitions are allowed.
    """
    check.positive_integer(n_voters=n_voters)
    distinct = np.unique(check.bool_matrix(predictions=predictions), axis=0)
    ways = comb(len(distinct) + n_voters - 1, n_voters)
    if ways > LARGEST_CLOSURE:
        raise ValueError(f"n_voters must allow at most {LARGEST_CLOSURE} ways to vote, got {ways}")
    choices = combinations_with_replacement(range(len(distinct)), n_voters)
    patterns: set[bytes] = set()
    while block := list(islice(choices, CLOSURE_BLOCK)):
        votes = sum(distinct[column].astype(np.int32) for column in np.array(block).T)
        packed = np.packbits(2 * votes >= n_voters, axis=1)
        patterns.update(row.tobytes() for row in packed)
    rows = np.frombuffer(b"".join(sorted(patterns)), dtype=np.uint8).reshape(len(patterns), -1)
    return np.unpackbits(rows, axis=1, count=distinct.shape[1]).astype(bool)


def _drawn(
    losses: NDArray, law: NDArray, n_samples: int, n_draws: int, rng: np.random.Generator
) -> Iterator[tuple[NDArray, NDArray]]:
    """Blocks of (probabilities, mistakes) of samples that are drawn."""
    counts = rng.multinomial(n_samples, law / law.sum(), size=n_draws)
    for block in np.array_split(counts, -(-n_draws * len(losses) // _BLOCK)):
        yield np.full(len(block), 1 / n_draws), block.astype(float) @ losses.T.astype(float)


def teacher_law(
    hypotheses: HypothesisClass,
    population: FinitePopulation,
    n_samples: int,
    *,
    ties: str = "uniform",
    n_draws: int | None = None,
    rng: int | np.random.Generator | None = None,
) -> NDArray[np.float64]:
    """Law of the hypothesis that an empirical risk minimiser returns on i.i.d. records.

    **Returns.** Of shape (n_hypotheses,): probabilities, exact up to rounding without `n_draws`.
    **Raises.** ValueError if `n_draws` are too many for memory.
    **Source.** LZCW21-ex-1 and LZCW21-def-infinite-ensemble: the teacher, ties included.

    >>> from privml.populations import voting_fails_example
    >>> teacher_law(*voting_fails_example(), 1).round(4).tolist()
    [0.3333, 0.3333, 0.3333]

    Parameters
    ----------
    hypotheses, population : HypothesisClass, FinitePopulation
        Candidates; where records come from.
    n_samples, ties : int, str
        Number of records, a non-negative integer; one of "uniform" (among minimisers) and "first".
    n_draws : int, optional
        Number of draws of a sample, a positive integer; None is exact.
    rng : int or Generator, optional
        Seed or Generator; None draws fresh entropy.
    """
    rng = np.random.default_rng(rng)
    check.non_negative_integer(n_samples=n_samples)
    check.one_of(TIES, ties=ties)
    check.instance(HypothesisClass, hypotheses=hypotheses)
    check.instance(FinitePopulation, population=population)
    possible = population.probabilities > 0
    law, losses = population.probabilities[possible], population.losses(hypotheses)[:, possible]
    if n_draws is None:
        blocks = samples(merged_points(hypotheses, population), n_samples)
    else:
        check.positive_integer(n_draws=n_draws)
        if n_draws * population.probabilities.size > LARGEST_DRAWS:
            raise ValueError(f"n_draws must be small enough for memory, got {n_draws!r}")
        blocks = _drawn(losses, law, n_samples, n_draws, rng)
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

    means: NDArray[np.float64]  # E[h_1(x)], the share of votes for 1
    labels: NDArray[np.bool_]  # whether it is at least 1/2
    margins: NDArray[np.float64]  # |E[h_1(x)] - 1/2|


def _means(law: ArrayLike, predictions: ArrayLike) -> NDArray[np.float64]:
    law, predictions = check.finite_vector(law=law), np.asarray(predictions)
    if predictions.ndim != 2 or predictions.dtype != bool or len(predictions) != law.size:
        raise ValueError(f"predictions must be a bool matrix of {law.size} rows, got {predictions.shape}")
    if law.min() < 0 or abs(law.sum() - 1) > 1e-9:
        raise ValueError("law must be non-negative numbers with sum 1")
    return law @ predictions


def expected_margin(law: ArrayLike, predictions: ArrayLike) -> NDArray[np.float64]:
    """Distance of a teacher's mean prediction from 1/2 at each point.

    **Returns.** Of shape (n_points,): ``|E[h_1(x)] - 1/2|``.
    **Source.** LZCW21-eq-4.

    >>> expected_margin([0.5, 0.5], [[True, True], [True, False]]).tolist()
    [0.5, 0.0]

    Parameters
    ----------
    law, predictions : array_like
        Law of a teacher's hypothesis, of shape (n_hypotheses,); bools of shape (n_hypotheses, n_points).
    """
    return np.abs(_means(law, predictions) - 0.5)


def infinite_ensemble(law: ArrayLike, predictions: ArrayLike) -> InfiniteEnsemble:
    """Majority of infinitely many independent teachers of one law.

    A mean prediction within 1e-12 of 1/2 counts as a tie, and ties go to 1.
    **Source.** LZCW21-def-infinite-ensemble.

    >>> from privml.populations import voting_fails_example
    >>> problem = voting_fails_example()
    >>> ensemble = infinite_ensemble(teacher_law(*problem, 12), problem.hypotheses.predictions)
    >>> ensemble.labels.astype(int).tolist(), ensemble.margins.round(3).tolist()
    ([1, 0, 0, 0, 1], [0.5, 0.167, 0.167, 0.167, 0.5])

    Parameters
    ----------
    law, predictions : array_like
        Law of a teacher's hypothesis, of shape (n_hypotheses,); bools of shape (n_hypotheses, n_points).
    """
    means = _means(law, predictions)
    return InfiniteEnsemble(means, means >= 0.5 - _ROUNDING, np.abs(means - 0.5))


def high_margin_mass(margins: ArrayLike, masses: ArrayLike, xi: ArrayLike) -> NDArray[np.float64]:
    """Mass of the points whose expected margin is at most xi: the least nu of the high-margin condition.

    **Returns.** The least nu at each.
    **Raises.** ValueError if masses are not as many as margins.
    **Source.** LZCW21-def-17 with its inequality the right way round, and LZCW21-rem-21.

    >>> high_margin_mass([0.5, 0.1], [0.75, 0.25], [0.05, 0.1, 0.5]).tolist()
    [0.0, 0.25, 1.0]

    Parameters
    ----------
    margins, masses : array_like
        Expected margin and mass of each point, of shape (n_points,).
    xi : array_like
        Here margins up to which points are counted, numbers.
    """
    margins, masses = check.finite_vector(margins=margins), check.finite_vector(masses=masses)
    if margins.size != masses.size:
        raise ValueError(f"masses must be {margins.size} numbers, got {masses.size}")
    xi = check.numbers(xi=xi)
    return np.where(margins <= xi[..., None] + _ROUNDING, masses, 0.0).sum(axis=-1)


check.doors(__name__)
