"""Outline of the package for its reference: which modules are public, and what each of them offers.

A package offers what its ``__all__`` names; its files may offer more under their own names. An object has one
name in the reference, the shortest that users write: what a package passes on from one of its files is named
after the package.
"""

import importlib
import inspect
import pkgutil
import pydoc
from collections.abc import Iterator
from functools import cache
from types import ModuleType
from typing import Any, NamedTuple

PACKAGE = "privml"


class Part(NamedTuple):
    """One file of the package: its module and the names under which its objects are documented."""

    module: str
    names: tuple[str, ...]


@cache
def public_modules() -> tuple[str, ...]:
    """Dotted names of all public modules of the package."""
    found = pkgutil.walk_packages(
        importlib.import_module(PACKAGE).__path__, f"{PACKAGE}."
    )
    return tuple(sorted(module.name for module in found if "._" not in module.name))


def chapters_of_reference() -> list[str]:
    """Modules and packages that have a page of their own: those directly below the package."""
    return [name for name in public_modules() if name.count(".") == 1]


def home(thing: object) -> str:
    """Module that defines a class or function; empty for anything else."""
    return (
        thing.__module__ if inspect.isclass(thing) or inspect.isroutine(thing) else ""
    )


def defined_name(thing: Any) -> str:
    """Dotted name of a class or function in the file that defines it."""
    return f"{thing.__module__}.{thing.__qualname__}"


def _offered(module: ModuleType) -> list[str]:
    """Public names of a module: those that it lists, or all that do not begin with an underscore."""
    return getattr(
        module, "__all__", [name for name in vars(module) if not name.startswith("_")]
    )


def _documented(
    label: str, thing: object, module: ModuleType, packages: list[ModuleType]
) -> str:
    """Name of an object of a file in the reference: after the outermost package that passes it on."""
    for package in packages:
        name = f"{package.__name__}.{label}"
        if (
            label in _offered(package)
            and getattr(package, label) is thing
            and name not in public_modules()
        ):
            return name
    return f"{module.__name__}.{label}" if label in _offered(module) else ""


def outline(name: str) -> Iterator[Part]:
    """Parts of a module directly below the package: itself first, then its files."""
    below = [module for module in public_modules() if module.startswith(f"{name}.")]
    modules = [importlib.import_module(module) for module in [name, *below]]
    packages = [module for module in modules if hasattr(module, "__path__")]
    for module in modules:
        own = {
            label: thing
            for label, thing in vars(module).items()
            if home(thing) == module.__name__
        }
        own = {
            label: thing
            for label, thing in own.items()
            if label == thing.__name__ and label[0] != "_"
        }
        names = [
            _documented(label, thing, module, packages) for label, thing in own.items()
        ]
        yield Part(module.__name__, tuple(filter(None, names)))


def public_bases(thing: type) -> list[type]:
    """Nearest public base classes of a class that belong to the package."""
    found: list[type] = []
    for base in thing.__bases__:
        if base.__module__.startswith(PACKAGE):
            found += public_bases(base) if base.__name__.startswith("_") else [base]
    return found


def resolved(name: str) -> str | None:
    """Name under which a file defines what can be imported as `name`; None when nothing can."""
    thing = pydoc.locate(name) if name.startswith(f"{PACKAGE}.") else None
    thing = getattr(thing, "fget", None) or getattr(thing, "func", None) or thing
    return defined_name(thing) if home(thing) else None
