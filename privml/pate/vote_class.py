"""The votes of a few members of a class: their law, the class of all such votes, and the student's choice."""

from itertools import combinations_with_replacement, islice
from math import comb

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check

_ROUNDING = 1e-12  # sums of the same probabilities may differ by rounding
_LARGEST, _BLOCK = 10**6, 1 << 16


def majority_probability(vote_probability: ArrayLike, n_teachers: ArrayLike) -> NDArray[np.float64]:
    """Probability that at least half of independent teachers vote for 1.

    Parameters
    ----------
    vote_probability : array_like of float
        Probability of a vote for 1, in [0, 1].
    n_teachers : array_like of int
        Number of teachers K.

    Returns
    -------
    ndarray of float
        ``Pr[2 Bin(K, p) >= K]``: ties go to 1.

    Notes
    -----
    **Source.** LZCW21-ex-1 and LZCW21-ex-2: the exact law of a vote.

    Examples
    --------
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


def nearest_hypotheses(hypotheses: ArrayLike, labels: ArrayLike, masses: ArrayLike) -> NDArray[np.int64]:
    """Hypotheses of least distance from given labels: what a student of infinitely many points may return.

    Parameters
    ----------
    hypotheses : array_like of bool, shape (n_hypotheses, n_points)
        Table of labels.
    labels : array_like of bool, shape (n_points,)
        Labels to learn.
    masses : array_like of float, shape (n_points,)
        Probabilities, or shares of a sample.

    Returns
    -------
    ndarray of int
        Indices of all hypotheses at the least distance.

    Raises
    ------
    ValueError
        If the shapes do not fit.

    Notes
    -----
    **Source.** LZCW21-rem-inconsistency, LZCW21-thm-31: the student.

    Examples
    --------
    >>> nearest_hypotheses([[True, True], [False, True], [False, False]], [True, False], [0.5, 0.5]).tolist()
    [0, 2]
    """
    hypotheses, masses = np.asarray(hypotheses), check.finite_vector(masses=masses)
    if hypotheses.ndim != 2 or hypotheses.shape[1:] != masses.shape or np.shape(labels) != masses.shape:
        raise ValueError(f"hypotheses and labels must have {masses.size} columns")
    distances = (hypotheses != np.asarray(labels)) @ masses
    return np.flatnonzero(distances <= distances.min() + _ROUNDING)


def mean_realised_margin(vote_probability: float, n_teachers: int) -> float:
    """Expectation of the realised margin of independent teachers.

    Parameters
    ----------
    vote_probability : float
        Probability p of a vote for 1, in [0, 1].

    Returns
    -------
    float
        ``E|2 Bin(K, p) - K|``, at least ``2 K |p - 1/2|`` by Jensen's inequality.

    Notes
    -----
    **Source.** LZCW21-eq-4, and LZCW21-prop-30, which prints an equality.

    Examples
    --------
    >>> mean_realised_margin(0.5, 2), mean_realised_margin(1.0, 7)
    (1.0, 7.0)
    """
    from scipy.special import bdtr

    check.unit_interval(vote_probability=vote_probability)
    check.positive_integer(n_teachers=n_teachers)
    if n_teachers > _LARGEST:
        raise ValueError(f"n_teachers must be at most {_LARGEST} for the exact law, got {n_teachers!r}")
    votes = np.arange(n_teachers + 1)
    law = np.diff(bdtr(votes, n_teachers, vote_probability), prepend=0.0)
    return float(np.abs(2 * votes - n_teachers) @ law)


def vote_closure(predictions: ArrayLike, n_voters: int) -> NDArray[np.bool_]:
    """All majority votes of so many members of a class, repetitions allowed, ties to 1.

    Parameters
    ----------
    predictions : array_like of bool, shape (n_hypotheses, n_points)
        Table of labels of the class H.
    n_voters : int
        Number of voters K.

    Returns
    -------
    ndarray of bool, shape (n_votes, n_points)
        The distinct rows of ``Vote_K(H)``, sorted.

    Notes
    -----
    It contains the class.  **Source.** LZCW21-def-vote-class.

    Examples
    --------
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
    if ways > _LARGEST:
        raise ValueError(f"n_voters must allow at most {_LARGEST} ways to vote, got {ways}")
    choices = combinations_with_replacement(range(len(distinct)), n_voters)
    found = set()
    while block := list(islice(choices, _BLOCK)):
        votes = sum(distinct[column].astype(np.int32) for column in np.array(block).T)
        packed = np.packbits(2 * votes >= n_voters, axis=1)
        found.update(row.tobytes() for row in packed)
    rows = np.frombuffer(b"".join(sorted(found)), dtype=np.uint8).reshape(len(found), -1)
    return np.unpackbits(rows, axis=1, count=predictions.shape[1]).astype(bool)
