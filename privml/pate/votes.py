"""Votes of teachers: counts, margins, and all majorities that there can be.

Votes are class indices, one row a teacher and one column a point; neighbouring data sets give votes that
differ in one row only.
"""

from itertools import combinations_with_replacement, islice
from math import comb

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import bdtrc

from privml import _check as check

LARGEST_CLOSURE = 10**6  # ways to vote that are gone through
CLOSURE_BLOCK = 1 << 16  # of them at a time


def _checked_votes(votes: ArrayLike, n_classes: int) -> NDArray:
    votes = np.asarray(votes)
    if votes.ndim != 2 or votes.dtype.kind not in "iub" or votes.shape[0] == 0:
        raise ValueError(
            f"votes must be integers of shape (n_teachers, n_points), but got {votes.dtype} of shape {votes.shape}."
        )
    if votes.size and not (votes.min() >= 0 and votes.max() < n_classes):
        raise ValueError(
            f"votes must be class indices from 0 to {n_classes - 1}, but some entries are not."
        )
    return votes


def vote_counts(votes: ArrayLike, n_classes: int = 2) -> NDArray[np.int64]:
    """How many teachers vote for each class: one of them moves one count down and another up by 1.

    Parameters
    ----------
    votes : array_like
        Class indices of shape (n_teachers, n_points), private.
    n_classes : int
        Number of classes, positive integer 2 to 256.

    Returns
    -------
    ndarray
        Integers of shape (n_points, n_classes): votes for each class.

    References
    ----------
    LZCW21-alg-pate-framework, step 3.

    Examples
    --------
    >>> vote_counts([[0, 1], [1, 1], [0, 1]]).tolist()
    [[2, 1], [0, 3]]
    """
    check.positive_integer(n_classes=n_classes)
    if not 2 <= n_classes <= 256:
        raise ValueError(f"n_classes must be from 2 to 256, but got {n_classes!r}.")
    votes = _checked_votes(votes, n_classes)
    return np.stack(
        [(votes == label).sum(axis=0) for label in range(n_classes)], axis=1
    )


def realised_margin(votes: ArrayLike) -> NDArray[np.int64]:
    """Absolute difference of the two vote counts: one teacher moves it by 0 or 2.

    Parameters
    ----------
    votes : array_like
        Class indices of shape (n_teachers, n_points), private.

    Returns
    -------
    ndarray
        Integers of shape (n_points,): ``|2 (votes for 1) - K|``.

    References
    ----------
    LZCW21-eq-1.

    Examples
    --------
    >>> realised_margin([[0, 1], [1, 1], [0, 1]]).tolist()
    [1, 3]
    """
    counts = vote_counts(votes)
    return np.abs(counts[:, 1] - counts[:, 0])


