"""Outline of the package for its reference: which modules are public, and what each of them offers.

A package offers what its ``__all__`` names; its files may offer more under their own names. An object has one
name in the reference, the shortest that users write: what a package passes on from one of its files is named
after the package.
"""

import importlib
import importlib.util
import inspect
import pkgutil
from collections.abc import Iterator
from functools import cache
from types import ModuleType
from typing import NamedTuple

PACKAGE = "privml"


class Part(NamedTuple):
    """One file of the package: its module and the names under which its objects are documented."""

    module: str
    names: tuple[str, ...]


def _public(name: str) -> bool:
    return not any(part.startswith("_") for part in name.split("."))


@cache
def public_modules() -> tuple[str, ...]:
    """Dotted names of all public modules of the package."""
    found = pkgutil.walk_packages(importlib.import_module(PACKAGE).__path__, f"{PACKAGE}.")
    return tuple(sorted(module.name for module in found if _public(module.name)))


def chapters_of_reference() -> list[str]:
    """Modules and packages that have a page of their own: those directly below the package."""
    return [name for name in public_modules() if name.count(".") == 1]


def home(thing: object) -> str:
    """Module that defines a class or function; empty for anything else."""
    return thing.__module__ if inspect.isclass(thing) or inspect.isroutine(thing) else ""


def defined_name(thing: object) -> str:
    """Dotted name of a class or function in the file that defines it."""
    return f"{thing.__module__}.{thing.__qualname__}"


def _offered(module: ModuleType) -> list[str]:
    """Public names of a module's own classes and functions, and of those that it passes on on purpose."""
    listed = getattr(module, "__all__", None)
    names = listed if listed is not None else [name for name in vars(module) if not name.startswith("_")]
    found = {name: getattr(module, name) for name in names}
    ours = {name: home(thing) for name, thing in found.items() if home(thing).startswith(PACKAGE)}
    return [name for name, place in ours.items() if listed is not None or place == module.__name__]


def _own(module: ModuleType) -> list[object]:
    """Public classes and functions that a file defines, in the order of the file."""
    found = [thing for name, thing in vars(module).items() if not name.startswith("_")]
    return list(dict.fromkeys(thing for thing in found if home(thing) == module.__name__))


def _passed_on(modules: list[ModuleType]) -> dict[str, str]:
    """Documented name of each object that a package passes on, by the name under which it is defined."""
    packages = [module for module in modules if hasattr(module, "__path__")]
    taken = {module.__name__ for module in modules}
    names = {}
    for package in sorted(packages, key=lambda package: package.__name__.count("."), reverse=True):
        for name in _offered(package):
            if f"{package.__name__}.{name}" not in taken:
                names[defined_name(getattr(package, name))] = f"{package.__name__}.{name}"
    return names


def outline(name: str) -> Iterator[Part]:
    """Parts of a module or package: itself first, then its files.

    Parameters
    ----------
    name : str
        Dotted name of a module directly below the package.

    Yields
    ------
    Part
        A file that offers nothing comes with no names; its docstring may still be worth reading.
    """
    below = [module for module in public_modules() if module.startswith(f"{name}.")]
    modules = [importlib.import_module(module) for module in [name, *below]]
    passed_on = _passed_on(modules)
    for module in modules:
        offered = set(_offered(module))
        own = [
            thing for thing in _own(module) if thing.__name__ in offered or defined_name(thing) in passed_on
        ]
        names = [passed_on.get(defined_name(t), f"{module.__name__}.{t.__name__}") for t in own]
        yield Part(module.__name__, tuple(names))


def public_bases(thing: type) -> list[type]:
    """Nearest public base classes of a class that belong to the package."""
    found: list[type] = []
    for base in thing.__bases__:
        if base.__module__.startswith(PACKAGE):
            found += public_bases(base) if base.__name__.startswith("_") else [base]
    return found


def resolve(name: str) -> object:
    """The object with a dotted name."""
    module, _, attribute = name.rpartition(".")
    return getattr(importlib.import_module(module), attribute)


def defined(name: str) -> str | None:
    """Name under which a file defines what can be imported as `name`; None when nothing can."""
    parts = name.split(".")
    if parts[0] != PACKAGE:
        return None
    thing = importlib.import_module(PACKAGE)
    for number, part in enumerate(parts[1:], 2):
        inside, module = getattr(thing, part, None), ".".join(parts[:number])
        if inside is None and hasattr(thing, "__path__") and importlib.util.find_spec(module):
            inside = importlib.import_module(module)
        if inside is None:
            return None
        thing = inside
    thing = getattr(thing, "fget", None) or getattr(thing, "func", None) or thing
    return defined_name(thing) if home(thing) else None
