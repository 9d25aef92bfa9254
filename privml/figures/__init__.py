"""Figures of the book: the look of all, `curves`, the drawing that most tables want, and `slider`.

A drawing is a function ``name(table, axes, **options)`` that computes nothing: the table comes from the cells
of a chapter; the same table is the figure's CSV file, its text alternative and what tests compare.
"""

from collections.abc import Callable
from importlib import import_module

from privml._optional import required

DRAWINGS = ("curves", "slider")


def __getattr__(name: str) -> Callable:
    """One of DRAWINGS, without importing matplotlib before a figure is wanted."""
    if name not in DRAWINGS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    required("matplotlib")
    return getattr(import_module("privml.figures.style"), name)


def __dir__() -> list[str]:
    return list(DRAWINGS)
