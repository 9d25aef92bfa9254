"""Private records as arrays: refused for the shape and dtype of the whole, never for the value of one.

An error, or its text, that depends on one record would tell of it.  So what is no number counts as NaN, a
label that is none of the declared ones counts as the first, and messages name shapes and dtypes only.
"""

import sys
from collections.abc import Callable, Sequence
from inspect import signature
from math import prod
from numbers import Number
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml._doors import warn

NUMBERS = "biuf"  # kinds of dtype that count as numbers
REPEATED = tuple(f"sklearn.{part}" for part in ("model_selection.", "multi", "ensemble.", "calibration"))


def _array(values: object) -> NDArray:
    """An array whose dtype is that of the whole: without one, as in lists, each entry stands for itself."""
    typed = isinstance(getattr(values, "dtype", None), np.dtype) or hasattr(values, "dtypes")
    return np.asarray(values) if typed else np.asarray(values, dtype=object)


def _number(value: Any) -> float:
    if isinstance(value, complex | np.complexfloating):  # whose float would warn
        return np.nan
    known = isinstance(value, Number | str | np.generic)
    try:
        return float(value) if known else np.nan
    except OverflowError:
        return np.inf if value > 0 else -np.inf
    except Exception:  # whatever an entry does, it counts as NaN
        return np.nan


def refuse_complex(name: str, values: Any) -> None:
    """Refuse a complex dtype by name, since the message of scikit-learn shows all entries."""
    if getattr(getattr(values, "dtype", None), "kind", "") == "c":
        raise ValueError(f"Complex data not supported: {name} has dtype {values.dtype}")


def numeric(name: str, values: object) -> NDArray:
    """The values as an array of numbers; an entry of dtype object that is no number becomes NaN."""
    array = _array(values)
    refuse_complex(name, array)
    if array.dtype.kind == "O":
        return np.fromiter(map(_number, array.ravel()), float, array.size).reshape(array.shape)
    if array.dtype.kind not in NUMBERS:
        raise ValueError(f"{name} must be of a numeric dtype, got {array.dtype}")
    return array


def one_value_each(name: str, values: Any) -> Any:
    """The values, refused for their shape if they are one number or a table of several columns.

    Flattened it would hold several values of one record.  In a list each entry is the value of one record,
    whatever it is, so that none changes the shape.
    """
    if isinstance(values, list | tuple):
        return np.fromiter(values, dtype=object, count=len(values))
    shape = np.shape(values)
    if not shape:
        raise ValueError(f"{name} must be many, one value for each record, got one {type(values).__name__}")
    if len(shape) > 1 and prod(shape) != shape[0]:
        way = "each column is a release of its own; np.ravel_multi_index makes one of a joint table"
        raise ValueError(f"{name} must hold one value for each record, got {prod(shape[1:])}; {way}")
    return values


def _declared(step: Any) -> bool:
    """Whether what an imputer or an encoder would learn has been told, and no record raises an error."""
    from sklearn import impute, preprocessing

    if isinstance(step, impute.SimpleImputer):
        return step.strategy == "constant" and not step.add_indicator
    told = isinstance(step, preprocessing.OneHotEncoder | preprocessing.OrdinalEncoder)
    groups = any(getattr(step, name, None) for name in ("min_frequency", "max_categories"))
    return told and not isinstance(step.categories, str) and not groups and step.handle_unknown != "error"


def fitted_step(step: Any, nested: bool = False) -> bool:
    """Whether a step of a pipeline learns from records, or may, and has no guarantee of its own."""
    from sklearn import preprocessing, utils

    parts = [getattr(step, name, None) for name in ("transformers", "transformer_list", "steps")]
    if held := [part[1] for part in next(filter(None, parts), ())]:
        return any(fitted_step(part, nested=True) for part in held)
    if not hasattr(step, "fit") or "rng" in signature(step.fit).parameters:
        return nested and hasattr(step, "fit")  # ours: with a promise, which no step around it passes on
    if getattr(step, "public_step", False) or _declared(step):
        return False
    return isinstance(step, preprocessing.FunctionTransformer) or bool(utils.get_tags(step).requires_fit)


def refuse_fitted_steps(steps: Sequence[tuple[str, Any]]) -> None:
    """Refuse steps of a pipeline that learn from records without noise, with a way out."""
    if names := [name for name, step in steps if fitted_step(step)]:
        way = "scale by declared ranges (PublicScaler), which may come from public data"
        if hasattr(dict(steps)[names[0]], "predict"):
            way = "take a learner with a privacy_, as ObjectivePerturbation for logistic regression"
        raise ValueError(
            f"steps must be public or private, got {names[0]!r}, which learns from the records without "
            f"noise; {way}"
        )


