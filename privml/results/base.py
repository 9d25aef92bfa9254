"""Where the committed tables are, and reading them by name."""

import difflib
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from privml._optional import wanted
from privml.datasets.base import Dataset

if TYPE_CHECKING:
    from pandas import DataFrame

__all__ = ["FOLDER", "Study", "origin", "read", "study", "tables"]

_BESIDE = Path(__file__).resolve().parents[2] / "results"

FOLDER = _BESIDE if _BESIDE.is_dir() else Path(__file__).resolve().parent
"""Where studies and tables are."""


@dataclass(frozen=True)
class Study:
    """How a table is made.

    Parameters
    ----------
    name : str
        Name of the table.
    columns : tuple of str
    jobs : tuple of tuple
        Each holds the arguments of `work` for one part of the table, in the order of its rows.
    work : callable
        From the entries of a job to its rows, a list of tuples; a function of a module, so that it can be
        sent to other processes.
    parameters : dict
        What is published as the parameters, the seed among them.
    data : dict from name to callable
        Loaders of the records that are used; their sizes and checksums are published.
    digits : int
        Significant digits of the published numbers.
    """

    name: str
    columns: tuple[str, ...]
    jobs: tuple[tuple, ...]
    work: Callable[..., list[tuple]]
    parameters: dict[str, Any]
    data: dict[str, Callable[[], Dataset]] = field(default_factory=dict)
    digits: int = 9

    @property
    def command(self) -> str:
        """What makes the table."""
        return f"python -m privml.results.{self.name.replace('-', '_')}"


def tables() -> list[str]:
    """Names of the tables that are there.

    >>> "table4" in tables()
    True
    """
    return sorted(file.stem for file in FOLDER.glob("*.csv"))


def _known(name: str) -> str:
    if name not in tables():
        near = ", ".join(difflib.get_close_matches(name, tables(), 3, 0.3)) or ", ".join(tables())
        raise ValueError(f"name must be that of a table, got {name!r}; did you mean {near}?")
    return name


def read(name: str) -> "DataFrame":
    """A committed table.

    Parameters
    ----------
    name : str
        One of `tables`.

    Examples
    --------
    >>> read("experts-cost").columns.tolist()
    ['task', 'k', 'T', 'seconds']
    """
    return wanted("pandas").read_csv(FOLDER / f"{_known(name)}.csv")


def origin(name: str) -> dict[str, Any]:
    """How a committed table was made: command, version, parameters, sizes and checksums of the records.

    >>> origin("table4")["parameters"]["repetitions"]
    30
    """
    return json.loads((FOLDER / f"{_known(name)}.json").read_text(encoding="utf-8"))


def study(name: str) -> Study:
    """The study that makes a table.

    >>> study("experts-cost").columns
    ('task', 'k', 'T', 'seconds')
    """
    return import_module(f"privml.results.{_known(name).replace('-', '_')}").STUDY
