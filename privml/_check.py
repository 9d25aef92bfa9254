"""Checks of public parameters: each failure names the parameter, the rule and the value.

Only public parameters are checked here.  A record of a private data set never raises because of its
value: whether an error occurs would reveal the record.
"""

import math
from collections.abc import Callable, Collection
from enum import Enum
from fractions import Fraction
from numbers import Integral, Rational, Real
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml._wrapping import PRIVATE_PARAMETERS
from privml._wrapping import plain as plain
from privml._wrapping import warn as warn
from privml._wrapping import wrap_module as wrap_module

Kind = TypeVar("Kind")
_LARGEST = (
    2**63 - 1
)  # numpy computes with integers up to it; beyond, and for fractions, its functions raise
_SMALLEST = 1e-50  # of learners: the cubes of ratios of two parameters are floats
_MOST_DIGITS = 60  # of a number that a message shows
_ROOMY = 2**62  # size of an integer to which noise is added without wrapping around
_MOST_DRAWS = 2**31  # of eight bytes each: 16 GiB


def _is_integer(value: object) -> bool:
    return (
        type(value) is int
        or isinstance(value, Integral)
        and not isinstance(value, (bool, np.bool_))
    )


def _is_finite_real(value: Any) -> bool:
    if isinstance(value, (float, np.floating)):
        return math.isfinite(value)
    return _is_integer(value) and abs(value) <= _LARGEST


def _kind(value: object) -> str:
    """What a message shows of records: neither their values nor their places."""
    if not isinstance(value, (np.ndarray, np.generic)):
        return f"a value of type {type(value).__name__}"
    return f"dtype {value.dtype} of shape {value.shape}"


def _raise_invalid(name: str, rule: str, value: object) -> None:
    if name in PRIVATE_PARAMETERS:
        raise ValueError(f"{name} must be {rule}, but got {_kind(value)}.") from None
    try:
        text = repr(value)
    except Exception:  # of an integer of 5,000 digits, for instance
        text = f"a value of type {type(value).__name__}"
    if isinstance(value, Rational) and len(text) > _MOST_DIGITS:
        text = f"{text[:_MOST_DIGITS]}..."
    raise ValueError(f"{name} must be {rule}, but got {text}.")


def _size_hint(value: object) -> str:
    """What to add to the rule for a number that a float check refuses for its type alone."""
    exact: Any = value
    large = (
        isinstance(exact, Rational)
        and not isinstance(value, bool)
        and not _is_finite_real(value)
    )
    return ", as a float or an integer of 64 bits" if large else ""


def _as_array(name: str, rule: str, value: object) -> NDArray:
    """Return the value as an array of numbers; neither strings nor dates are read as numbers."""
    try:
        array = np.asarray(value)
        if array.dtype.kind == "O" and all(
            isinstance(entry, Real) for entry in array.flat
        ):
            array = array.astype(float)
    except Exception:  # whatever an object's own conversion raises
        _raise_invalid(name, rule, value)
    if array.dtype.kind not in "biuf":
        _raise_invalid(name, rule, value)
    return array


def _make_check(
    rule: str,
    holds: Callable[[Any], bool],
    hint: Callable[[Any], str] = lambda value: "",
) -> Callable[..., None]:
    """A check that raises unless the rule holds for every value."""

    def check(**named: Any) -> None:
        for name, value in named.items():
            if not holds(value):
                _raise_invalid(name, rule + hint(value), value)

    return check


def _make_real_check(rule: str, holds: Callable[[float], bool]) -> Callable[..., None]:
    return _make_check(
        rule, lambda value: _is_finite_real(value) and holds(value), _size_hint
    )


positive = _make_real_check("positive and finite", lambda value: value > 0)
non_negative = _make_real_check("non-negative and finite", lambda value: value >= 0)
finite = _make_real_check("a finite number", lambda value: True)
probability_open = _make_real_check(
    "in the open interval (0, 1)", lambda value: 0 < value < 1
)
probability_half_open = _make_real_check(
    "in the half-open interval [0, 1)", lambda value: 0 <= value < 1
)
unit_interval = _make_real_check(
    "in the interval [0, 1]", lambda value: 0 <= value <= 1
)
share = _make_real_check("in the interval (0, 1]", lambda value: 0 < value <= 1)
positive_integer = _make_check(
    "a positive integer", lambda value: _is_integer(value) and value >= 1
)
non_negative_integer = _make_check(
    "a non-negative integer", lambda value: _is_integer(value) and value >= 0
)
flag = _make_check("True or False", lambda value: isinstance(value, (bool, np.bool_)))
function = _make_check("a function", callable)


