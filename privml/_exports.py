"""One list for what a package passes on: its stub, of which each name is imported when it is first used."""

import ast
from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from os.path import dirname, join

_Exports = tuple[Callable[[str], object], Callable[[], list[str]], list[str]]


@cache
def _module_hint(name: str) -> str:
    """What to add to a message: the public module that has a name, found in the sources."""
    import re
    from pathlib import Path

    defined = re.compile(rf"^(class|def) {re.escape(name)}\b", re.M)
    root = Path(__file__).parent
    for file in (
        sorted(root.rglob("*.py")) if name.isidentifier() and name[0] != "_" else ()
    ):
        parts = ("privml", *file.relative_to(root).with_suffix("").parts)
        if any(part[0] == "_" for part in parts) or not defined.search(
            file.read_text(encoding="utf-8")
        ):
            continue
        for depth in range(2, len(parts) + 1):
            module = import_module(".".join(parts[:depth]))
            if name in dir(module):
                return f" It is defined as {module.__name__}.{name}."
    return ""


def missing_attribute(module: str, name: str) -> object:
    """What a module has not yet: a module below it, or an error that says where the name lives."""
    below = (
        "__path__" in vars(import_module(module))
        and name.isidentifier()
        and name[0] != "_"
    )
    if below and find_spec(f"{module}.{name}"):
        return import_module(f"{module}.{name}")
    raise AttributeError(
        f"module {module!r} has no attribute {name!r}.{_module_hint(name)}"
    )


def lazy_exports(package: str, file: str) -> _Exports:
    """What a package calls ``__getattr__``, ``__dir__`` and ``__all__``, for the names in its stub."""
    with open(join(dirname(file), "__init__.pyi"), encoding="utf-8") as stub:
        imports = [
            node
            for node in ast.parse(stub.read()).body
            if isinstance(node, ast.ImportFrom)
        ]
    homes = {
        alias.asname: str(node.module)
        for node in imports
        for alias in node.names
        if alias.asname
    }

    def get(name: str) -> object:
        moved = homes.get(name, package) != package
        return (
            getattr(import_module(homes[name]), name)
            if moved
            else missing_attribute(package, name)
        )

    return get, lambda: sorted(homes), list(homes)
