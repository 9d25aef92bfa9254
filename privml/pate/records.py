"""The features of private records as a classifier of the caller's takes them, and a trial of it in public.

Whether a call fails is seen by everybody.  So no entry of a record raises an error: an odd number counts as 0
or as missing, and a teacher that cannot be trained, or cannot answer, says the first class
(:mod:`privml.pate.teachers`).  What a caller has got wrong shows on public points: :func:`takes_missing`.
"""

import warnings
from copy import deepcopy
from typing import Any

import numpy as np

LARGEST = 1e30
"""Larger numbers count as missing: liblinear raises an error on them, and an error would be seen."""

REHEARSAL = 200
"""Rows on which a classifier is tried; public points are repeated if there are fewer."""


def rows(X: Any, index: Any) -> Any:
    """Rows of an array, a sparse matrix or a data frame."""
    return X.iloc[index] if hasattr(X, "iloc") else X[index]


def indexable(X: Any) -> Any:
    """Points of which :func:`rows` may be taken."""
    if not hasattr(X, "iloc"):
        X = X.tocsr() if hasattr(X, "tocsr") else np.asarray(X)
    if len(X.shape) != 2:
        raise ValueError(f"X must be a table with a row for each point, got shape {X.shape}")
    return X


def check_classifier(estimator: Any) -> None:
    """Raise unless the object can be cloned and trained."""
    if not (hasattr(estimator, "get_params") and hasattr(estimator, "fit")):
        raise ValueError(f"estimator must be a scikit-learn classifier, got {estimator!r}")


def harmless(X: Any, fill: float = 0.0) -> Any:
    """A copy of the records with `fill` for every number that is not finite or beyond `LARGEST`."""
    from scipy.sparse import issparse

    if hasattr(X, "iloc"):
        X = X.copy()
        for place in _number_columns(X):
            X.isetitem(place, harmless(X.iloc[:, place].to_numpy(dtype=float, na_value=np.nan), fill))
        return X
    X = X.tocsr(copy=True) if issparse(X) else np.array(X)
    numbers = X.data if issparse(X) else X
    if numbers.dtype.kind == "f":
        with np.errstate(invalid="ignore"):
            numbers[~(np.abs(numbers) <= LARGEST)] = fill
    return X


def _number_columns(frame: Any) -> list[int]:
    return [place for place, kind in enumerate(frame.dtypes) if kind.kind == "f"]


def seeded(estimator: Any, seed: int | None, names: list[str]) -> Any:
    """A copy of an unfitted classifier whose parameters of these names hold the seed."""
    copy = deepcopy(estimator)
    if names == ["random_state"]:  # set_params inspects signatures, slowly
        copy.random_state = seed
    elif names:
        copy.set_params(**dict.fromkeys(names, seed))
    return copy


def seed_names(estimator: Any) -> list[str]:
    """Parameters that take a seed, those of a pipeline's steps among them."""
    return [name for name in estimator.get_params() if ("__" + name).endswith("__random_state")]


def takes_missing(estimator: Any, X_public: Any) -> bool:
    """Whether a classifier can be trained where numbers are missing, as tried on public points.

    The labels are made up, so an error tells about public points and the classifier only; it is the caller's.
    """
    X_public = indexable(X_public)
    points = harmless(rows(X_public, np.resize(np.arange(X_public.shape[0]), REHEARSAL)))
    labels, trial = np.arange(REHEARSAL) % 2, seeded(estimator, 0, seed_names(estimator))
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            deepcopy(trial).fit(_with_gaps(points), labels).predict(_with_gaps(points))
            return True
        except Exception:  # of any kind: it is the caller's classifier
            pass
        try:
            trial.fit(points, labels).predict(points)
        except Exception as error:
            reason = f"{type(error).__name__}: {error}"
            raise ValueError(f"estimator must be able to learn from public points, got {reason}") from error
    return False


def _with_gaps(points: Any) -> Any:
    """The points with every eighth row's numbers missing."""
    from scipy.sparse import issparse

    gaps = points.copy()
    if hasattr(gaps, "iloc"):
        for place in _number_columns(gaps):
            column = gaps.iloc[:, place].to_numpy(copy=True)
            column[::8] = np.nan
            gaps.isetitem(place, column)
        return gaps
    numbers = gaps.data if issparse(gaps) else gaps
    if numbers.dtype.kind == "f":
        numbers[::8] = np.nan
    return gaps
