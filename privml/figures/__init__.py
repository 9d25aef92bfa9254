"""Figures of the book: each function draws a table onto an Axes and computes nothing.

A draw function has the signature ``name(table, axes, **options)``. The table comes from the
cells of a chapter; the same table is the figure's CSV file, its text alternative and what tests compare.
One file a topic, listing its draw functions in ``__all__``; a draw function's name is unique across all of
them, since a published figure records it. `draw_functions` finds them by name. The package is the only
importer of matplotlib.
"""

import importlib
import inspect
import pkgutil
from collections.abc import Callable

from privml._optional import wanted

__all__ = ["draw_functions"]


def topics() -> list[str]:
    """Names of the modules of this package that hold draw functions."""
    return sorted(m.name for m in pkgutil.iter_modules(__path__) if m.name != "style")


def draw_functions() -> dict[str, Callable]:
    """Every draw function of the book by its name.

    **Returns.** Dict: from ``name`` to the function that a figure's record calls ``"draw": name``.

    Raises
    ------
    ValueError
        When two topics use one name.

    Examples
    --------
    >>> all(name == draw.__name__ for name, draw in draw_functions().items())
    True
    """
    wanted("matplotlib")  # the extra `notebook`; said here before a file below imports it
    found: dict[str, Callable] = {}
    for topic in topics():
        module = importlib.import_module(f"{__name__}.{topic}")
        for name in module.__all__:
            draw = getattr(module, name)
            if not inspect.isfunction(draw) or draw.__module__ != module.__name__:
                continue
            if name in found:
                both = f"{found[name].__module__} and {module.__name__}"
                raise ValueError(f"draw name must be unique, got {name!r} in {both}")
            found[name] = draw
    return found


def __getattr__(name: str) -> Callable:
    """`privml.figures.<draw function>`, without importing matplotlib before a figure is wanted."""
    if not name.startswith("_"):
        draw = draw_functions().get(name)
        if draw is not None:
            return draw
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
