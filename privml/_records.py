"""Private records as arrays: refused for the shape and dtype of the whole, never for the value of one.

An error, or its text, that depends on one record would tell of it.  So what is no number counts as NaN, a
label that is none of the declared ones counts as the first, and messages name shapes and dtypes only.
"""

import sys
import warnings
from array import array as numbers_of_one_type
from collections.abc import Callable, Sequence
from datetime import date, timedelta
from functools import partial
from inspect import signature
from math import prod
from numbers import Number
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml._wrapping import REFITTING_MODULES, warn

BUFFERS = str, bytes, bytearray, memoryview, numbers_of_one_type
PLAIN = {bool, int, float, str, *(np.dtype(c).type for c in "?bhilqBHILQefdg")}
"""Types of containers that have a type of their own, and of entries that are numbers without more ado."""
TABLES = "X", "losses", "loss"
MOMENTS, ZONED = "dates and times", "times in a zone"
DURATIONS = "durations"
NUMBERS = "biuf"  # kinds of dtype that count as numbers
ENCODE = "Encode words with OneHotEncoder(categories=...), or drop them. "
COUNT = "Count words with PrivateHistogram(categories=...). "
OWN_STEP_ADVICE = "set public_step = True in a class of your own"
REQUIRED_SETTINGS = {
    "strategy": "constant",
    "keep_empty_features": True,
    "add_indicator": False,
}  # of an imputer
REQUIRED_SETTINGS |= dict.fromkeys(
    ("min_frequency", "max_categories", "drop")
)  # of an encoder
RELABELLING_MODULES = (
    "sklearn.ensemble",
    "sklearn.multiclass",
)  # which hand on places of labels


def _is_sequence(kind: type) -> bool:
    """Whether it holds entries in an order, as a list, a deque or a UserList, and is no text and no buffer."""
    try:
        return issubclass(kind, Sequence) and not issubclass(kind, BUFFERS)
    except Exception:  # of a metaclass
        return False


def _row(entry: Any) -> list[Any] | None:
    """The entries of what stands for a row of a table, or None: no other object is asked what it holds."""
    kind = type(entry)
    try:
        if issubclass(kind, np.ndarray) or kind.__module__.startswith("pandas."):
            held = np.asarray(entry)
            return list(held) if held.ndim == 1 else None
        return list(entry) if _is_sequence(kind) else None
    except Exception:  # whatever a class does, it is no row
        return None


def _array(values: Any, *, table: bool = False) -> NDArray:
    """An array whose dtype is that of the whole: without one, as in lists, each entry stands for itself.

    Of a table the rows are lists, and their lengths are public; what an entry holds is never looked at.
    """
    typed = isinstance(getattr(values, "dtype", None), np.dtype) or hasattr(
        values, "dtypes"
    )
    if typed or not _is_sequence(type(values)):
        return np.asarray(values) if typed else np.asarray(values, dtype=object)
    rows = [_row(entry) for entry in values] if table else [None]
    if not rows or any(row is None or len(row) != len(rows[0] or ()) for row in rows):
        return np.fromiter(values, dtype=object, count=len(values))
    held = np.empty((len(rows), len(rows[0] or ())), dtype=object)
    for place, row in enumerate(rows):
        held[place] = np.fromiter(row or (), dtype=object, count=held.shape[1])
    return held


def sliceable(name: str, values: Any) -> Any:
    """Records that can be cut by position: arrays and frames as they are, lists as arrays of objects.

    So no entry of a list changes the others before a learner reads them.
    """
    if not hasattr(values, "shape") or not hasattr(values, "__getitem__"):
        values = _array(values, table=name in TABLES)
    if len(values.shape) == 0:
        raise ValueError(
            f"{name} must hold one entry for each record, but got a single object."
        )
    return values


def _float(value: Any) -> float:
    try:
        return float(value)
    except OverflowError:
        return np.inf if value > 0 else -np.inf


def _number(value: Any) -> float:
    """The number that an entry is, or NaN: whatever it does when it is asked, it neither raises nor warns."""
    try:
        if type(value) in PLAIN:
            return _float(value)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            number = isinstance(value, Number | str | np.generic)
            if not number or isinstance(value, complex | np.complexfloating):
                return np.nan  # the float of a complex number would warn
            return _float(value)
    except Exception:
        return np.nan


def refuse_complex(name: str, values: Any) -> None:
    """Refuse a complex dtype by name, since the message of scikit-learn shows all entries."""
    if getattr(getattr(values, "dtype", None), "kind", "") == "c":
        raise ValueError(
            f"Complex data not supported: {name} must be real, but has dtype {values.dtype}."
        )