def at_most(most: float, **named: Any) -> None:
    """Raise if a value, which is known to be a number, exceeds the largest one allowed."""
    for name, value in named.items():
        if value > most:
            _raise_invalid(name, f"at most {most!r}", value)


def carried(**named: float) -> None:
    """Raise if a positive parameter is so small or large that floats do not hold what a learner makes of it."""
    for name, value in named.items():
        if not _SMALLEST <= value <= 1 / _SMALLEST:
            rule = f"between {_SMALLEST:g} and {1 / _SMALLEST:g}"
            why = "so that floating-point numbers can hold what the learner computes"
            _raise_invalid(name, f"{rule}, {why}", value)


_VOCABULARY = {
    positive: "epsilon loss_range radius scale sensitivity sensitivity_factor step_range threshold_scale",
    non_negative: "approximation log_growth log_size noise_scale",
    unit_interval: "empirical_error error min_disagreement teacher_error",
    probability_open: "beta delta",
    positive_integer: "cutoff dimension",
}
_RULES = {name: rule for rule, names in _VOCABULARY.items() for name in names.split()}


def standard_ranges(**named: object) -> None:
    """Raise unless every value is in the range that the vocabulary of the package gives its name."""
    for name, value in named.items():
        rule = positive_integer if name.startswith("n_") else _RULES[name]
        rule(**{name: value})


def draws(size: object) -> None:
    """Raise unless it is a number of draws that memory may hold."""
    non_negative_integer(size=size)
    at_most(_MOST_DRAWS, size=size)


def one_of(allowed: Collection[object], **named: object) -> None:
    """Raise unless every value is among the allowed ones."""
    for name, value in named.items():
        if not any(value is choice or _equals(value, choice) for choice in allowed):
            _raise_invalid(name, "one of " + ", ".join(map(repr, allowed)), value)


def _equals(value: object, choice: object) -> bool:
    """Return whether the two are equal; True is not 1, and an array equals nothing."""
    if isinstance(value, bool) != isinstance(choice, bool):
        return False
    try:
        return bool(value == choice)
    except Exception:
        return False


def instance(kind: type[Kind], **named: Any) -> Kind:
    """Return the one named value, or raise unless every value is an instance of the given class."""
    for name, value in named.items():
        if not isinstance(value, kind):
            words = (
                " or ".join(repr(choice.value) for choice in kind)
                if issubclass(kind, Enum)
                else ""
            )
            _raise_invalid(name, words or f"an instance of {kind.__name__}", value)
    return value


def finite_vector(**named: ArrayLike) -> NDArray[np.float64]:
    """Return the one named value as a non-empty one-dimensional array of finite floats, or raise."""
    ((name, value),) = named.items()
    array = _as_array(name, "an array of numbers", value)
    with np.errstate(over="ignore"):
        array = array.astype(float, copy=False)
    if array.ndim != 1 or array.size == 0:
        raise ValueError(
            f"{name} must be a non-empty one-dimensional array, but got shape {array.shape}."
        )
    if not (
        math.isfinite(array.max()) and math.isfinite(array.min())
    ):  # NaN survives max; no temporary
        if name in PRIVATE_PARAMETERS:
            _raise_invalid(name, "finite everywhere", array)
        position = int(np.flatnonzero(~np.isfinite(array))[0])
        raise ValueError(
            f"{name} must be finite everywhere, but got {array[position]} at index {position}."
        )
    return array


def positive_rational(**named: Any) -> Fraction:
    """Return the one named value, an integer, a Fraction or a float, as an exact Fraction, or raise."""
    ((name, value),) = named.items()
    exact = isinstance(value, Rational) and not isinstance(value, bool)
    if not (exact or _is_finite_real(value)) or value <= 0:
        _raise_invalid(name, "positive and finite", value)
    return (
        Fraction(int(value.numerator), int(value.denominator))
        if exact
        else Fraction(float(value))
    )


def finite_answer(**named: Any) -> float | NDArray[np.float64]:
    """Return the one named value as a finite float or a vector of finite floats, or raise."""
    ((name, value),) = named.items()
    if _is_finite_real(value):
        return float(value)
    if isinstance(value, (Real, str, type(None))):
        _raise_invalid(name, "a finite number", value)
    return finite_vector(**named)


def integer_answer(**named: ArrayLike) -> int | NDArray[np.int64]:
    """Return the one named value as an integer or a vector of integers up to 2^62, or raise."""
    ((name, value),) = named.items()
    rule = "an integer of at most 2^62 in size or a non-empty vector of them"
    array = _as_array(name, rule, value)
    if array.dtype.kind not in "iu" or array.ndim > 1 or array.size == 0:
        _raise_invalid(name, rule, value)
    if array.max() > _ROOMY or array.min() < -_ROOMY:  # else noise could wrap around
        _raise_invalid(name, rule, value)
    return array.astype(np.int64) if array.ndim else int(array)


