"""Teachers: one classifier for each part of the private records, so that one record moves one vote.

The privacy of PATE rests on the split.  If each record chooses its teacher independently of all others, then
adding or removing a record changes one part; if n is public and one record is replaced, an even split changes
one part too.  But an *even* split under add-or-remove-one may have to move a second record to stay even, and
then two teachers change.  So :func:`independent_parts` works under both relations, and :func:`even_parts`
under replace-one only.

A part may be empty or hold one class only.  Then its teacher is the constant that it has seen, or the first
class if it has seen nothing, or if the classifier fails on it: a function of the part like any other, which
costs no privacy, while an error would be seen.
"""

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml._records import declared_classes, label_places
from privml.adjacency import Adjacency
from privml.pate.records import check_classifier, harmless, indexable, rows, seed_names, seeded, takes_missing

SPLITS = {
    "independent": (Adjacency.ADD_OR_REMOVE_ONE, Adjacency.REPLACE_ONE),
    "even": (Adjacency.REPLACE_ONE,),
}
"""Ways to split the records, with the relations under which one record changes one teacher."""


LARGEST_SPLIT, LARGEST_JOBS = 10**9, 10**4


def independent_parts(
    n_samples: int, n_teachers: int, *, rng: np.random.Generator | int | None = None
) -> NDArray[np.int64]:
    """A teacher for each record, uniformly and independently.

    **Returns.** ndarray of int64, shape (n_samples,): from 0 to K - 1.
    **Privacy.** One record changes one part, under both relations.
    **Source.** LZCW21-alg-pate-framework, step 1, as corrected.

    >>> independent_parts(6, 3, rng=0).tolist()
    [2, 1, 1, 0, 0, 0]
    """
    rng = np.random.default_rng(rng)
    check.non_negative_integer(n_samples=n_samples)
    check.positive_integer(n_teachers=n_teachers)
    if max(n_samples, n_teachers) > LARGEST_SPLIT:
        raise ValueError(
            f"n_samples and n_teachers must be at most {LARGEST_SPLIT}, got {n_samples}, {n_teachers}"
        )
    return rng.integers(n_teachers, size=n_samples)


def even_parts(
    n_samples: int, n_teachers: int, *, rng: np.random.Generator | int | None = None
) -> NDArray[np.int64]:
    """A teacher for each record, at random but so that the sizes of the parts differ by at most 1.

    **Returns.** ndarray of int64, shape (n_samples,): from 0 to K - 1.
    **Privacy.** One record changes one part under replace-one.  Under add-or-remove-one two parts may
    change unless K divides the larger number of records.
    **Source.** LZCW21-alg-pate-framework, step 1, as printed.

    Parameters
    ----------
    n_samples : int
        Number of records; public here.

    Examples
    --------
    >>> np.bincount(even_parts(7, 3, rng=0)).tolist()
    [3, 2, 2]
    """
    rng = np.random.default_rng(rng)
    check.positive_integer(n_samples=n_samples, n_teachers=n_teachers)
    if n_teachers > n_samples:
        raise ValueError(f"n_teachers must be at most the number of records ({n_samples}), got {n_teachers}")
    return rng.permutation(np.arange(n_samples) % n_teachers)


@dataclass(frozen=True, eq=False)
class Teachers:
    """Trained teachers: each is a fitted classifier, or the index of the only class that it has seen.

    **Privacy.** None: teachers hold private data.  Only what an aggregator releases is private.

    Attributes
    ----------
    members : tuple
        Fitted classifiers, trained on class indices, or class indices.
    classes : ndarray of shape (n_classes,)
        The public labels.
    adjacencies : tuple of Adjacency
        The relations under which one record changes one teacher.
    """

    members: tuple
    classes: NDArray
    adjacencies: tuple[Adjacency, ...]

    @property
    def n_teachers(self) -> int:
        """Number of teachers K."""
        return len(self.members)

    def votes(self, X: ArrayLike) -> NDArray[np.uint8]:
        """What every teacher says about every point.

        **Returns.** ndarray of uint8, shape (n_teachers, n_points): class indices.

        Parameters
        ----------
        X : array_like or sparse matrix of shape (n_points, n_features)
            Points, as the classifiers take them.
        """
        X = indexable(X)
        return np.stack([_answers(member, X, len(self.classes)) for member in self.members])


def _member(prototype: Any, X: Any, labels: NDArray, seed: int, names: list[str]) -> Any:
    """One teacher: a fitted copy, or a class index if its part has fewer than two classes or is too odd."""
    if len(labels) == 0:
        return 0
    if (labels == labels[0]).all():
        return int(labels[0])
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")  # a warning would tell about the records, as an error would
        try:
            return seeded(prototype, seed, names).fit(X, labels)
        except Exception:  # of any kind: the classifier is the caller's
            return 0