def numeric(name: str, values: Any) -> NDArray:
    """The values as an array of numbers; an entry of dtype object that is no number becomes NaN."""
    array = _array(values, table=name in TABLES)
    refuse_complex(name, array)
    columns = (
        values.items() if hasattr(values, "itertuples") else [("", values)]
    )  # of a frame, each
    kinds = [
        (f"{column}: ".removeprefix(": "), *declared_dtype(column_values))
        for column, column_values in columns
    ]
    refused = [
        column + dtype for column, kind, dtype in kinds if kind not in NUMBERS + "O"
    ]
    if refused or array.dtype.kind not in NUMBERS + "O":
        advice = {"X": ENCODE, "records": COUNT}.get(
            name, ""
        ) + "Convert numbers with pandas.to_numeric(errors='coerce')."
        raise ValueError(
            f"{name} must be of a numeric dtype, but got {', '.join(refused) or array.dtype}. {advice}"
        )
    if array.dtype.kind == "O":
        return np.fromiter(map(_number, array.ravel()), float, array.size).reshape(
            array.shape
        )
    return array


def one_value_each(name: str, values: Any) -> Any:
    """The values, refused for their shape if they are one number or a table of several columns.

    Flattened it would hold several values of one record.  In a list each entry is the value of one record,
    whatever it is, so that none changes the shape.
    """
    if _is_sequence(type(values)):
        return np.fromiter(values, dtype=object, count=len(values))
    if not (shape := np.shape(values)):
        raise ValueError(
            f"{name} must hold one value for each record, but got a single {type(values).__name__}."
        )
    if len(shape) > 1 and prod(shape) != shape[0]:
        raise ValueError(
            f"{name} must hold one value for each record, but got {prod(shape[1:])} columns. Release each column by "
            "itself, or join them into one with np.ravel_multi_index."
        )
    return values


def _missing_settings(step: Any) -> list[str]:
    """What an imputer or encoder must be told yet to learn nothing, and to warn of no record."""
    unknown_option = "ignore" if hasattr(step, "drop") else "use_encoded_value"
    missing = ["categories=[...]"] * isinstance(getattr(step, "categories", ()), str)
    missing += [f"handle_unknown={unknown_option!r}"] * (
        getattr(step, "handle_unknown", unknown_option) in ("error", "warn")
    )
    return missing + [
        f"{setting}={required!r}"
        for setting, required in REQUIRED_SETTINGS.items()
        if np.any(getattr(step, setting, required) != required)
    ]


def _row_by_row(step: Any) -> bool:
    """Whether a step, by its exact type, acts on each row alone and keeps only what it was told.

    A subclass may learn, so may a function that a hasher calls, and an imputer drops empty columns.  What
    only some records raise or warn of is refused, but for NaN, infinity and what is no number or text.
    """
    from sklearn import impute, preprocessing
    from sklearn.feature_extraction import FeatureHasher, text

    kind = type(step)
    if kind in (
        impute.SimpleImputer,
        preprocessing.OneHotEncoder,
        preprocessing.OrdinalEncoder,
    ):
        return not _missing_settings(step)
    if kind is text.HashingVectorizer:
        return not any(
            map(
                callable,
                (step.preprocessor, step.tokenizer, step.analyzer, step.strip_accents),
            )
        )
    scalers = (
        preprocessing.Normalizer,
        preprocessing.Binarizer,
        preprocessing.PolynomialFeatures,
    )
    return kind in (*scalers, FeatureHasher) or bool(vars(kind).get("public_step"))


def _contained_steps(step: Any) -> list[Any]:
    """The parts of a container of scikit-learn, by its exact type."""
    from sklearn import compose, pipeline

    if type(step) is compose.ColumnTransformer:
        return [*(part[1] for part in step.transformers), step.remainder]
    kinds = {pipeline.Pipeline: "steps", pipeline.FeatureUnion: "transformer_list"}
    return [part[1] for part in getattr(step, kinds.get(type(step), ""), ())]


def _sparse(step: Any) -> bool:
    own = "public_step" in vars(type(step)) and not type(step).__module__.startswith(
        "privml."
    )
    hashes = type(step).__name__ in ("FeatureHasher", "HashingVectorizer")
    return (
        hashes
        or bool(getattr(step, "sparse_output", own))
        or any(map(_sparse, _contained_steps(step)))
    )