def vote_distance(votes: ArrayLike) -> NDArray[np.int64]:
    """How many teachers may change, less one, before the majority can.

    Changes by at most 1 when one teacher changes, and is 0 on both sides of a changed majority; ties go to 1.

    Parameters
    ----------
    votes : array_like
        Class indices of shape (n_teachers, n_points), private.

    Returns
    -------
    ndarray
        Integers of shape (n_points,): ``max(0, ceil(margin / 2) - 1)``.

    References
    ----------
    LZCW21-alg-2, with the margin of LZCW21-eq-1.

    Examples
    --------
    >>> vote_distance([[0, 1], [1, 1], [0, 1]]).tolist()
    [0, 1]
    """
    return np.maximum((realised_margin(votes) + 1) // 2 - 1, 0)


def often_misclassified(
    votes: ArrayLike, labels: ArrayLike, share: float = 1 / 3
) -> NDArray[np.bool_]:
    """Which points at least a share of the teachers get wrong: at most B / share, if each errs B times.

    All others have a margin above ``(1 - 2 share)`` of the teachers, with the right majority up to 1/2.

    Parameters
    ----------
    votes : array_like
        Class indices of shape (n_teachers, n_points), private.
    labels : array_like
        Right labels, 0 or 1, of shape (n_points,).
    share : float
        Share of the teachers, in (0, 1).

    Returns
    -------
    ndarray
        Bools of shape (n_points,): true where so many are wrong.

    Raises
    ------
    ValueError
        If `labels` are not one 0 or 1 for each point.

    References
    ----------
    LZCW21-lem-4.

    Examples
    --------
    >>> often_misclassified([[0, 1, 1], [0, 1, 0], [0, 1, 0], [1, 1, 0]], [0, 1, 0]).tolist()
    [False, False, False]
    """
    check.probability_open(share=share)
    votes, labels = _checked_votes(votes, 2), np.asarray(labels)
    if labels.shape != votes.shape[1:] or not np.isin(labels, [0, 1]).all():
        raise ValueError(
            f"labels must be zeros and ones of shape {votes.shape[1:]}, but got {labels.shape}."
        )
    return (votes != labels).sum(axis=0) >= share * len(votes)


def majority_probability(
    vote_probability: ArrayLike, n_teachers: ArrayLike
) -> NDArray[np.float64]:
    """Probability that at least half of independent teachers vote for 1.

    Parameters
    ----------
    vote_probability : array_like
        Chance p of a vote for 1, in [0, 1].
    n_teachers : array_like
        Number K of teachers, positive integers up to 10^9.

    Returns
    -------
    ndarray
        ``Pr[2 Bin(K, p) >= K]``, of the shape to which both broadcast.

    References
    ----------
    LZCW21-ex-1 and LZCW21-ex-2: the exact law of a vote.

    Examples
    --------
    >>> majority_probability(0.25, [1, 2, 3]).round(6).tolist()
    [0.25, 0.4375, 0.15625]
    """
    p, teachers = (
        check.numbers(vote_probability=vote_probability),
        np.asarray(n_teachers),
    )
    if not ((p >= 0) & (p <= 1)).all():
        raise ValueError(
            f"vote_probability must be in [0, 1], but got {vote_probability!r}."
        )
    if (
        teachers.dtype.kind not in "iu"
        or not ((teachers >= 1) & (teachers <= 10**9)).all()
    ):
        raise ValueError(
            f"n_teachers must be integers from 1 to 10^9, but got {n_teachers!r}."
        )
    return bdtrc((teachers + 1) // 2 - 1, teachers, p)


def vote_closure(predictions: ArrayLike, n_voters: int) -> NDArray[np.bool_]:
    """All majority votes of so many members of a class.

    Parameters
    ----------
    predictions : array_like
        Bools of shape (n_hypotheses, n_points).
    n_voters : int
        Number of members in a vote, a positive integer; repetitions are allowed.

    Returns
    -------
    ndarray
        Bools of shape (n_votes, n_points): sorted distinct rows; ties go to 1.

    Raises
    ------
    ValueError
        If there are more than 10^6 ways to vote.

    References
    ----------
    LZCW21-def-vote-class.

    Examples
    --------
    >>> three = [[True, False, False], [False, True, False], [False, False, True]]
    >>> vote_closure(three, 3).astype(int).tolist()
    [[0, 0, 0], [0, 0, 1], [0, 1, 0], [1, 0, 0]]
    """
    check.positive_integer(n_voters=n_voters)
    distinct = np.unique(check.bool_matrix(predictions=predictions), axis=0)
    n_multisets_ = comb(len(distinct) + n_voters - 1, n_voters)
    if n_multisets_ > LARGEST_CLOSURE:
        raise ValueError(
            f"n_voters must allow at most {LARGEST_CLOSURE} ways to vote, but got {n_multisets_}."
        )
    choices = combinations_with_replacement(range(len(distinct)), n_voters)
    patterns: set[bytes] = set()
    while block := list(islice(choices, CLOSURE_BLOCK)):
        votes = sum(distinct[column].astype(np.int32) for column in np.array(block).T)
        packed = np.packbits(2 * votes >= n_voters, axis=1)
        patterns.update(row.tobytes() for row in packed)
    rows = np.frombuffer(b"".join(sorted(patterns)), dtype=np.uint8).reshape(
        len(patterns), -1
    )
    return np.unpackbits(rows, axis=1, count=distinct.shape[1]).astype(bool)


check.wrap_module(__name__)
