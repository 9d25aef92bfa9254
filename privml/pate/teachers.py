"""Teachers: one classifier for each part of the private records, so that one record moves one vote.

Whether a call fails is seen by everybody, so no entry of a record raises an error: an odd number counts as 0
or as missing, and a teacher that cannot be trained, or cannot answer, says the first class.
"""

import warnings
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from itertools import starmap
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml._optional import counted
from privml._records import NUMBERS, _array, declared_classes, label_places, numeric

LARGEST_FEATURE = 1e30
"""Larger numbers count as missing: liblinear raises an error on them, and an error would be seen."""

REHEARSAL = 200  # rows on which a classifier is tried; public points are repeated if there are fewer
LARGEST_SPLIT = 10**9  # records or teachers: 8 GB of parts
LARGEST_JOBS = 10**4  # processes, or what joblib is to leave free


def take_rows(X: Any, index: Any) -> Any:
    """Rows of an array, a sparse matrix or a data frame."""
    return X.iloc[index] if hasattr(X, "iloc") else X[index]


def indexable(X: Any) -> Any:
    """Points of which :func:`take_rows` may be taken."""
    if not hasattr(X, "iloc"):
        X = X.tocsr() if hasattr(X, "tocsr") else _array(X, table=True)
    if len(X.shape) != 2:
        raise ValueError(
            f"X must be a table with a row for each, but got shape {X.shape}. Reshape your data."
        )
    return X


def check_classifier(estimator: object) -> None:
    """Raise unless the object can be trained and asked, as one of scikit-learn or of any other library."""
    methods = (getattr(estimator, name, None) for name in ("fit", "predict"))
    if isinstance(estimator, type) or not all(map(callable, methods)):
        raise ValueError(
            "estimator must be a classifier, an object with the methods fit and predict, but got "
            f"{estimator!r}. One of scikit-learn will do, or of any other library."
        )


def unfitted_copy(estimator: Any) -> Any:
    """A clone by scikit-learn of what has parameters, and a deep copy, as it is, of any other object."""
    from sklearn.base import clone

    return clone(estimator, safe=False)


def trained(estimator: Any, X: Any, labels: NDArray, **options: Any) -> Any:
    """The estimator after its fit, which need not return it."""
    estimator.fit(X, labels, **options)
    return estimator


def class_indices(answers: Any, n_points: int, n_classes: int) -> NDArray[np.int64]:
    """Predictions, of shape (n_points,) or (n_points, 1), as class indices: the first where they are none."""
    values = np.asarray(answers, dtype=float).reshape(n_points)
    return np.where((values >= 0) & (values < n_classes), values, 0).astype(np.int64)


def _changed(X: Any, change: Callable[[NDArray], None]) -> Any:
    """A copy of the records of which a function has changed columns or blocks of floats, or each number."""
    if hasattr(X, "iloc"):
        X = X.copy()
        for place, kind in enumerate(X.dtypes):
            if kind.kind in (
                "f" if isinstance(kind, np.dtype) else NUMBERS
            ):  # others have no gap, or text
                column = X.iloc[:, place].to_numpy(
                    dtype=float, na_value=np.nan, copy=True
                )
                change(column)
                X.isetitem(place, column)
        return X
    X = X.tocsr(copy=True) if hasattr(X, "tocsr") else np.array(X)
    numbers: Any = X.data if hasattr(X, "tocsr") else X
    if numbers.dtype.kind == "f":
        change(numbers)
    if (
        numbers.dtype.kind == "O"
    ):  # a list, say: what one entry is must not tell how others are read
        is_number = np.frompyfunc(lambda entry: isinstance(entry, Real), 1, 1)(
            numbers
        ).astype(bool)
        change(floats := numeric("X", numbers[is_number]))
        numbers[is_number] = floats
    return X


def clean_features(X: object, fill: float = 0.0) -> Any:
    """A copy of the records with `fill` for every number that is not finite or beyond `LARGEST_FEATURE`."""

    def filled(numbers: NDArray) -> None:
        with np.errstate(invalid="ignore"):
            numbers[~(np.abs(numbers) <= LARGEST_FEATURE)] = fill

    return _changed(X, filled)


def has_missing_values(X_public: object) -> bool:
    """Whether a number of public points is one that :func:`clean_features` fills."""
    seen: list[bool] = []
    with np.errstate(invalid="ignore"):
        _changed(
            X_public,
            lambda numbers: seen.append(
                bool((~(np.abs(numbers) <= LARGEST_FEATURE)).any())
            ),
        )
    return any(seen)


