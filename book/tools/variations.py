"""Chapters under other values of their parameters, in one process and without a kernel: does each cell run?

A chapter runs once as it stands. For each other value of one parameter a copy of the process then runs the
cells that stand on it, in order, and takes what all others bind from the first run. Tables and drawings are
made, but no picture: `stopped` says in which cell a value stops a chapter, and with what words.
"""

import contextlib
import io
import linecache
import os
import pickle
import signal
import traceback
from collections.abc import Iterator
from typing import Any, NamedTuple
from unittest.mock import patch

from matplotlib.figure import Figure

from book.tools import live
from book.tools.chapters import Chapter
from book.tools.execute import unexecuted
from book.tools.programme import HEAD
from privml.figures.style import style

# Values that a reader may try, by the name of the parameter; what a chapter's remark excludes is left out.
VALUES: dict[str, tuple] = {
    "epsilon": (0.1, 0.3, 0.5, 2.0, 5.0),
    "step_epsilon": (0.01, 0.1, 0.3, 0.5, 1.0),
    "delta": (1e-9, 1e-7, 1e-4, 0.01, 0.05),
    "alpha": (0.02, 0.05, 0.15, 0.25, 0.4),
    "beta": (0.001, 0.01, 0.1, 0.2, 0.4),
    "seed": (1, 2, 5, 7, 100),
}
OWN: dict[tuple[str, str], tuple] = {
    ("without-privacy", "n_patients"): (64, 128, 256, 512, 32),
    ("without-privacy", "n_training"): (50, 100, 150, 250, 284),
    ("without-privacy", "errors"): ([1], [1, 2, 4], [2, 3], [5, 10, 20], [1, 2, 4, 8, 16, 32]),
    ("what-privacy-promises", "answers"): (
        [0, 1, 1], [1] * 12, [0] * 11 + [1], [1, 0] * 8, [0, 1, 0, 0, 1],
    ),
    ("noise", "largest"): (1, 2, 3, 7, 10),
    ("noise-on-integers", "largest"): (1, 2, 3, 7, 10),
    ("exponential-mechanism", "votes"): ([1, 2, 3], [5, 5, 5], [0, 10, 3, 3], [9, 1, 1, 1, 1, 1], [40, 2, 7]),
    ("exponential-mechanism", "largest"): (5, 6, 10, 15, 30),
    ("better-selection", "votes"): ([1, 2, 3], [5, 5, 5], [0, 10, 3, 3], [9, 1, 1, 1, 1, 1], [40, 2, 7]),
    ("sparse-vectors", "n_days"): (306, 320, 400, 500, 730),
    ("sparse-vectors", "threshold"): (200.0, 230.0, 260.0, 300.0, 400.0),
    ("many-queries", "survey"): ([1, 0, 0, 1], [0, 0, 5, 0], [2, 2, 2, 2], [1, 2, 3, 4], [8, 0, 1, 0]),
    ("many-queries", "n_items"): (3, 4, 6, 7, 8),
    ("evidence-against-a-claim", "n_canaries"): (100, 300, 500, 800, 1057),
    ("thresholds-and-littlestone", "bits"): (8, 16, 32, 48, 128),
    ("your-data", "file"): (),
    ("your-data", "label"): (),
    ("your-data", "positive"): (),
    ("your-data", "ranges"): ({"mean radius": [6, 30]}, {"mean concavity": [0, 1]}),
    ("your-data", "rules"): ("conjunctions",),
}  # fmt: skip
SECONDS = 300  # of one value


class Stop(NamedTuple):
    """A cell (its number among the cells of code) that fails under other values, and its last words."""

    cell: int
    words: str
    trace: str