def _answers(member: Any, X: Any, n_classes: int) -> NDArray[np.uint8]:
    """Class indices that a teacher gives; the first class where it gives none."""
    n_points = X.shape[0]
    if isinstance(member, int):
        return np.full(n_points, member, dtype=np.uint8)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            found = np.asarray(member.predict(X), dtype=float).reshape(n_points)
        except Exception:
            return np.zeros(n_points, dtype=np.uint8)
        return np.where((found >= 0) & (found < n_classes), found, 0).astype(np.uint8)


def fit_teachers(
    estimator: Any,
    X: ArrayLike,
    y: ArrayLike,
    *,
    n_teachers: int,
    classes: ArrayLike,
    split: str = "independent",
    X_public: ArrayLike | None = None,
    n_jobs: int | None = None,
    rng: np.random.Generator | int | None = None,
) -> Teachers:
    """Train one clone of a classifier on each part of the private records.

    **Privacy.** None yet, see :class:`Teachers`.  A classifier that raises an error on its part, as one that
    cross-validates inside does where a class is rare, gives a teacher that always says the first class.
    Warnings of teachers are not shown.
    **Source.** LZCW21-alg-pate-framework, steps 1 and 2.

    Parameters
    ----------
    estimator : classifier
        Any scikit-learn classifier; cloned, never fitted itself.
    X : array_like, sparse matrix or DataFrame of shape (n_samples, n_features)
        Private instances; numbers that are not finite, or beyond `LARGEST`, count as 0, or as missing where
        the classifier takes that.
    y : array_like of shape (n_samples,)
        Private labels; a label that is not in `classes` counts as the first of them.
    n_teachers : int
        Number of teachers K; public.
    classes : array_like of shape (n_classes,)
        The public labels.
    split : {"independent", "even"}
        How records are assigned, see :func:`independent_parts` and :func:`even_parts`.
    X_public : array_like, sparse matrix or DataFrame of shape (n_points, n_features), optional
        Public points on which the classifier is tried first, with labels made up: an error is raised for
        what it says about them.  None tries nothing, and missing numbers then count as 0.
    n_jobs : int, optional
        Processes, as joblib takes it; the backend is the caller's choice by ``joblib.parallel_config``.
        None is one process.  The result does not depend on it.

    Returns
    -------
    Teachers

    Examples
    --------
    >>> from sklearn.linear_model import LogisticRegression
    >>> X = np.linspace(-1, 1, 60)[:, None]
    >>> options = {"n_teachers": 5, "classes": [False, True]}
    >>> teachers = fit_teachers(LogisticRegression(), X, X[:, 0] > 0, **options, rng=0)
    >>> teachers.votes([[-0.9], [0.9]]).sum(axis=0).tolist()
    [0, 5]
    """
    from joblib import Parallel, delayed
    from sklearn.base import clone

    rng = np.random.default_rng(rng)
    check.positive_integer(n_teachers=n_teachers)
    check_classifier(estimator)
    if n_jobs is not None:
        check.finite(n_jobs=n_jobs)
        check.one_of(range(-LARGEST_JOBS, LARGEST_JOBS), n_jobs=n_jobs)
    check.one_of(SPLITS, split=split)
    classes = declared_classes(classes, n_most=256)
    X = indexable(X)
    labels = label_places(y, classes, X.shape[0])
    X = harmless(X, np.nan if X_public is not None and takes_missing(estimator, X_public) else 0.0)
    parts = (independent_parts if split == "independent" else even_parts)(len(labels), n_teachers, rng=rng)
    order = np.argsort(parts, kind="stable")
    ends = np.cumsum(np.bincount(parts, minlength=n_teachers))
    X, labels = rows(X, order), labels[order]
    prototype = clone(estimator)  # copied for each teacher: scikit-learn's clone inspects signatures, slowly
    names, seeds = seed_names(prototype), rng.integers(2**31, size=n_teachers).tolist()
    pieces = zip(np.r_[0, ends[:-1]], ends, seeds, strict=True)
    jobs = ((prototype, rows(X, slice(a, b)), labels[a:b], seed, names) for a, b, seed in pieces)
    if n_jobs in (None, 1):
        members = [_member(*job) for job in jobs]
    else:
        members = Parallel(n_jobs=n_jobs)(delayed(_member)(*job) for job in jobs)
    return Teachers(tuple(members), classes, SPLITS[split])