def _seed_names(estimator: Any) -> list[str]:
    """Parameters that take a seed, those of a pipeline's steps among them."""
    parameters = estimator.get_params() if hasattr(estimator, "get_params") else ()
    return [name for name in parameters if ("__" + name).endswith("__random_state")]


def _seeded(estimator: Any, seed: int, names: list[str]) -> Any:
    """A copy of an unfitted classifier whose parameters of these names hold the seed."""
    copy = deepcopy(estimator)
    if names == ["random_state"]:  # set_params inspects signatures, slowly
        copy.random_state = seed
    elif names:
        copy.set_params(**dict.fromkeys(names, seed))
    return copy


def _rehearse(trial: Any, points: Any, n_classes: int) -> None:
    """Let a classifier learn made-up labels of public points; an error if its predictions are none of them."""
    labels = np.arange(REHEARSAL) % n_classes
    answers = trained(trial, points, labels).predict(points)
    indices = class_indices(answers, REHEARSAL, n_classes)
    if (np.asarray(answers, dtype=float).reshape(REHEARSAL) != indices).any():
        raise ValueError(
            f"predictions must be class indices from 0 to {n_classes - 1}, as the labels of the fit are."
        )


def missing_value_for(estimator: Any, X_public: Any, n_classes: int = 2) -> float:
    """What a missing number is to a classifier: NaN if it takes that, as tried on public points, else 0.

    The labels are made up, so an error tells about public points and the classifier only; it is the caller's.
    """
    check_classifier(estimator)

    def gaps(numbers: NDArray) -> None:
        numbers[::8] = np.nan

    X_public = indexable(X_public)
    points = clean_features(
        take_rows(X_public, np.resize(np.arange(X_public.shape[0]), REHEARSAL))
    )
    trial = _seeded(estimator, 0, _seed_names(estimator))
    with warnings.catch_warnings(action="ignore"), np.errstate(all="ignore"):
        try:
            missing = _changed(points, gaps)
            _rehearse(deepcopy(trial), missing, n_classes)
            return np.nan
        except Exception:  # of any kind: it is the caller's classifier
            pass
        try:
            _rehearse(trial, points, n_classes)
        except Exception as error:
            raise ValueError(
                "estimator must be able to learn from public points, but got an error from its fit or predict. "
                f"{type(error).__name__}: {error}"
            ) from error
    return 0.0


def independent_parts(
    n_samples: int, n_teachers: int, *, rng: np.random.Generator | int | None = None
) -> NDArray[np.int64]:
    """A teacher for each record, uniformly and independently.

    Parameters
    ----------
    n_samples : int
        Number of records, a non-negative integer.
    n_teachers : int
        Number of teachers, a positive integer.
    rng : int or Generator, optional
        Seed or Generator; None draws fresh entropy.

    Returns
    -------
    ndarray
        Integers of shape (n_samples,): from 0 to ``n_teachers - 1``.

    Raises
    ------
    ValueError
        If there are more than 10^9 records or teachers.

    Notes
    -----
    *Privacy.* One record changes one part, under both relations.

    References
    ----------
    LZCW21-alg-pate-framework, step 1, as corrected.

    Examples
    --------
    >>> independent_parts(6, 3, rng=0).tolist()
    [2, 1, 1, 0, 0, 0]
    """
    rng = np.random.default_rng(rng)
    check.non_negative_integer(n_samples=n_samples)
    check.positive_integer(n_teachers=n_teachers)
    if (size := max(n_samples, n_teachers)) > LARGEST_SPLIT:
        raise ValueError(
            f"n_samples and n_teachers must be at most {LARGEST_SPLIT}, but got {size}."
        )
    return rng.integers(n_teachers, size=n_samples)


@dataclass(frozen=True, eq=False)
class Teachers:
    """Trained teachers: each is a fitted classifier, or the index of the only class that it has seen.

    Parameters
    ----------
    members : tuple
        Fitted classifiers of class indices, or class indices.
    classes : ndarray
        Public labels in the order of these.
    missing : float
        Here what stands for a number that is not finite: 0 or NaN.

    Notes
    -----
    *Privacy.* There is no guarantee: teachers hold private data. Only what an aggregator releases is private.
    """

    members: tuple
    classes: NDArray
    missing: float = 0.0

    def __repr__(self) -> str:
        return (
            f"Teachers(n_teachers={self.n_teachers}, classes={self.classes.tolist()!r})"
        )

    @property
    def n_teachers(self) -> int:
        """Number of teachers K."""
        return len(self.members)

    def votes(self, X: ArrayLike) -> NDArray[np.uint8]:
        """What every teacher says about every point of `X`: class indices of shape (n_teachers, n_points)."""
        X = clean_features(indexable(X), self.missing)
        # Each gets its own copy: what one writes into its points, as a scaler without copies does, tells of its part.
        return np.stack(
            [_answers(member, X.copy(), len(self.classes)) for member in self.members]
        )