def integers(**named: ArrayLike) -> NDArray:
    """Return the one named value as a vector of non-negative integers of any length, or raise."""
    ((name, value),) = named.items()
    rule = "a vector of non-negative integers"
    array = value if isinstance(value, np.ndarray) else _as_array(name, rule, value)
    all_integers = (
        array.dtype.kind in "iu"
        or array.dtype.kind == "O"
        and all(map(_is_integer, array.flat))
    )
    if (
        array.ndim != 1
        or not all_integers
        or array.dtype.kind != "u"
        and (array < 0).any()
    ):
        _raise_invalid(name, rule, value)
    return array


def numbers(**named: ArrayLike) -> NDArray[np.float64]:
    """Return the one named value as an array of floats, NaN and infinities among them, or raise."""
    ((name, value),) = named.items()
    return _as_array(name, "an array of numbers", value).astype(float)


ROUNDED_SUM = 1e-9  # how far from 1 probabilities may sum, as floats of 64 bits


TRUSTED = 2.0**-31  # relative error of a probability that rounding may explain


def _unit(value: Any) -> float | None:
    """Unit of rounding of an array of floats of fewer than 64 bits."""
    dtype = getattr(value, "dtype", None)
    short = isinstance(dtype, np.dtype) and dtype.kind == "f" and dtype.itemsize < 8
    return float(np.finfo(dtype).eps) if short else None


def rounding(value: Any) -> tuple[float, float]:
    """Relative and absolute errors of given probabilities that rounding may explain.

    The absolute one is that of a difference of two values of a distribution function.
    """
    unit = _unit(value)
    return (32 * unit, 4 * unit) if unit else (TRUSTED, 2.0**-50)


def _far_from_one(sums: NDArray, value: object) -> float | None:
    """The sum that is too far from 1, if there is one."""
    off = np.abs(sums - 1)
    return (
        float(sums.flat[int(off.argmax())])
        if off.max(initial=0.0) > max(ROUNDED_SUM, 32 * (_unit(value) or 0.0))
        else None
    )


def distributions(
    advice: str = "", *, requirement: str = "", **named: ArrayLike
) -> NDArray[np.float64]:
    """Return the one named value as probability vectors along the last axis, or raise.

    The message begins with the requirement, if one is given, and ends with the advice.
    """
    ((name, value),) = named.items()
    array = numbers(**named)
    along = " along the last axis" if array.ndim > 1 else ""
    requirement = requirement or f"{name} must be non-negative and sum to 1{along}"
    if array.ndim == 0 or array.shape[-1] == 0:
        raise ValueError(f"{requirement}, but got shape {array.shape}.")
    if not (array >= 0).all():
        found = "NaN" if np.isnan(array).any() else f"the entry {float(array.min())!r}"
        raise ValueError(f"{requirement}, but got {found}.{advice}")
    if (found := _far_from_one(array.sum(axis=-1), value)) is not None:
        raise ValueError(
            f"{requirement}, but got the sum {found!r}. Divide by the sum.{advice}"
        )
    return array


def log_distributions(**named: ArrayLike) -> NDArray[np.float64]:
    """Return the one named value as logarithms of probability vectors along the last axis, or raise."""
    ((name, value),) = named.items()
    array, rule = numbers(**named), "logarithms of probabilities that sum to 1"
    if array.ndim == 0 or array.shape[-1] == 0:
        raise ValueError(f"{name} must be {rule}, but got shape {array.shape}.")
    if np.isnan(array).any():
        raise ValueError(f"{name} must be {rule}, but got NaN.")
    with np.errstate(over="ignore", under="ignore"):
        sums = np.exp(array).sum(axis=-1)
    if (found := _far_from_one(sums, value)) is not None:
        advice = "Subtract its logarithm, or leave out logs=True for probabilities."
        raise ValueError(f"{name} must be {rule}, but got the sum {found!r}. {advice}")
    return array


def bool_matrix(**named: ArrayLike) -> NDArray[np.bool_]:
    """Return the one named value as a non-empty bool matrix, or raise."""
    ((name, value),) = named.items()
    matrix = np.asarray(value)
    if matrix.ndim != 2 or matrix.dtype != bool or matrix.size == 0:
        advice = ""
        if matrix.dtype.kind in "iuf":
            advice = " Convert numbers 0 and 1 with astype(bool)."
            if name == "queries":
                advice += (
                    " Replace a row q of fractions by q > 0.05, q > 0.15, ..., q > 0.95, whose mean is within 0.05 "
                    "of it."
                )
        raise ValueError(
            f"{name} must be a non-empty bool matrix, but got shape {matrix.shape} of {matrix.dtype}.{advice}"
        )
    return matrix
