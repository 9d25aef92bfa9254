"""Modules that the library alone does without: pandas, IPython and matplotlib, and the bars of tqdm.

``pip install privml`` brings numpy, scipy and scikit-learn; ``pip install "privml[notebook]"`` the rest.
"""

from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from importlib import import_module
from types import ModuleType, SimpleNamespace
from typing import Any, TypeVar

Item = TypeVar("Item")


def required(name: str) -> ModuleType:
    """A module of the extra `notebook`."""
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        package = name.partition(".")[0]
        advice = f'{package} is needed here and is not installed. Install it with: pip install "privml[notebook]"'
        raise ModuleNotFoundError(advice, name=error.name) from error


def progress(**options: Any) -> Any:
    """A progress bar where tqdm is installed, else nothing."""
    try:
        from tqdm import tqdm
    except ModuleNotFoundError:
        return nullcontext(SimpleNamespace(update=lambda n=1: None))
    return tqdm(**options)


def counted(items: Iterable[Item], show_bar: bool, **options: Any) -> Iterator[Item]:
    """The things one by one, under a progress bar if it is to be shown."""
    if not show_bar:
        yield from items
        return
    with progress(**options) as bar:
        for item in items:
            yield item
            bar.update()
