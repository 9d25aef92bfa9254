"""Votes of teachers as integer arrays: counts, margins, and how many teachers must change to turn a majority.

Votes are class indices, one row a teacher and one column a point.  One record belongs to one teacher, so that
neighbouring data sets give votes that differ in one row only; everything here is computed column by column
and changes by a bounded amount.
"""

from itertools import combinations_with_replacement, islice
from math import comb

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check

LARGEST_CLOSURE, BLOCK = 10**6, 1 << 16


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
    """How many teachers vote for each class.

    One teacher changes the count of one class down and of another up by 1.
    **Source.** LZCW21-alg-pate-framework, step 3.

    >>> vote_counts([[0, 1], [1, 1], [0, 1]]).tolist()
    [[2, 1], [0, 3]]
    """
    check.positive_integer(n_classes=n_classes)
    if not 2 <= n_classes <= 256:
        raise ValueError(f"n_classes must be 2 to 256, got {n_classes!r}")
    votes = _checked_votes(votes, n_classes)
    return np.stack([(votes == label).sum(axis=0) for label in range(n_classes)], axis=1)


def realised_margin(votes: ArrayLike) -> NDArray[np.int64]:
    """Absolute difference of the two vote counts, ``|2 (votes for 1) - K|``.

    Of the parity of the number of teachers.

    It changes by 0 or 2 when one teacher changes.
    **Source.** LZCW21-eq-1.

    >>> realised_margin([[0, 1], [1, 1], [0, 1]]).tolist()
    [1, 3]
    """
    counts = vote_counts(votes)
    return np.abs(counts[:, 1] - counts[:, 0])


def vote_distance(votes: ArrayLike) -> NDArray[np.int64]:
    """How many teachers may change, less one, before the majority can: ``max(0, ceil(margin / 2) - 1)``.

    Changes by at most 1 when one teacher changes, and is 0 on both sides of a changed majority.

    The majority is 1 when at least half of the teachers vote for 1: ties go to 1.
    **Source.** LZCW21-alg-2, with the margin of LZCW21-eq-1.

    >>> vote_distance([[0, 1], [1, 1], [0, 1]]).tolist()
    [0, 1]
    """
    return np.maximum((realised_margin(votes) + 1) // 2 - 1, 0)


def weakly_supported(votes: ArrayLike, labels: ArrayLike, share: float = 1 / 3) -> NDArray[np.bool_]:
    """Which points at least a share of the teachers get wrong.

    If the teachers are wrong on B points each, on average, at most ``B / share`` of them; all others have
    a margin above ``(1 - 2 share)`` of the teachers, with the right majority when `share` is at most 1/2.

    **Source.** LZCW21-lem-4.

    Parameters
    ----------
    share : float, default 1/3
        In (0, 1).

    Examples
    --------
    >>> weakly_supported([[0, 1, 1], [0, 1, 0], [0, 1, 0], [1, 1, 0]], [0, 1, 0]).tolist()
    [False, False, False]
    """
    check.probability_open(share=share)
    votes, labels = _checked_votes(votes, 2), np.asarray(labels)
    if labels.shape != votes.shape[1:] or not np.isin(labels, [0, 1]).all():
        raise ValueError(f"labels must be zeros and ones of shape {votes.shape[1:]}, got {labels.shape}")
    return (votes != labels).sum(axis=0) >= share * len(votes)


def majority_probability(vote_probability: ArrayLike, n_teachers: ArrayLike) -> NDArray[np.float64]:
    """Probability that at least half of independent teachers vote for 1.

    ``Pr[2 Bin(K, p) >= K]``: ties go to 1.

    **Source.** LZCW21-ex-1 and LZCW21-ex-2: the exact law of a vote.

    >>> majority_probability(0.25, [1, 2, 3]).round(6).tolist()
    [0.25, 0.4375, 0.15625]
    """
    from scipy.special import bdtrc

    p, teachers = check.numbers(vote_probability=vote_probability), np.asarray(n_teachers)
    if not ((p >= 0) & (p <= 1)).all():
        raise ValueError(f"vote_probability must be in [0, 1], got {vote_probability!r}")
    if teachers.dtype.kind not in "iu" or not ((teachers >= 1) & (teachers <= 10**9)).all():
        raise ValueError(f"n_teachers must be integers from 1 to 10^9, got {n_teachers!r}")
    return bdtrc((teachers + 1) // 2 - 1, teachers, p)


def vote_closure(predictions: ArrayLike, n_voters: int) -> NDArray[np.bool_]:
    """All majority votes of so many members of a class, repetitions allowed, ties to 1.

    The distinct rows of ``Vote_K(H)``, sorted.

    It contains the class.  **Source.** LZCW21-def-vote-class.

    >>> three = [[True, False, False], [False, True, False], [False, False, True]]
    >>> vote_closure(three, 3).astype(int).tolist()
    [[0, 0, 0], [0, 0, 1], [0, 1, 0], [1, 0, 0]]
    """
    predictions = np.asarray(predictions)
    if predictions.ndim != 2 or predictions.dtype != bool or predictions.size == 0:
        raise ValueError(f"predictions must be a non-empty bool matrix, got shape {predictions.shape}")
    check.positive_integer(n_voters=n_voters)
    distinct = np.unique(predictions, axis=0)
    ways = comb(len(distinct) + n_voters - 1, n_voters)
    if ways > LARGEST_CLOSURE:
        raise ValueError(f"n_voters must allow at most {LARGEST_CLOSURE} ways to vote, got {ways}")
    choices = combinations_with_replacement(range(len(distinct)), n_voters)
    found = set()
    while block := list(islice(choices, BLOCK)):
        votes = sum(distinct[column].astype(np.int32) for column in np.array(block).T)
        packed = np.packbits(2 * votes >= n_voters, axis=1)
        found.update(row.tobytes() for row in packed)
    rows = np.frombuffer(b"".join(sorted(found)), dtype=np.uint8).reshape(len(found), -1)
    return np.unpackbits(rows, axis=1, count=predictions.shape[1]).astype(bool)
