"""Chapters under other values of their parameters, in one process and without a kernel: does each cell run?

A chapter runs once as it stands. For each other value of one parameter a copy of the process then runs the
cells that stand on it, in order, and takes what all others bind from the first run. Tables and drawings are
made, but no picture. `Outcome` says in which cell a value stops a chapter, with what words, and which figures
show another table than the chapter as it stands: a caption has to follow a parameter that moves its figure.
"""

import contextlib
import io
import operator
import os
import pickle
import signal
from collections.abc import Iterator
from typing import Any, NamedTuple
from unittest.mock import patch

import yaml
from matplotlib.figure import Figure

from book.tools import figures, live, named_numbers
from book.tools.chapter_code import HEAD
from book.tools.chapters import ROOT, Chapter
from book.tools.execute import unexecuted
from privml.figures.style import style

TRIED = yaml.safe_load((ROOT / "book" / "variations.yml").read_text(encoding="utf-8"))
SECONDS = 300  # of one value


class Outcome(NamedTuple):
    """What came of other values: the number, among the cells of code, of one that failed, and its words; the
    cells whose figures show other tables."""

    stopped: int = 0
    words: str = ""
    moved: frozenset[int] = frozenset()


HOLDS = {">=": operator.ge, "<=": operator.le, ">": operator.gt, "<": operator.lt}


def others(topic: str, name: str, value: Any, limits: list[list[Any]]) -> list[Any]:
    """Up to five other values of a parameter: by its name, or near the printed one, and within its limits."""
    if (own := TRIED["of a chapter"].get(topic, {}).get(name)) is not None:
        found = own
    elif name in TRIED["by name"]:
        found = TRIED["by name"][name]
    elif isinstance(value, int):
        near = (
            [1, 2, 3, 4, 5, 6]
            if value < 8
            else [value // 4, value // 2, value * 3 // 4]
        )
        found = (
            *(n for n in near if n != value),
            value + 1,
            value * 3 // 2 + 1,
            value * 2,
        )
    elif isinstance(value, float):
        found = (value / 4, value / 2, 0.9 * value, 1.2 * value, 2 * value)
    else:
        found = (value[:-1], value[1:], value[::-1], value[:3], value[::2])
    if isinstance(value, int | float):
        found = tuple(
            one
            for one in found
            if all(HOLDS[sign](one, bound) for sign, bound in limits)
        )
    return [
        one for k, one in enumerate(found) if one != value and one not in found[:k]
    ][:5]


@contextlib.contextmanager
def _quiet(drawn: Any) -> Iterator[None]:
    """Cells print and show nothing, and pictures stay undrawn."""
    nothing, sink = lambda *_, **__: None, io.StringIO()
    shows = (
        patch("privml.notebook._display", nothing),
        patch("IPython.display.display", nothing),
    )
    draws = patch("privml.figures.style.picture", drawn)
    with (
        shows[0],
        shows[1],
        draws,
        contextlib.redirect_stdout(sink),
        contextlib.redirect_stderr(sink),
    ):
        yield


class Variations:
    """A chapter that has run as it stands, for runs of its cells under other values."""

    def __init__(self, chapter: Chapter, last: int | None = None):
        """Run the cells of code of a chapter, those up to the number `last` if there is one."""
        self.topic = chapter.topic
        self.source = [
            cell for cell in unexecuted(chapter).cells if cell["cell_type"] == "code"
        ]
        told = live.contents(self.source, {})
        self.limits = {held["name"]: held["limits"] for held in told["parameters"]}
        self.cells = dict(enumerate(told["cells"][:last], 1))
        if last is not None:  # only what this cell stands on
            kept = [*(place + 1 for place in self.cells[last]["needs"]), last]
            self.cells = {number: self.cells[number] for number in kept}
        self.space: dict[str, Any] = {
            "__name__": "__main__",
            "display": lambda *_, **__: None,
        }
        self.made: dict[int, dict[str, Any]] = {}
        self.tables: dict[
            int, str
        ] = {}  # what figures show, by the numbers of their cells
        with _quiet(self._drawn):
            for number, cell in self.cells.items():
                before = dict(self.space)
                self._run(number, cell["code"])
                new = {
                    name: thing
                    for name, thing in self.space.items()
                    if before.get(name) is not thing
                }
                self.made[number] = new

    def _drawn(
        self, draw: Any, table: Any, size: Any, options: dict, **_: Any
    ) -> bytes:
        """A drawing without its picture."""
        with style():
            draw(table, Figure(figsize=size).add_subplot(), **options)
        self.tables[self.number] = table.to_csv(index=False, float_format="%.9g")
        return b""

    def _run(self, number: int, code: str) -> None:
        self.number = number
        exec(compile(code, f"<{self.topic}, cell {number}>", "exec"), self.space)

    def run(self, values: dict[str, Any]) -> Outcome:
        """What comes of other values, in this process, which they change."""
        before, failed = dict(self.tables), Outcome()
        self.space.clear()  # the functions of cells that do not run again look their names up in it
        self.space |= {"__name__": "__main__", "display": lambda *_, **__: None}
        with _quiet(self._drawn):
            for number, cell in self.cells.items():
                made = self.made[number]
                if "parameters" in cell["tags"]:
                    self.space |= made | values
                elif not values.keys() & set(cell["parameters"]) and not HEAD & set(
                    cell["tags"]
                ):
                    self.space |= made
                else:
                    try:
                        self._run(number, cell["code"])
                    except Exception as error:
                        words = f"{type(error).__name__}: {error}".partition("\n")[0]
                        failed = Outcome(number, words)
                        break
        return failed._replace(
            moved=frozenset(k for k, table in self.tables.items() if before[k] != table)
        )

    def apart(self, values: dict[str, Any], seconds: int = SECONDS) -> Outcome:
        """The same in a copy of this process; one that takes too long has no outcome but its words."""
        readable, writable = os.pipe()
        if not (child := os.fork()):
            os.close(readable)
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            signal.alarm(seconds)
            with os.fdopen(writable, "wb") as out:
                pickle.dump(self.run(values), out)
            os._exit(0)
        os.close(writable)
        with os.fdopen(readable, "rb") as told:
            answer = told.read()
        os.waitpid(child, 0)
        return (
            pickle.loads(answer)
            if answer
            else Outcome(words=f"no answer within {seconds} s")
        )


def faults(chapter: Chapter) -> Iterator[str]:
    """Sentences on the values that stop a chapter, and on captions that do not follow their figures."""
    ready = Variations(chapter)
    printed = named_numbers.parameters(ready.source)
    for name, value in printed.items():
        moved: set[int] = set()
        for other in others(chapter.topic, name, value, ready.limits[name]):
            found = ready.apart({name: other})
            moved |= found.moved
            if found.stopped:
                yield f"{chapter.topic} stops at {name}={other!r}, code cell {found.stopped}: {found.words}"
        for number, cell in enumerate(ready.source, 1):
            said = " ".join(
                str(text)
                for part in figures.described(cell).values()
                for text in part.values()
            )
            named, typed = (
                f"`given-{name}`" in said,
                named_numbers.typed_parameters(said, {name: value}, alone=True),
            )
            if named and number not in moved:
                yield f"{chapter.topic}, code cell {number}: its figure does not follow {name}, its words do"
            if typed and number in moved:
                yield f"{chapter.topic}, code cell {number}: its figure follows {name}, its words do not"
