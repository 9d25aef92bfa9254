"""One list for what a package passes on: its stub, of which each name is imported when it is first used."""

from collections.abc import Callable
from importlib import import_module
from os.path import dirname, join

_Exports = tuple[Callable[[str], object], Callable[[], list[str]], list[str]]


def attach(package: str, file: str) -> _Exports:
    """What a package calls ``__getattr__``, ``__dir__`` and ``__all__``, for the names in its stub."""
    homes = {}
    with open(join(dirname(file), "__init__.pyi"), encoding="utf-8") as stub:
        for line in stub:
            if line.startswith("from privml") and " as " in line:  # from HOME import NAME as NAME
                _, home, _, name, *_ = line.split()
                homes[name] = home

    def get(name: str) -> object:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        if homes[name] == package:
            return import_module(f"{package}.{name}")
        return getattr(import_module(homes[name]), name)

    return get, lambda: sorted(homes), list(homes)
