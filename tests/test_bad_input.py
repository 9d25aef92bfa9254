"""Whatever a public callable is given, it answers or raises a ValueError that says what is wrong, at once.

The calls are those of the examples in the docstrings, caught as they run; then one argument at a time is
replaced by something that a careless caller may send.  A public callable without an example is a failure.
"""

import doctest
import importlib
import inspect
import math
import pkgutil
import signal
import sys
import time
import warnings
from fractions import Fraction

import numpy as np
import pytest

import privml

ROOMS_WITHOUT = ("privml.experiments", "privml.exercises", "privml.figures", "privml.notebook", "privml.datasets")
SECONDS = 1.0
EXTREMES = (math.nan, math.inf, -math.inf, 0, -1, 0.5, 10**20, 1e-300, 1e300, Fraction(1, 2), True)
STRANGERS = (None, "a", b"1", [], (), {}, object(), [1.0, math.nan], [None], [["a"]], 1j)


def modules():
    """All modules of the package but those of the pages."""
    names = (module.name for module in pkgutil.walk_packages(privml.__path__, "privml."))
    return [importlib.import_module(name) for name in names if not name.startswith(ROOMS_WITHOUT)]


def is_public(module, name, thing):
    """Whether it is defined here and exported, where the room says what it exports."""
    if name.startswith("_") or getattr(thing, "__module__", None) != module.__name__ or "._" in module.__name__:
        return False
    package = sys.modules[module.__name__.rpartition(".")[0]]
    exported = getattr(module if hasattr(module, "__all__") else package, "__all__", None)
    return exported is None or name in exported or hasattr(privml, name)


def callables():
    """Name, function and the class it makes or belongs to, for each public function, class and method."""
    for module in modules():
        for name, thing in vars(module).items():
            if not is_public(module, name, thing):
                continue
            label = f"{module.__name__}.{name}"
            if inspect.isfunction(thing):
                yield label, thing
            elif inspect.isclass(thing) and not issubclass(thing, BaseException):
                if inspect.isfunction(vars(thing).get("__init__")):
                    yield label, thing.__init__
                for method, body in vars(thing).items():
                    body = getattr(body, "__func__", body)
                    if not method.startswith("_") and inspect.isfunction(body):
                        yield f"{label}.{method}", body
