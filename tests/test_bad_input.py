"""Whatever a public callable is given, it answers or raises a ValueError of its own, and at once.

The calls are those of the examples in the docstrings, caught while they run; then one argument at a time is
replaced by what a careless caller may send.  A public function or class without such a call is a failure.
"""

import doctest
import importlib
import inspect
import math
import pkgutil
import signal
import sys
import time
import traceback
import warnings
from copy import deepcopy
from fractions import Fraction
from functools import cache

import numpy as np
import pytest

import privml

PAGES = ("figures", "notebook", "datasets", "results")
"""Rooms of the pages: what they hold is called from there, or reads files."""

SECONDS = 1.0
"""Longest that a call may take beyond twice its example, of the processor's time and not of the clock's."""

NUMBERS = (
    math.nan,
    math.inf,
    -math.inf,
    0,
    -1,
    0.5,
    10**20,
    1e-300,
    1e300,
    Fraction(1, 2),
    True,
)
STRANGERS = (None, "a", [1.0, math.nan], {}, 1j, object())
FEW = (math.nan, -1, 10**20, 1e300, None, "a")
"""For callables whose example takes a while."""

SLOW = 0.03
SIMPLE = (int, float, str, list, tuple, np.ndarray, np.generic)
WITHOUT = frozenset({"adjacency.Adjacency", "distributions.noise.joint"})
"""A list of members, and one that examples of another room call."""


class TooSlow(BaseException):
    """Not an Exception, so that no handler of the library catches it."""


def modules(room):
    """All modules of one room, a module or a package at the top."""
    package = importlib.import_module(f"privml.{room}")
    below = pkgutil.walk_packages(getattr(package, "__path__", []), f"privml.{room}.")
    return [package, *(importlib.import_module(module.name) for module in below)]


def rooms():
    names = [module.name for module in pkgutil.iter_modules(privml.__path__)]
    return [name for name in names if name not in PAGES and not name.startswith("_")]


def is_public(module, name, thing):
    """Whether it is defined here and exported, where the room says what it exports."""
    if name.startswith("_") or getattr(thing, "__module__", None) != module.__name__:
        return False
    room = module.__name__.rpartition(".")[0]
    home = (
        module if room == "privml" or hasattr(module, "__all__") else sys.modules[room]
    )
    return name in getattr(home, "__all__", [name]) or hasattr(privml, name)


def callables(room):
    """Label and function of each public function, constructor and method of a room."""
    for module in modules(room):
        for name, thing in vars(module).items():
            label = f"{module.__name__.removeprefix('privml.')}.{name}"
            if not is_public(module, name, thing):
                continue
            if inspect.isfunction(thing):
                yield label, thing
            elif inspect.isclass(thing) and not inspect.isabstract(thing):
                for method, body in {
                    "": vars(thing).get("__init__"),
                    **vars(thing),
                }.items():
                    body = getattr(body, "__func__", body)
                    if not method.startswith("_") and inspect.isfunction(body):
                        yield f"{label}.{method}".rstrip("."), body


def is_method(label, function):
    """Whether it is a method; those of a class without an example of their own need none."""
    return function.__name__ != "__init__" and label.split(".")[-2][0].isupper()


@cache
def arguments_of_examples(room):
    """Arguments of the first call of each public function while the examples of a room run."""
    subjects = dict(callables(room))
    labels = {
        id(inspect.unwrap(function).__code__): label
        for label, function in subjects.items()
    }
    calls = {}

    def watch(frame, event, _):
        if event == "call" and id(frame.f_code) in labels:
            label = labels[id(frame.f_code)]
            if label not in calls:
                calls[label] = {
                    name: own(value) for name, value in frame.f_locals.items()
                }

    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    for module in modules(room):
        for example in doctest.DocTestFinder(exclude_empty=True).find(module):
            sys.setprofile(watch)
            try:
                runner.run(example, out=lambda _: None, clear_globs=False)
            finally:
                sys.setprofile(None)
    return calls


def own(value):
    """A copy of what a call may change, where there can be one."""
    try:
        return deepcopy(value)
    except TypeError:
        return value


def passed(function, arguments):
    """Positional and named arguments of a call: copies of what a method may change."""
    positional, named = [], {}
    for name, parameter in inspect.signature(function).parameters.items():
        value = own(arguments[name])
        if parameter.kind == parameter.VAR_POSITIONAL:
            positional.extend(value)
        elif parameter.kind == parameter.VAR_KEYWORD:
            named.update(value)
        elif parameter.kind == parameter.KEYWORD_ONLY:
            named[name] = value
        else:
            positional.append(value)
    return positional, named


def called(function, arguments, seconds):
    """Call within a time."""
    return timed(function, *passed(function, arguments), seconds)


def timed(function, positional, named, seconds):
    """Call within a time of the processor."""

    def stop(*_):
        raise TooSlow

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        return function(*positional, **named)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def fault(function, arguments, seconds):
    """What is wrong with a call, or None."""
    try:
        answer = called(function, arguments, seconds)
    except ValueError as refusal:
        where = traceback.extract_tb(refusal.__traceback__)[-1].filename
        return (
            None
            if "privml" in where or "sklearn" in where
            else f"another library's message: {refusal}"
        )
    except TooSlow:
        return f"over {seconds:.1f} s"
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return (
        "NaN"
        if isinstance(answer, float | np.floating) and math.isnan(answer)
        else None
    )


def replaceable(function, arguments):
    """Arguments that are numbers, flags, choices or arrays; an object may be replaced by None only."""
    for name, parameter in inspect.signature(function).parameters.items():
        value = arguments[name]
        several = parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
        if several or name in ("self", "cls", "rng"):
            continue
        yield name, value is None or isinstance(value, SIMPLE)


def faults(function, arguments):
    """Every fault of one callable, as a line each."""
    start = time.process_time()
    called(function, arguments, 60)
    taken = time.process_time() - start
    values = (*NUMBERS, *STRANGERS) if taken < SLOW else FEW
    found = []
    for name, simple in replaceable(function, arguments):
        for value in values if simple else (None,):
            wrong = fault(function, {**arguments, name: value}, SECONDS + 2 * taken)
            if wrong:
                found.append(f"{name} = {value!r}: {wrong}")
    return found


@pytest.mark.parametrize("room", rooms())
def test_a_bad_argument_is_refused_with_a_message(room):
    subjects = dict(callables(room))
    calls = arguments_of_examples(room)
    found = {}
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for label, arguments in calls.items():
            found[label] = faults(subjects[label], arguments)
        for label, function in subjects.items():
            if (
                label not in calls
                and label not in WITHOUT
                and not is_method(label, function)
            ):
                found[label] = ["no example calls it"]
    lines = [f"{label}: {line}" for label, each in found.items() for line in each]
    assert not lines, "\n" + "\n".join(lines)