def others(topic: str, name: str, value: Any) -> list[Any]:
    """Five other values of a parameter: by its name, or near the printed one."""
    if (topic, name) in OWN:
        found = OWN[topic, name]
    elif name in VALUES:
        found = VALUES[name]
    elif isinstance(value, int):
        near = [1, 2, 3, 4] if value < 8 else [value // 4, value // 2, value * 3 // 4]
        found = (*(n for n in near if n != value), value + 1, value * 3 // 2 + 1, value * 2)
    elif isinstance(value, float):
        found = (value / 4, value / 2, 0.9 * value, 1.2 * value, 2 * value)
    else:
        found = (value[:-1], value[1:], value[::-1], value[:3], value[::2])
    return [one for one in found if one != value][:5]


def _drawn(draw: Any, table: Any, size: Any, options: dict, **_: Any) -> bytes:
    """A drawing without its picture."""
    with style():
        draw(table, Figure(figsize=size).add_subplot(), **options)
    return b""


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Cells print and show nothing, and pictures stay undrawn."""
    nothing, sink = lambda *_, **__: None, io.StringIO()
    shows = patch("privml.notebook._display", nothing), patch("IPython.display.display", nothing)
    draws = patch("privml.figures.style.picture", _drawn)
    with shows[0], shows[1], draws, contextlib.redirect_stdout(sink), contextlib.redirect_stderr(sink):
        yield


class Variations:
    """A chapter that has run as it stands, for runs of its cells under other values."""

    def __init__(self, chapter: Chapter, last: int | None = None):
        """Run the cells of code of a chapter, those up to the number `last` if there is one."""
        self.topic = chapter.topic
        code = [cell for cell in unexecuted(chapter).cells if cell["cell_type"] == "code"]
        self.contents = live.contents(code, {})
        self.cells = self.contents["cells"][:last]
        if last is not None:  # only what this cell stands on
            kept = {*self.cells[-1]["needs"], last - 1}
            self.cells = [cell for place, cell in enumerate(self.cells) if place in kept]
        self.space: dict[str, Any] = {"__name__": "__main__", "display": lambda *_, **__: None}
        self.made: list[dict[str, Any]] = []
        with _quiet():
            for number, cell in enumerate(self.cells, 1):
                before = dict(self.space)
                self._run(number, cell["code"])
                new = {name: thing for name, thing in self.space.items() if before.get(name) is not thing}
                self.made.append(new)

    def _run(self, number: int, code: str) -> None:
        place = f"<{self.topic}, cell {number}>"
        linecache.cache[place] = (len(code), None, code.splitlines(keepends=True), place)
        exec(compile(code, place, "exec"), self.space)

    def stopped(self, values: dict[str, Any]) -> Stop | None:
        """Where other values stop the chapter, in this process, which they change."""
        self.space = {"__name__": "__main__", "display": lambda *_, **__: None}
        with _quiet():
            for number, (cell, made) in enumerate(zip(self.cells, self.made, strict=True), 1):
                if "parameters" in cell["tags"]:
                    self.space |= made | values
                elif not values.keys() & set(cell["parameters"]) and not HEAD & set(cell["tags"]):
                    self.space |= made
                else:
                    try:
                        self._run(number, cell["code"])
                    except Exception as error:
                        words = f"{type(error).__name__}: {error}".partition("\n")[0]
                        return Stop(number, words, traceback.format_exc())
        return None

    def apart(self, values: dict[str, Any], seconds: int = SECONDS) -> Stop | None:
        """The same in a copy of this process; a run that takes too long stops too."""
        readable, writable = os.pipe()
        if not (child := os.fork()):
            os.close(readable)
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            signal.alarm(seconds)
            with os.fdopen(writable, "wb") as out:
                pickle.dump(self.stopped(values), out)
            os._exit(0)
        os.close(writable)
        with os.fdopen(readable, "rb") as told:
            answer = told.read()
        os.waitpid(child, 0)
        return pickle.loads(answer) if answer else Stop(0, f"no answer within {seconds} s", "")


def stops(chapter: Chapter, printed: dict[str, Any]) -> Iterator[tuple[dict[str, Any], Stop]]:
    """Each other value of each parameter of a chapter (which `printed` has) that stops it, and where."""
    ready = Variations(chapter)
    for name, value in printed.items():
        for other in others(chapter.topic, name, value):
            if stop := ready.apart({name: other}):
                yield {name: other}, stop
