"""Checks of public parameters: each failure names the parameter, the rule and the value.

Only public parameters are checked here.  A record of a private data set never raises because of its
value: whether an error occurs would reveal the record.
"""

from collections.abc import Collection
from fractions import Fraction
from numbers import Integral, Rational, Real

import numpy as np
from numpy.typing import ArrayLike, NDArray


def _is_finite_real(value: object) -> bool:
    return isinstance(value, Real) and not isinstance(value, (bool, np.bool_)) and bool(np.isfinite(value))


def _is_integer(value: object) -> bool:
    return isinstance(value, Integral) and not isinstance(value, (bool, np.bool_))


def _refuse(name: str, rule: str, value: object) -> None:
    raise ValueError(f"{name} must be {rule}, got {value!r}")


def positive(**named: object) -> None:
    """Raise unless every value is a real number in (0, infinity)."""
    for name, value in named.items():
        if not (_is_finite_real(value) and value > 0):
            _refuse(name, "positive and finite", value)


def non_negative(**named: object) -> None:
    """Raise unless every value is a real number in [0, infinity)."""
    for name, value in named.items():
        if not (_is_finite_real(value) and value >= 0):
            _refuse(name, "non-negative and finite", value)


def finite(**named: object) -> None:
    """Raise unless every value is a finite real number."""
    for name, value in named.items():
        if not _is_finite_real(value):
            _refuse(name, "a finite number", value)


def probability_open(**named: object) -> None:
    """Raise unless every value lies in (0, 1)."""
    for name, value in named.items():
        if not (_is_finite_real(value) and 0 < value < 1):
            _refuse(name, "in the open interval (0, 1)", value)


def probability_half_open(**named: object) -> None:
    """Raise unless every value lies in [0, 1)."""
    for name, value in named.items():
        if not (_is_finite_real(value) and 0 <= value < 1):
            _refuse(name, "in the half-open interval [0, 1)", value)


def unit_interval(**named: object) -> None:
    """Raise unless every value lies in [0, 1]."""
    for name, value in named.items():
        if not (_is_finite_real(value) and 0 <= value <= 1):
            _refuse(name, "in the interval [0, 1]", value)


def positive_integer(**named: object) -> None:
    """Raise unless every value is an integer of at least 1."""
    for name, value in named.items():
        if not (_is_integer(value) and value >= 1):
            _refuse(name, "a positive integer", value)


def non_negative_integer(**named: object) -> None:
    """Raise unless every value is an integer of at least 0."""
    for name, value in named.items():
        if not (_is_integer(value) and value >= 0):
            _refuse(name, "a non-negative integer", value)


def one_of(allowed: Collection[object], **named: object) -> None:
    """Raise unless every value is among the allowed ones."""
    for name, value in named.items():
        if not any(value is choice or value == choice for choice in allowed):
            _refuse(name, "one of " + ", ".join(map(repr, allowed)), value)


def instance(kind: type, **named: object) -> None:
    """Raise unless every value is an instance of the given class."""
    for name, value in named.items():
        if not isinstance(value, kind):
            _refuse(name, f"an instance of {kind.__name__}", value)


def finite_vector(**named: ArrayLike) -> NDArray[np.float64]:
    """Return the one named value as a non-empty one-dimensional array of finite floats, or raise."""
    ((name, value),) = named.items()
    try:
        array = np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        _refuse(name, "an array of numbers", value)
    if array.ndim != 1 or array.size == 0:
        _refuse(name, "a non-empty one-dimensional array", f"shape {array.shape}")
    if not (np.isfinite(array.max()) and np.isfinite(array.min())):  # NaN survives max; no temporary array
        position = int(np.flatnonzero(~np.isfinite(array))[0])
        _refuse(name, "finite everywhere", f"{array[position]} at index {position}")
    return array


def positive_rational(**named: object) -> Fraction:
    """Return the one named value, an integer, a Fraction or a float, as an exact Fraction, or raise."""
    ((name, value),) = named.items()
    exact = isinstance(value, Rational) and not isinstance(value, bool)
    if not (exact or _is_finite_real(value)) or value <= 0:
        _refuse(name, "positive and finite", value)
    return Fraction(int(value.numerator), int(value.denominator)) if exact else Fraction(float(value))


def finite_answer(**named: ArrayLike) -> float | NDArray[np.float64]:
    """Return the one named value as a finite float or a vector of finite floats, or raise."""
    ((name, value),) = named.items()
    if np.ndim(value):
        return finite_vector(**named)
    finite(**named)
    return float(value)


def integer_answer(**named: ArrayLike) -> int | NDArray[np.int64]:
    """Return the one named value as an integer or a vector of integers of 64 bits, or raise."""
    ((name, value),) = named.items()
    array = np.asarray(value)
    if array.dtype.kind not in "iu" or array.ndim > 1 or array.size == 0:
        _refuse(name, "an integer of 64 bits or a non-empty vector of them", value)
    if array.dtype.kind == "u" and array.max() > np.iinfo(np.int64).max:
        _refuse(name, "below 2^63", value)
    return array.astype(np.int64) if array.ndim else int(array)