def _remedy(step: Any, sparse: bool, nested: bool = False, fitted: bool = False) -> str:
    """What to do about a step that learns from records, or may, and has no guarantee that counts; or none."""
    from sklearn import compose, impute, preprocessing

    if parts := _contained_steps(step):
        columns, sparse = (
            getattr(step, "transformers", ()),
            sparse or any(map(_sparse, parts)),
        )
        if any(
            callable(part[2]) and type(part[2]) is not compose.make_column_selector
            for part in columns
        ):
            return "Name the columns, or use make_column_selector, since a function may look at all records."
        if sparse and getattr(step, "sparse_threshold", False):
            return "Set sparse_threshold=0, since otherwise the zeros of all records decide whether rows are sparse."
        return next(
            (
                f"This concerns its part {type(part).__name__}. {remedy}"
                for part in parts
                if (remedy := _remedy(part, sparse, True))
            ),
            "",
        )
    noisy = (
        hasattr(step, "fit") and "rng" in signature(step.fit).parameters
    )  # a fit of it makes a promise
    private = (
        noisy
        and not nested
        and not (fitted and getattr(step, "privacy_", None) is None)
    )
    if isinstance(step, str | None) or _row_by_row(step) or private:
        return ""
    if hasattr(step, "predict"):
        return "Use a learner with a privacy_, such as ObjectivePerturbation for logistic regression."
    coders = (
        impute.SimpleImputer
        | preprocessing.OneHotEncoder
        | preprocessing.OrdinalEncoder
    )
    if isinstance(step, coders) and (missing := _missing_settings(step)):
        why = ""
        if missing[-1] == "drop=None":
            why = ", since otherwise it warns of a category that is not declared"
        return f"Pass {', '.join(missing)}{why}."
    if isinstance(step, preprocessing.FunctionTransformer) or hasattr(
        step, "tokenizer"
    ):
        return f"Transform each row by itself before, or {OWN_STEP_ADVICE}."
    if not type(step).__module__.startswith("sklearn."):
        advice = "If it acts on each row alone, set public_step = True in its class."
        return (
            f"{advice} If its fit is private, keep its privacy_." if noisy else advice
        )
    return "Use PublicScaler with declared ranges, which may come from public data."


def refuse_fitted_steps(
    steps: Sequence[tuple[str, Any]], X: Any, *, fitted: bool = False
) -> None:
    """Refuse steps of a pipeline that learn from records without noise, or may, with a way out."""
    sparse = hasattr(X, "tocsr") or "Sparse" in str(
        np.ravel(getattr(X, "dtypes", ())).tolist()
    )
    for name, step in steps:
        if remedy := _remedy(step, sparse, fitted=fitted):
            raise ValueError(
                f"steps must be public or private, but {name!r} learns, or may learn, from the records without "
                f"noise. {remedy}"
            )
        sparse |= _sparse(step)


def _refuse_of_targets(step: Any) -> None:
    """Refuse what a ``TransformedTargetRegressor`` does to the targets, unless it is public."""
    if _remedy(step, False):
        shown = getattr(step, "__name__", type(step).__name__)
        raise ValueError(
            f"TransformedTargetRegressor must transform targets publicly, but {shown} learns, or may learn, from the "
            "records without noise. Leave it out, and declare the range of the targets to the learner with "
            "target_bounds=(lower, upper)."
        )


def refuse_unsafe_callers(classes: Any) -> None:
    """Refuse steps before the private fit that asks, or its classes; warn if it is one of many fits."""
    frame, repeated = sys._getframe(1).f_back, False
    while frame is not None:
        caller, variables = frame.f_globals.get("__name__", ""), frame.f_locals
        repeated, frame = repeated or caller.startswith(REFITTING_MODULES), frame.f_back
        if (
            caller.startswith(RELABELLING_MODULES)
            and classes is not None
            and set(np.ravel(classes).tolist()) != set(range(np.size(classes)))
        ):
            positions = tuple(range(np.size(classes)))
            raise ValueError(
                f"classes must be {positions} within {caller}, which passes on positions of labels, but got {classes!r}."
            )
        if (
            caller == "sklearn.pipeline"
        ):  # which has Xt when all steps but the last are fitted
            steps = getattr(variables.get("self"), "steps", ())[:-1]
            refuse_fitted_steps(steps, variables.get("X"), fitted="Xt" in variables)
        if caller == "sklearn.compose._target" and (
            step := variables["self"].transformer or variables["self"].func
        ):
            _refuse_of_targets(step)
    if repeated:
        warn(
            "privacy_ covers this fit alone, one of several fits on the same records, and the scores have no "
            "guarantee; privml.learners.search_guarantee and privml.compose give the guarantee of all fits "
            "together. Split with KFold(n), since cv=n splits by labels, and leave rng out, since one seed would "
            "give every fit the same noise."
        )


