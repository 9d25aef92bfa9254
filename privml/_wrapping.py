"""How public functions are wrapped: NumPy's numbers become Python's, and NumPy is silent about records.

Narrow numbers of numpy wrap around and round: ``np.uint8(200) + np.uint8(100)`` is 44.  So each of them is
converted once, where it enters a public function or class (:func:`wrap_module`).
"""

import inspect
import sys
import warnings
import weakref
from collections.abc import Callable
from functools import partial, wraps
from operator import is_
from typing import Any

import numpy as np

from privml._exports import missing_attribute

_RECORDS = "X answers counts losses records rows scores stream value values votes y"
PRIVATE_PARAMETERS = set(_RECORDS.split())
"""Names of arguments that hold records or what is computed of them."""

_MARKS = "privml"  # of warnings that were given once for many fits
INTERNAL_MODULES = (
    "privml.",
    "sklearn.",
    "joblib.",
)  # whose lines are not the reader's
REFITTING_PACKAGES = "model_selection multi ensemble calibration feature_selection semi_supervised linear_model impute"
REFITTING_MODULES = tuple(f"sklearn.{part}" for part in REFITTING_PACKAGES.split())
"""Which call fits several times."""

RELATION_BY_NAME: dict[str, object] = {}
"""What stands for a word that is passed alone: of the neighbouring relations, which register themselves."""


def plain(value: Any) -> Any:
    """Python's number for a number of numpy, also in a tuple; anything else as it is.  Never raises."""
    kind = type(value)  # an entry of a tuple of records may raise where it is asked
    if issubclass(kind, (np.bool_, np.integer)):
        return value.item()
    if issubclass(kind, np.floating):
        return float(value)
    if kind is tuple:
        entries = tuple(map(plain, value))
        return (
            value if all(map(is_, entries, value)) else entries
        )  # estimators are cloned by identity
    return value


def _converted(value: object) -> object:
    """As :func:`plain`, and a relation for its name."""
    return RELATION_BY_NAME.get(value, value) if type(value) is str else plain(value)


def _wrapped(
    function: Callable[..., object], is_estimator: bool = False
) -> Callable[..., object]:
    """The same function, to which numbers of numpy come as Python's.

    Where it takes records, numpy does not warn or raise, whatever the caller has set: what overflows is
    clipped, and a warning would tell of a record.  Nowhere does it speak of a number that is rounded to 0.
    """
    parameters = inspect.signature(function).parameters
    convert = (
        plain if is_estimator else _converted
    )  # an estimator keeps what it is given until it is fitted

    @wraps(function)
    def entered(*args: object, **named: object) -> object:
        __tracebackhide__ = True
        if "random_state" in named and "random_state" not in parameters:
            raise TypeError(
                "random_state is not a parameter here; use rng instead. Leave rng out for fresh randomness, or pass "
                "the same Generator to all calls."
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

    if (PRIVATE_PARAMETERS | {"loss"}).isdisjoint(
        parameters
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


def _set_converted(self: object, name: str, value: object) -> None:
    object.__setattr__(self, name, plain(value))


def _own_names(namespace: dict, module: str) -> list[str]:
    """What ``dir`` shows of a module: what it says that it exports, else what it defines."""
    own = [
        n
        for n, member in namespace.items()
        if n.isupper() or getattr(member, "__module__", None) == module
    ]
    return sorted(
        namespace.get("__all__", [name for name in own if not name.startswith("_")])
    )


def wrap_module(module: str) -> None:
    """Let numbers of numpy come as Python's to each public function and each class of a module.

    The last statement of a module.  Of a class, to its constructor and its public methods, also where they
    are inherited, and to the parameters that an estimator is set to.
    """
    namespace = vars(sys.modules[module])
    namespace.setdefault("__dir__", lambda: _own_names(namespace, module))
    for name in module, module.rpartition(".")[0]:
        vars(sys.modules[name]).setdefault(
            "__getattr__", partial(missing_attribute, name)
        )
    for name, member in list(namespace.items()):
        if getattr(member, "__module__", None) != module:
            continue
        if inspect.isfunction(member) and not name.startswith("_"):
            namespace[name] = _wrapped(member)
        elif inspect.isclass(member):
            for method, body in list(vars(member).items()):
                if method not in ("__init__", "__call__") and method.startswith("_"):
                    continue
                if (
                    inspect.isfunction(body) and body.__globals__ is not globals()
                ):  # else it is wrapped already
                    setattr(
                        member, method, _wrapped(body, hasattr(member, "set_params"))
                    )
                elif isinstance(body, (classmethod, staticmethod)):
                    setattr(member, method, type(body)(_wrapped(body.__func__)))
            if _holds_arrays(member):
                member.__eq__ = _compared(member)  # type: ignore[method-assign]
                member.__ne__ = object.__ne__  # type: ignore[method-assign]
            if hasattr(member, "set_params"):
                member.__setattr__ = _set_converted  # type: ignore[method-assign]


def warn(message: str, category: type[Warning] = UserWarning) -> None:
    """Warn at the line of the first caller outside of the package and of those that call fits.

    What fits many times, as a search, warns once for all fits, although it resets Python's own memory of
    warnings; the mark is kept beside that memory, in the module of the caller.
    """
    frame, level, refitting, search = sys._getframe(), 1, False, None
    while frame.f_back is not None and (
        caller := frame.f_globals.get("__name__", "")
    ).startswith(INTERNAL_MODULES):
        if caller.startswith(REFITTING_MODULES):
            refitting, search = True, frame.f_locals.get("self", search)
        frame, level = frame.f_back, level + 1
    memory = frame.f_globals.setdefault("__warningregistry__", {})
    marks = memory.get(_MARKS, {})
    mark = message, category, frame.f_lineno, id(frame)
    # A frame may get the address of an earlier one, so that the search is compared, too.
    if refitting and mark in marks and marks[mark]() is search:
        return
    warnings.warn(message, category, stacklevel=level)
    if refitting:
        known = (lambda: None) if search is None else weakref.ref(search)
        memory[_MARKS] = marks | {mark: known}