def ask_the_callers() -> None:
    """Refuse steps before the private fit that asks, in its pipelines; warn if it is one of many fits."""
    frame, repeated = sys._getframe(1), False
    while frame.f_back is not None:
        frame = frame.f_back
        caller = frame.f_globals.get("__name__", "")
        repeated |= caller.startswith(REPEATED)
        if caller == "sklearn.pipeline":
            refuse_fitted_steps(getattr(frame.f_locals.get("self"), "steps", ())[:-1])
    if repeated:
        warn(
            "this is one of several fits on the same records, and privacy_ that of one: for all see "
            "privml.learners.search_guarantee and privml.compose; scores have no guarantee.  Split by "
            "KFold(n), not by labels as cv=n does, and leave rng out: one seed gives all fits one noise"
        )


def features(estimator: object, X: ArrayLike, *, reset: bool, accept_sparse: str | bool = False) -> Any:
    """Instances as rows of numbers, with the names and the number of features checked."""
    from sklearn.utils.validation import check_array, validate_data

    if reset and hasattr(estimator, "epsilon"):
        ask_the_callers()
    if hasattr(X, "tocsr"):
        refuse_complex("X", X)
        rows = check_array(X, accept_sparse=accept_sparse, ensure_all_finite=False, estimator=estimator)
    else:
        rows = numeric("X", X)
        if rows.ndim != 2:
            raise ValueError(f"Expected 2D array, got shape {rows.shape}. Reshape your data")
        if not rows.size:
            check_array(rows, ensure_all_finite=False, estimator=estimator)  # says what is missing
    validate_data(estimator, X if hasattr(X, "columns") else rows, reset=reset, skip_check_array=True)
    return rows


def _vector(values: NDArray, n_samples: int) -> NDArray:
    from sklearn.utils import column_or_1d

    values = values if values.ndim == 1 else column_or_1d(values, warn=True)
    if len(values) != n_samples:
        raise ValueError(f"Found {n_samples} records and {len(values)} labels: X and y differ in length")
    return values


def targets(y: ArrayLike | None, n_samples: int) -> NDArray[np.float64]:
    """Numbers to predict, one for each record; what is no number becomes NaN."""
    if y is None:
        raise ValueError("This estimator requires y to be passed, but the target y is None")
    return _vector(numeric("y", y), n_samples).astype(float)


def _finder(classes: NDArray) -> Callable[[object], int]:
    places = {label: place for place, label in reversed(list(enumerate(classes.tolist())))}

    def place(label: object) -> int:
        try:
            return places.get(label, 0)
        except Exception:  # not hashable, or not comparable: no label
            return 0

    return place


def label_places(y: ArrayLike, classes: NDArray, n_samples: int) -> NDArray[np.intp]:
    """Position of each label among the declared classes; any other value counts as the first of them.

    Refused if no value of the dtype of `y` could be one of them.
    """
    if y is None:
        raise ValueError("This estimator requires y to be passed, but the target y is None")
    labels = _vector(_array(y), n_samples)
    a, b = labels.dtype.kind, classes.dtype.kind
    if not ("O" in (a, b) or a == b or (a in NUMBERS and b in NUMBERS)):
        kinds = f"labels of dtype {labels.dtype} and classes {classes.tolist()!r}"
        raise ValueError(f"classes must be of the kind of the labels, got {kinds}")
    if "O" in (a, b):
        return np.fromiter(map(_finder(classes), labels.tolist()), np.intp, n_samples)
    places = np.zeros(n_samples, dtype=np.intp)
    for place, label in enumerate(classes[1:], start=1):
        places[labels == label] = place
    return places


def declared_classes(classes: ArrayLike, n_most: int = 2) -> NDArray:
    """Two or more distinct public labels, in their order."""
    array = np.asarray(classes)
    distinct = array.ndim == 1 and len({*array.tolist()}) == array.size and (array == array).all()
    if not distinct or not 2 <= array.size <= n_most:
        count = "two" if n_most == 2 else f"2 to {n_most}"
        raise ValueError(f"classes must be {count} distinct labels, got {classes!r}")
    return array


def one_column(y: ArrayLike) -> ArrayLike:
    """Labels whose set counts as public, before scikit-learn checks them."""
    if y is not None and not hasattr(y, "dtype"):  # type: ignore[redundant-expr]
        entries = _array(y)
        if any(isinstance(label, complex | np.complexfloating) for label in entries.flat):
            raise ValueError("Complex data not supported: y holds complex numbers")
    refuse_complex("y", y)
    return y


def classes_of(y: NDArray) -> NDArray:
    """The two labels that are found in the data; their set counts as public."""
    classes = np.unique(y)
    if classes.size != 2:
        from sklearn.utils.multiclass import check_classification_targets

        check_classification_targets(y)
        count = f"{classes.size} class" + ("" if classes.size == 1 else "es")
        way = "; learn each against the rest, and add up by privml.compose" if classes.size > 2 else ""
        rule = "Only binary classification is supported: y must hold two classes"
        raise ValueError(f"{rule}, got {count}{way}")
    return classes