def features(
    estimator: object, X: ArrayLike, *, reset: bool, accept_sparse: str | bool = False
) -> Any:
    """Instances as rows of numbers, with the names and the number of features checked."""
    from sklearn.utils.validation import check_array, validate_data

    if reset and hasattr(estimator, "epsilon"):
        refuse_unsafe_callers(getattr(estimator, "classes", None))
    if hasattr(X, "tocsr"):
        refuse_complex("X", X)
        rows = check_array(
            X, accept_sparse=accept_sparse, ensure_all_finite=False, estimator=estimator
        )
    else:
        if (rows := numeric("X", X)).ndim != 2:
            raise ValueError(
                f"Expected 2D array, but got X of shape {rows.shape}. Reshape your data."
            )
        if not rows.size:
            check_array(
                rows, ensure_all_finite=False, estimator=estimator
            )  # says what is missing
    validate_data(
        estimator,
        X if hasattr(X, "columns") else rows,
        reset=reset,
        skip_check_array=True,
    )
    return rows


def _only(entry: Any) -> Any:
    """The entry of a row of one, and any other as it is."""
    return entry[0] if type(entry) in (list, tuple) and len(entry) == 1 else entry


def _vector(y: Any, n_samples: int, read: Callable[[Any], NDArray] = _array) -> NDArray:
    from sklearn.utils import column_or_1d

    if y is None:
        raise ValueError(
            "This estimator requires y to be passed, but the target y is None."
        )
    listed = _is_sequence(type(y)) or (
        getattr(getattr(y, "dtype", None), "char", "") == "O"
    )
    if listed and np.ndim(_array(y)) == 1 and read is not np.asarray:
        y = np.fromiter(map(_only, _array(y)), dtype=object, count=len(y))
    values = array if (array := read(y)).ndim == 1 else column_or_1d(array, warn=True)
    if len(values) != n_samples:
        raise ValueError(
            f"y must have one label for each of the {n_samples} records, but got {len(values)}."
        )
    return values


def targets(y: ArrayLike | None, n_samples: int) -> NDArray[np.float64]:
    """Numbers to predict, one for each record; what is no number becomes NaN."""
    return _vector(y, n_samples, partial(numeric, "y")).astype(float)


def declared_dtype(y: Any) -> tuple[str, str]:
    """Kind and name of the dtype of a column, as it is declared: that of a list is unknown, as of objects."""
    dtype = np.ravel(getattr(y, "dtypes", getattr(y, "dtype", "O")))[0]
    element_dtype = getattr(
        getattr(dtype, "categories", None), "dtype", dtype
    )  # of a category
    kind = (
        "U"
        if getattr(element_dtype, "type", None) is str
        else getattr(element_dtype, "kind", "O")
    )
    return kind, f"{dtype}" if element_dtype is dtype else f"{dtype} ({element_dtype})"


def _moment(entry: Any) -> Any:
    """A date or a time without a zone as what is equal to the same moment of any other type and unit."""
    exact = np.datetime64(getattr(entry, "asm8", entry))
    seconds = exact.astype("datetime64[s]")
    return (
        "moment",
        int(seconds.astype(int)),
        (exact - seconds) / np.timedelta64(1, "s"),
    )


def _duration(entry: Any) -> Any:
    """The same for a duration."""
    exact = np.timedelta64(getattr(entry, "asm8", entry))
    seconds = exact.astype("timedelta64[s]")
    return (
        "duration",
        int(seconds.astype(int)),
        (exact - seconds) / np.timedelta64(1, "s"),
    )


def or_none(entry: Any) -> Any:
    """The entry, or None for what a column may hold where there is none: NaN, NaT, NA.

    Of dates, times and durations, which compare by type and unit, what stands for the value.
    """
    try:
        if type(entry).__name__ == "NAType" or entry != entry:
            return None
        if kind_of(entry) == MOMENTS:
            return _moment(entry)
        return _duration(entry) if kind_of(entry) == DURATIONS else entry
    except Exception:  # not comparable, or out of range
        return entry


