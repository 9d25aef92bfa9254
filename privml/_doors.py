"""The doors of the package: numbers of numpy become Python's, and numpy is silent about records.

Narrow numbers of numpy wrap around and round: ``np.uint8(200) + np.uint8(100)`` is 44.  So each of them is
converted once, at the door of each public function and class (:func:`doors`).
"""

import inspect
import sys
import warnings
from collections.abc import Callable
from functools import partial, wraps
from operator import is_
from typing import Any

import numpy as np

from privml._exports import missing

_RECORDS = "X answers counts losses records rows scores stream value values votes y"
PRIVATE = set(_RECORDS.split())
"""Names of arguments that hold records or what is computed of them."""

OURS = ("privml.", "sklearn.", "joblib.")  # whose lines are not the reader's
SPELLED: dict[str, object] = {}
"""What stands for a word that is passed alone: of the neighbouring relations, which register themselves."""


def plain(value: object) -> object:
    """Python's number for a number of numpy, also in a tuple; anything else as it is.  Never raises."""
    kind = type(value)  # an entry of a tuple of records may raise where it is asked
    if issubclass(kind, (np.bool_, np.integer)):
        return value.item()  # type: ignore[attr-defined]
    if issubclass(kind, np.floating):
        return float(value)  # type: ignore[arg-type]
    if kind is tuple:
        entries = tuple(map(plain, value))
        return (
            value if all(map(is_, entries, value)) else entries
        )  # estimators are cloned by identity
    return value


def _spelled(value: object) -> object:
    """As :func:`plain`, and a relation for its name."""
    return SPELLED.get(value, value) if type(value) is str else plain(value)


def _door(
    function: Callable[..., object], stored: bool = False
) -> Callable[..., object]:
    """The same function, to which numbers of numpy come as Python's.

    Where it takes records, numpy does not warn or raise, whatever the caller has set: what overflows is
    clipped, and a warning would tell of a record.  Nowhere does it speak of a number that is rounded to 0.
    """
    known = inspect.signature(function).parameters
    convert = (
        plain if stored else _spelled
    )  # an estimator keeps what it is given until it is fitted

    @wraps(function)
    def entered(*args: object, **named: object) -> object:
        __tracebackhide__ = True
        if "random_state" in named and "random_state" not in known:
            raise TypeError(
                "randomness is passed as rng: leave it out, or pass one Generator to all calls"
            )
        for value in (*args, *named.values()):
            if isinstance(value, (np.generic, tuple, str)):
                named = {name: convert(value) for name, value in named.items()}
                args = tuple(map(convert, args))
                break
        if np.geterr()["under"] == "ignore":
            return function(*args, **named)
        with np.errstate(under="ignore"):
            return function(*args, **named)

    if (PRIVATE | {"loss"}).isdisjoint(
        known
    ):  # a loss may be a function, too, which a message shows
        return entered

    @wraps(function)
    def silently(*args: object, **named: object) -> object:
        __tracebackhide__ = True
        with np.errstate(all="ignore"):
            return entered(*args, **named)

    return silently


def _same(one: Any, other: Any) -> bool:
    """Whether two fields are equal, arrays in all of their entries."""
    if isinstance(one, np.ndarray) or isinstance(other, np.ndarray):
        return np.array_equal(one, other)
    if isinstance(one, tuple) and type(one) is type(other):
        return len(one) == len(other) and all(map(_same, one, other))
    return bool(one == other)


def _compared(thing: Any) -> Callable[[Any, Any], bool]:
    """Equality of what holds arrays, which of themselves have no truth value."""
    fields = getattr(thing, "__dataclass_fields__", None)
    names = (
        list(thing._fields)
        if fields is None
        else [name for name, field in fields.items() if field.compare]
    )

    def __eq__(self: Any, other: Any) -> Any:
        if type(self) is not type(other):
            return NotImplemented
        return all(_same(getattr(self, name), getattr(other, name)) for name in names)

    return __eq__


def _holds_arrays(thing: Any) -> bool:
    """Whether it is compared field by field, and a field may be an array."""
    named = issubclass(thing, tuple) and hasattr(thing, "_fields")
    compared = getattr(thing, "__dataclass_params__", None)
    own = (named and "__eq__" not in vars(thing)) or (compared and compared.eq)
    words = " ".join(map(str, getattr(thing, "__annotations__", {}).values()))
    kinds = "NDArray", "ndarray", "Array", "Any"
    return bool(own) and any(word in words for word in kinds)


def _set_plain(self: object, name: str, value: object) -> None:
    object.__setattr__(self, name, plain(value))


def _own_names(place: dict, module: str) -> list[str]:
    """What ``dir`` shows of a module: what it says that it exports, else what it defines."""
    ours = [
        n
        for n, thing in place.items()
        if n.isupper() or getattr(thing, "__module__", None) == module
    ]
    return sorted(
        place.get("__all__", [name for name in ours if not name.startswith("_")])
    )


def doors(module: str) -> None:
    """Let numbers of numpy come as Python's to each public function and each class of a module.

    The last statement of a module.  Of a class, to its constructor and its public methods, also where they
    are inherited, and to the parameters that an estimator is set to.
    """
    place = vars(sys.modules[module])
    place.setdefault("__dir__", lambda: _own_names(place, module))
    for name in module, module.rpartition(".")[0]:
        vars(sys.modules[name]).setdefault("__getattr__", partial(missing, name))
    for name, thing in list(place.items()):
        if getattr(thing, "__module__", None) != module:
            continue
        if inspect.isfunction(thing) and not name.startswith("_"):
            place[name] = _door(thing)
        elif inspect.isclass(thing):
            for method, body in list(vars(thing).items()):
                if method not in ("__init__", "__call__") and method.startswith("_"):
                    continue
                if (
                    inspect.isfunction(body) and body.__globals__ is not globals()
                ):  # else it has a door
                    setattr(thing, method, _door(body, hasattr(thing, "set_params")))
                elif isinstance(body, (classmethod, staticmethod)):
                    setattr(thing, method, type(body)(_door(body.__func__)))
            if _holds_arrays(thing):
                thing.__eq__ = _compared(thing)  # type: ignore[method-assign]
                thing.__ne__ = object.__ne__  # type: ignore[method-assign]
            if hasattr(thing, "set_params"):
                thing.__setattr__ = _set_plain  # type: ignore[method-assign]


def warn(message: str, category: type[Warning] = UserWarning) -> None:
    """Warn at the line of the first caller outside of the package and of those that call fits."""
    frame, level = sys._getframe(), 1
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith(
        OURS
    ):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, category, stacklevel=level)