def _member(
    prototype: Any, X: Any, labels: NDArray, seed: int, names: list[str]
) -> Any:
    """One teacher: a fitted copy, or a class index if its part has fewer than two classes or is too odd."""
    if len(labels) == 0 or (labels == labels[0]).all():
        return int(labels[0]) if len(labels) else 0
    # a warning would tell about the records, as an error would
    with warnings.catch_warnings(action="ignore"), np.errstate(all="ignore"):
        try:
            return trained(_seeded(prototype, seed, names), X, labels)
        except Exception:  # of any kind: the classifier is the caller's
            return 0


def _answers(member: Any, X: Any, n_classes: int) -> NDArray[np.uint8]:
    """Class indices that a teacher gives; the first class where it gives none."""
    n_points = X.shape[0]
    if isinstance(member, int):
        return np.full(n_points, member, dtype=np.uint8)
    with warnings.catch_warnings(action="ignore"), np.errstate(all="ignore"):
        try:
            answers = class_indices(member.predict(X), n_points, n_classes)
        except Exception:
            answers = np.zeros(n_points, dtype=np.int64)
    return answers.astype(np.uint8)


def fit_teachers(
    estimator: Any,
    X: ArrayLike,
    y: ArrayLike,
    *,
    n_teachers: int,
    classes: ArrayLike,
    X_public: ArrayLike | None = None,
    n_jobs: int | None = None,
    progress: bool = False,
    rng: np.random.Generator | int | None = None,
) -> Teachers:
    """Train one clone of a classifier on each part of the private records.

    Parts are by :func:`independent_parts`.  On `X_public`, if given, the classifier is tried first, with
    labels made up: an error is raised for what it says about them.

    Parameters
    ----------
    estimator : classifier
        Here any object with fit and predict, copied for each teacher; it is given class indices as labels.
    X : array_like
        Records of shape (n_samples, n_features).
    y : array_like
        Labels of shape (n_samples,).
    n_teachers : int
        Number of teachers, a positive integer.
    classes : array_like
        Public labels, from 2 to 256 of them.
    X_public : array_like, optional
        Points without labels, on which the classifier is tried first; None tries none.
    n_jobs : int, optional
        Processes, as joblib takes them: a finite integer; None is one.
    progress : bool
        Whether a bar on the error stream counts the teachers.
    rng : int or Generator, optional
        Seed or Generator; None draws fresh entropy.

    Notes
    -----
    *Privacy.* There is no guarantee yet, see :class:`Teachers`. A classifier that raises an error on its part, as one that
    cross-validates inside does where a class is rare, gives a teacher that always says the first class.

    References
    ----------
    LZCW21-alg-pate-framework, steps 1 and 2.

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

    rng = np.random.default_rng(rng)
    check.positive_integer(n_teachers=n_teachers)
    check_classifier(estimator)
    check.flag(progress=progress)
    if n_jobs is not None:
        check.finite(n_jobs=n_jobs)
        check.one_of(range(-LARGEST_JOBS, LARGEST_JOBS), n_jobs=n_jobs)
    classes = declared_classes(classes, n_most=256)
    X = indexable(X)
    labels = label_places(y, classes, X.shape[0])
    missing = 0.0
    if X_public is not None:
        missing = missing_value_for(estimator, X_public, len(classes))
    X = clean_features(X, missing)
    parts = independent_parts(len(labels), n_teachers, rng=rng)
    order = np.argsort(parts, kind="stable")
    ends = np.cumsum(np.bincount(parts, minlength=n_teachers))
    X, labels = take_rows(X, order), labels[order]
    # copied again for each teacher: scikit-learn's clone inspects signatures, slowly
    prototype = unfitted_copy(estimator)
    names, seeds = _seed_names(prototype), rng.integers(2**31, size=n_teachers).tolist()
    pieces = zip(np.r_[0, ends[:-1]], ends, seeds, strict=True)
    jobs = (
        (prototype, take_rows(X, slice(a, b)), labels[a:b], seed, names)
        for a, b, seed in pieces
    )
    members: Any = starmap(_member, jobs)
    if n_jobs not in (None, 1):
        parallel = Parallel(
            n_jobs=n_jobs, return_as="generator" if progress else "list"
        )
        members = parallel(starmap(delayed(_member), jobs))
    return Teachers(
        tuple(counted(members, progress, desc="teachers")), classes, missing
    )


check.wrap_module(__name__)