def kind_of(entry: Any) -> str:
    """What an entry may be equal to, in words: of another kind nothing is."""
    if isinstance(entry, Number | np.number | np.bool_):
        return DURATIONS if isinstance(entry, np.timedelta64) else "numbers"
    if isinstance(entry, str | bytes):
        return "strings" if isinstance(entry, str) else "bytes"
    if isinstance(entry, np.timedelta64 | timedelta):
        return DURATIONS
    if isinstance(entry, np.datetime64 | date):
        zone = getattr(entry, "tzinfo", None) is not None
        return ZONED if zone else MOMENTS
    return type(entry).__name__


def declared_kind(records: Any) -> str | None:
    """The same of all entries of a column, by its declared dtype; None where that does not tell."""
    dtype = np.ravel(getattr(records, "dtypes", getattr(records, "dtype", "O")))[0]
    dtype = getattr(getattr(dtype, "categories", None), "dtype", dtype)
    kind, of = declared_dtype(records)[0], getattr(dtype, "type", None)
    if kind == "M":
        return MOMENTS if getattr(dtype, "tz", None) is None else ZONED
    words = {"U": "strings", "S": "bytes", "m": DURATIONS, "c": "numbers"}
    if kind in NUMBERS:
        return "numbers"
    own = isinstance(of, type) and not isinstance(dtype, np.dtype) and of is not object
    return words.get(kind, of.__name__ if own else None)  # type: ignore[union-attr]


def entries(array: NDArray) -> list[Any]:
    """The entries of an array, of which numpy would give dates of some units as integers."""
    return list(array.ravel()) if array.dtype.kind in "mM" else array.ravel().tolist()


def _finder(classes: NDArray) -> Callable[[object], int]:
    places = {
        or_none(label): place
        for place, label in reversed(list(enumerate(entries(classes))))
    }

    def place(label: object) -> int:
        try:
            if type(label) in PLAIN:
                return places.get(or_none(label), 0)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return places.get(or_none(label), 0)
        except Exception:  # not hashable, or not comparable: no label
            return 0

    return place


def label_places(y: ArrayLike, classes: NDArray, n_samples: int) -> NDArray[np.intp]:
    """Position of each label among the declared classes; any other value counts as the first of them.

    Refused if no value of the dtype of `y` could be one of them.
    """
    labels = _vector(y, n_samples)
    (a, name), b = declared_dtype(y), classes.dtype.kind
    if not ("O" in (a, b) or a == b or (a in NUMBERS and b in NUMBERS)):
        raise ValueError(
            f"classes must have the same type as the labels, but got labels of dtype {name} and classes "
            f"{classes.tolist()!r}. Declare the labels as they are in y, or convert y."
        )
    if "O" in (labels.dtype.kind, b):
        return np.fromiter(map(_finder(classes), entries(labels)), np.intp, n_samples)
    return np.asarray(
        sum(place * (labels == label) for place, label in enumerate(classes)),
        dtype=np.intp,
    )


def declared_classes(classes: ArrayLike, n_most: int = 2, y: Any = None) -> NDArray:
    """Two or more distinct public labels, in their order; truth values as integers if those of `y` are."""
    array = np.asarray(classes)
    distinct = (
        array.ndim == 1
        and len({*array.tolist()}) == array.size
        and (array == array).all()
    )
    if not distinct or not 2 <= array.size <= n_most:
        count = "two" if n_most == 2 else f"2 to {n_most}"
        raise ValueError(
            f"classes must be {count} distinct labels, but got {classes!r}."
        )
    return (
        array.astype(int)
        if array.dtype == bool and declared_dtype(y)[0] in "iu"
        else array
    )


def found_classes(
    y: ArrayLike, n_samples: int, n_most: int = 2
) -> tuple[NDArray, NDArray]:
    """Labels whose set counts as public, as an array, and the two or more that are found."""
    from sklearn.utils import assert_all_finite

    y = _vector(y, n_samples, np.asarray)
    refuse_complex("y", y)
    assert_all_finite(y, input_name="y")
    classes = np.unique(y)
    if classes.size != 2:
        from sklearn.utils.multiclass import check_classification_targets

        check_classification_targets(y)
        count = f"{classes.size} class" + ("" if classes.size == 1 else "es")
        advice = ""
        if classes.size > 2 and n_most > 2:
            if classes.size <= n_most:
                return y, classes
            raise ValueError(f"y must hold at most {n_most} classes, but got {count}.")
        if classes.size > 2:
            advice = (
                " Learn each class against the rest, and add up the guarantees with privml.compose, or use "
                "PATEClassifier."
            )
        raise ValueError(
            f"Only binary classification is supported: y must hold two classes, but got {count}.{advice}"
        )
    return y, classes
