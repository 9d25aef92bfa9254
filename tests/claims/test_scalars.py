"""Numbers of numpy mean what Python's mean, to every public function, constructor and method.

Narrow numbers wrap around (``np.uint8(200) + np.uint8(100)`` is 44) and round, and a promise made of them is
false.  The calls are those of the examples in the docstrings.  Their numbers are replaced by each type of
numpy, all at once where they fit and one by one at the largest number of the type; the answer must be the one
that the same number of Python gets, or the same refusal.  Arrays are given in narrow types too.
"""

import hashlib
import inspect
import re
import resource
import time
import types
import warnings
from collections.abc import Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse

from tests.test_bad_input import (
    TooSlow,
    arguments_of_examples,
    callables,
    passed,
    rooms,
    timed,
)

INTEGERS = (
    np.int8,
    np.int16,
    np.int32,
    np.int64,
    np.uint8,
    np.uint16,
    np.uint32,
    np.uint64,
)
FLOATS = (np.float16, np.float32, np.float64, np.longdouble)
KINDS = (np.bool_, *INTEGERS, *FLOATS)
FEW = (np.uint8, np.float32)
"""For callables whose example takes a while."""

SLOW, SECONDS, MEMORY = 0.02, 0.3, 1 << 30
DEPTH = 6
UNFINISHED = "not finished"
TOO_LARGE = "too large for the memory that is left"
ENDLESS = (UNFINISHED, TOO_LARGE)


def same_number(value):
    """Python's number for one of numpy."""
    kinds = {bool: np.bool_, int: np.integer, float: np.floating}
    return next(
        kind(value) for kind, theirs in kinds.items() if isinstance(value, theirs)
    )


def narrow(kind, value):
    """A number of Python in a type of numpy, or None where it does not fit: floats are rounded."""
    if (
        isinstance(value, bool) != (kind is np.bool_)
        or isinstance(value, float)
        and kind in INTEGERS
    ):
        return None
    with np.errstate(all="ignore"):
        try:
            found = kind(value)
        except OverflowError:
            return None
    if kind in FLOATS:
        return found if np.isfinite(found) else None
    return found if same_number(found) == value else None


def largest(kind, value):
    """A large number of a type, for an argument that was an integer or a float of Python."""
    if isinstance(value, bool) or kind is np.bool_:
        return None
    return (
        kind(np.iinfo(kind).max)
        if kind in INTEGERS
        else None
        if type(value) is int
        else kind(1000.1)
    )


def form(thing, depth=0):
    """What can be compared of an answer: numbers with types, arrays by values, objects by attributes."""
    if isinstance(thing, bool | int | float | complex | np.generic) or thing is None:
        return type(thing).__name__, repr(thing)
    if isinstance(thing, str | bytes):
        return thing
    if depth > DEPTH:
        return type(thing).__name__
    if sparse.issparse(thing):
        thing = thing.toarray()
    if (
        isinstance(thing, np.ndarray)
        and thing.size > 10_000
        and not thing.dtype.hasobject
    ):
        return thing.shape, thing.dtype.str, hashlib.sha256(thing.tobytes()).hexdigest()
    if isinstance(thing, np.ndarray):
        return thing.shape, [form(entry, depth + 1) for entry in thing.ravel().tolist()]
    if isinstance(thing, Mapping):
        return sorted(
            (repr(form(key)), form(value, depth + 1)) for key, value in thing.items()
        )
    if isinstance(thing, types.GeneratorType):
        thing = [entry for _, entry in zip(range(20), thing, strict=False)]
    if isinstance(thing, list | tuple | set | frozenset):
        return type(thing).__name__, [form(entry, depth + 1) for entry in thing]
    if hasattr(thing, "__dict__") and not callable(thing):
        return type(thing).__name__, form(vars(thing), depth + 1)
    return re.sub(" at 0x[0-9a-fA-F]+", "", repr(thing))


@dataclass
class Outcome:
    """What a call came to."""

    answer: object = None
    refusal: str = ""

    def __str__(self):
        return (self.refusal or repr(self.answer))[:200]


def outcome(function, arguments):
    """Form of the answer of a call, and of the object whose method it is; or the refusal."""
    if "rng" in arguments and arguments["rng"] is None:
        arguments = {**arguments, "rng": 0}
    positional, named = passed(function, arguments)
    owner = positional[0] if "self" in arguments else None
    try:
        with np.errstate(all="ignore"):
            return Outcome(form((timed(function, positional, named, SECONDS), owner)))
    except TooSlow:
        return Outcome(refusal=UNFINISHED)
    except MemoryError:
        return Outcome(refusal=TOO_LARGE)
    except Exception as error:
        return Outcome(refusal=f"{type(error).__name__}: {error}")


def numbers(function, arguments):
    """Names of the arguments that are numbers."""
    names = inspect.signature(function).parameters
    return [
        name
        for name in names
        if name != "rng" and isinstance(arguments[name], bool | int | float)
    ]


def substitutions(function, arguments, kinds):
    """Numbers of numpy to give instead: all at once, and each the largest of its type."""
    names = numbers(function, arguments)
    for kind in kinds:
        fitting = {name: narrow(kind, arguments[name]) for name in names}
        yield {name: value for name, value in fitting.items() if value is not None}
        for name in names:
            if (value := largest(kind, arguments[name])) is not None:
                yield {name: value}


def differences(function, arguments):
    """Every difference between the numbers of numpy and of Python in the calls of one function, as a line."""
    start = time.process_time()
    outcome(function, arguments)
    quick = time.process_time() - start < SLOW
    answers = {}
    for given in substitutions(function, arguments, KINDS if quick else FEW):
        if not given:
            continue
        meant = {name: same_number(value) for name, value in given.items()}
        key = repr(sorted(meant.items()))
        if key not in answers:
            answers[key] = outcome(function, {**arguments, **meant})
        expected = answers[key]
        if expected.refusal in ENDLESS:
            continue
        found = outcome(function, {**arguments, **given})
        if found.refusal not in ENDLESS and found != expected:
            shown = ", ".join(f"{name}={value!r}" for name, value in given.items())
            yield f"{shown}: {found} instead of {expected}"


@contextmanager
def little_memory():
    """Let a call with a large number fail before it takes the memory of the machine."""
    before = resource.getrlimit(resource.RLIMIT_AS)
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + MEMORY, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


@pytest.mark.parametrize("room", rooms())
def test_a_number_of_numpy_is_the_number_of_python(room):
    subjects = dict(callables(room))
    found = []
    with warnings.catch_warnings(), little_memory():
        warnings.simplefilter("ignore")
        for label, arguments in arguments_of_examples(room).items():
            found += [
                f"{label}: {line}" for line in differences(subjects[label], arguments)
            ]
    assert not found, "\n" + "\n".join(found)
